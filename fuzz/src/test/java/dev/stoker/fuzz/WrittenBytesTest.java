package dev.stoker.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Containers are byte for byte what the last commit wrote, in every format and in each way of packing: a refactoring that
 * changes them fails here. Where a format or a library that compresses is changed on purpose, copy the hashes that the test
 * prints, and say so in the changelog.
 */
class WrittenBytesTest {
    private static final int SAMPLES = 20;

    @TempDir
    Path folder;

    @Test
    void theyAreWhatTheyWere() throws IOException {
        Path table = Path.of("src/test/resources/written-bytes.txt");
        List<String> found = Variant.all().stream()
                .filter(variant -> !isMadeElsewhere(variant))
                .map(this::line)
                .toList();
        assertThat(String.join("\n", found)).isEqualTo(Files.readString(table).strip());
    }

    /** By mksquashfs, or by the zlib of the JDK or of the system: their bytes differ between machines. */
    private static boolean isMadeElsewhere(Variant variant) {
        return variant.format().equals("squashfs") && !variant.settings().isEmpty()
                || "zlib".equals(variant.settings().get("compression"));
    }

    private String line(Variant variant) {
        try {
            Path place = Files.createDirectory(folder.resolve(variant.label()));
            variant.workshop(place, 1).pack(variant.samples(SAMPLES, 1), "x");
            return "%-15s %s".formatted(variant.label(), hash(place).substring(0, 32));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of the names and bytes of all files: the container, and its Index if that is a file of its own. */
    private static String hash(Path place) throws IOException {
        try (Stream<Path> all = Files.walk(place)) {
            var digest = MessageDigest.getInstance("SHA-256");
            for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                digest.update(Objects.requireNonNull(place.relativize(file))
                        .toString()
                        .getBytes(UTF_8));
                digest.update((byte) 0);
                digest.update(Files.readAllBytes(file));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
