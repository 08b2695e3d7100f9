package dev.stoker.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SpareDescriptorTest {
    /** How often this process has /dev/null open. */
    private static long open() throws IOException {
        long count = 0;
        for (Path file : FileProbe.in(Path.of("/proc/self/fd"))) {
            // The folder that is listed is among them, and closed by now.
            count += Files.isSymbolicLink(file)
                            && Files.readSymbolicLink(file).toString().equals("/dev/null")
                    ? 1
                    : 0;
        }
        return count;
    }

    @Test
    void itTakesOnePlaceAndGivesItBack() throws IOException {
        long before = open();
        try (var spare = new SpareDescriptor()) {
            assertThat(open()).isEqualTo(before + 1);
            spare.open();
            assertThat(open()).isEqualTo(before + 1);
            spare.close();
            assertThat(open()).isEqualTo(before);
            spare.close();
            spare.open();
            assertThat(open()).isEqualTo(before + 1);
        }
        assertThat(open()).isEqualTo(before);
    }
}
