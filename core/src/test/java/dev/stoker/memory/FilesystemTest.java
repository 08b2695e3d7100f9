package dev.stoker.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FilesystemTest {
    @Test
    void aFilesystemWithoutALimitHasRoomForAll() {
        assertThat(Filesystem.bytes(1000, 4096)).isEqualTo(4_096_000);
        assertThat(Filesystem.bytes(0, 4096)).isZero();
        for (long blocks : new long[] {-1, Long.MAX_VALUE, Long.MAX_VALUE / 4096 + 1}) {
            assertThat(Filesystem.bytes(blocks, 4096)).isEqualTo(Long.MAX_VALUE);
        }
    }
}
