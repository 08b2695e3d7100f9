package dev.stoker.cli.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.cli.Ending;
import dev.stoker.sample.DType;
import dev.stoker.sample.Npy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a container holds and its fields do not deliver: every command that reads it says so, and refuses it if asked. */
class OmissionsTest {
    private static final String MEAN = "mean (3 rows of type float64): the samples are the 60 rows of x";

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void makeFile() throws IOException {
        file = folder.resolve("x.npz");
        try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
            add(zip, "x.npy", Npy.header(DType.FLOAT32, 60, 2), 60 * 2 * 4);
            add(zip, "mean.npy", Npy.header(DType.FLOAT64, 3), 3 * 8);
        }
    }

    private static void add(ZipOutputStream zip, String name, byte[] header, int bytes) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(header);
        zip.write(new byte[bytes]);
        zip.closeEntry();
    }

    @Test
    void everyCommandTellsOfThem() {
        for (int opened = 0; opened < 2; opened++) {
            assertThat(Ending.of("inspect", file).require(0).out()).contains("omission     " + MEAN);
            assertThat(Ending.of("inspect", file, "--json").require(0).out())
                    .contains("\"omissions\"", "\"name\": \"mean\"", "\"what\": \"3 rows of type float64\"");
        }
        assertThat(Ending.of("index", file, "--force").require(0).err()).startsWith("left out or replaced: " + MEAN);
        assertThat(Ending.of("index", file, "--force", "--json").require(0).out())
                .contains("\"omissions\"");
        assertThat(Ending.of("feed", file, "--no-limit").require(0).err()).startsWith("left out or replaced: " + MEAN);
        assertThat(Ending.of("feed", file, "--no-limit", "--json").require(0).out())
                .contains("\"omissions\"");
        for (String command : new String[] {"convert", "pack"}) {
            assertThat(Ending.of(command, file, "-o", folder.resolve(command + ".stk"), "--json")
                            .require(0)
                            .out())
                    .contains("\"omissions\"", "\"name\": \"mean\"");
        }
    }

    @Test
    void strictRefusesThem() {
        String refusal =
                "stoker: left out or replaced: " + MEAN + ", which --strict refuses; drop --strict to read the rest";
        Path output = folder.resolve("out.stk");
        for (Object[] words : new Object[][] {
            {"convert", file, "-o", output, "--strict"},
            {"pack", file, "-o", output, "--strict"},
            {"feed", file, "--strict"},
            {"index", file, "--force", "--strict"}
        }) {
            Ending ending = Ending.of(words).require(1);
            assertThat(ending.err()).isEqualTo(refusal + System.lineSeparator());
            assertThat(ending.out()).isEmpty();
        }
        assertThat(output).doesNotExist();
    }

    @Test
    void nothingIsSaidWhereNothingIsLeftOut() {
        Path output = folder.resolve("out.stk");
        Ending.of("convert", file, "-o", output).require(0);
        assertThat(Ending.of("inspect", output).require(0).out()).doesNotContain("omission");
        assertThat(Ending.of("inspect", output, "--json").require(0).out()).doesNotContain("omissions");
        Ending fed = Ending.of("feed", output, "--strict", "--no-limit").require(0);
        assertThat(fed.err()).isEmpty();
    }
}
