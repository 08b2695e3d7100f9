package dev.stoker.formats.zarr.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.airlift.compress.v3.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.Test;

class ByteCodecsTest {
    @Test
    void severalFramesOfZstdAreOneChunk() throws IOException, DataFormatException {
        var plain = new byte[300_000];
        for (int i = 0; i < plain.length; i++) {
            plain[i] = (byte) (i * i >> 7);
        }
        var stored = new ByteArrayOutputStream();
        for (int start = 0; start < plain.length; start += 100_000) {
            try (var frame = new ZstdOutputStream(stored)) {
                frame.write(plain, start, 100_000);
            }
        }
        assertThat(ByteCodecs.zstd(stored.toByteArray(), plain.length)).isEqualTo(plain);
        assertThat(ByteCodecs.zstd(stored.toByteArray(), 10 * plain.length)).isEqualTo(plain);
        assertThatThrownBy(() -> ByteCodecs.zstd(stored.toByteArray(), plain.length - 1))
                .isInstanceOf(DataFormatException.class)
                .hasMessageStartingWith("zstd is damaged, or decodes to more than 299999 bytes");
    }

    /** A frame of 4 KB that makes 128 MB, with a window as large, where a chunk of 1000 bytes should be. */
    @Test
    void theWindowOfAFrameGetsNoMemory() {
        var frame = new ByteArrayOutputStream();
        frame.writeBytes(new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0x00, (byte) (17 << 3)});
        for (int block = 0; block < 1024; block++) {
            frame.writeBytes(new byte[] {(byte) (block == 1023 ? 3 : 2), 0, 16, 0});
        }
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> ByteCodecs.zstd(frame.toByteArray(), 1000)).isInstanceOf(DataFormatException.class);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(32 << 20);
    }
}
