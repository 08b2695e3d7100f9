package dev.stoker.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerIdentityTest {
    private static final int EDGE = ContainerIdentity.EDGE;

    @TempDir
    private Path folder;

    private static byte[] random(int length) {
        var bytes = new byte[length];
        new SplittableRandom(length).nextBytes(bytes);
        return bytes;
    }

    private ContainerIdentity identity(byte[] content) throws IOException {
        return ContainerIdentity.of(Files.write(folder.resolve("x"), content));
    }

    private static String sha256(byte[]... parts) throws NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (byte[] part : parts) {
            digest.update(part);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    @Test
    void aSmallFileIsHashedWhole() throws IOException, NoSuchAlgorithmException {
        for (int length : new int[] {0, 1, EDGE, 2 * EDGE - 1, 2 * EDGE}) {
            byte[] content = random(length);
            assertThat(identity(content)).isEqualTo(new ContainerIdentity(length, sha256(content)));
        }
    }

    @Test
    void aLargeFileIsHashedAtBothEnds() throws IOException, NoSuchAlgorithmException {
        for (int length : new int[] {2 * EDGE + 1, 5 * EDGE}) {
            byte[] content = random(length);
            byte[] head = Arrays.copyOf(content, EDGE);
            byte[] tail = Arrays.copyOfRange(content, length - EDGE, length);
            assertThat(identity(content)).isEqualTo(new ContainerIdentity(length, sha256(head, tail)));
        }
    }

    @Test
    void aChangeAtEitherEndIsSeen() throws IOException {
        byte[] content = random(3 * EDGE);
        ContainerIdentity before = identity(content);
        for (int at : new int[] {0, EDGE - 1, 2 * EDGE, 3 * EDGE - 1}) {
            byte[] changed = content.clone();
            changed[at] ^= 1;
            assertThat(identity(changed)).isNotEqualTo(before);
        }
        assertThat(identity(Arrays.copyOf(content, 3 * EDGE + 1))).isNotEqualTo(before);
    }

    @Test
    void aReaderOfPartsGivesTheSame() throws IOException {
        byte[] content = random(3 * EDGE);
        assertThat(ContainerIdentity.of(
                        content.length,
                        (offset, to) ->
                                MemorySegment.copy(MemorySegment.ofArray(content), offset, to, 0, to.byteSize())))
                .isEqualTo(identity(content));
    }

    @Test
    void theHashIsTheBytesOfItsText() {
        assertThat(ContainerIdentity.NONE.hash()).hasSize(32).containsOnly(0);
        assertThat(new ContainerIdentity(1, "ff" + "00".repeat(31)).hash()).startsWith(0xff, 0);
    }

    @Test
    void aMissingFileHasNone() {
        Path missing = folder.resolve("missing");
        assertThatThrownBy(() -> ContainerIdentity.of(missing))
                .isInstanceOf(StokerException.class)
                .hasMessage("[" + missing + "] cannot be read: there is no such file or folder");
    }
}
