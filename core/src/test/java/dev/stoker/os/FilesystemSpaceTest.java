package dev.stoker.os;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FilesystemSpaceTest {
    @Test
    void aFilesystemWithoutALimitHasRoomForAll() {
        assertThat(FilesystemSpace.bytes(1000, 4096)).isEqualTo(4_096_000);
        assertThat(FilesystemSpace.bytes(0, 4096)).isZero();
        for (long blocks : new long[] {-1, Long.MAX_VALUE, Long.MAX_VALUE / 4096 + 1}) {
            assertThat(FilesystemSpace.bytes(blocks, 4096)).isEqualTo(Long.MAX_VALUE);
        }
    }
}
