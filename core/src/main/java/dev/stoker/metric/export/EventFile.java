package dev.stoker.metric.export;

import dev.stoker.io.Checksum;
import dev.stoker.os.FileErrors;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * A file of scalars as TensorBoard reads them: records of TFRecord, each a protobuf message {@code Event}.
 *
 * <pre>
 * record   u64 length, u32 masked CRC32C of it, the message, u32 masked CRC32C of that
 * Event    1: double wall_time, 2: int64 step, 3: string file_version (the first one), 5: Summary
 * Summary  1: Value, repeated
 * Value    1: string tag, 2: float simple_value
 * </pre>
 */
final class EventFile implements AutoCloseable {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;

    private final Path file;
    private final FileChannel channel;
    /** Where the next record goes: one that was written in part, as on a full disk, is written over. */
    private long end;

    /** Makes the file, which must not be there, and writes its first record. */
    EventFile(Path file, double time) {
        this.file = file;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            var event = new ByteArrayOutputStream();
            tag(event, 1, FIXED64);
            fixed64(event, Double.doubleToRawLongBits(time));
            text(event, 3, "brain.Event:2");
            append(event.toByteArray());
        } catch (IOException e) {
            throw FileErrors.cannotWrite(file, e);
        }
    }

    /** Adds scalars by their tags. */
    void write(double time, long step, Map<String, Double> scalars) throws IOException {
        var summary = new ByteArrayOutputStream();
        scalars.forEach((name, value) -> {
            var scalar = new ByteArrayOutputStream();
            text(scalar, 1, name);
            tag(scalar, 2, FIXED32);
            fixed32(scalar, Float.floatToRawIntBits(value.floatValue()));
            message(summary, 1, scalar.toByteArray());
        });
        var event = new ByteArrayOutputStream();
        tag(event, 1, FIXED64);
        fixed64(event, Double.doubleToRawLongBits(time));
        tag(event, 2, VARINT);
        varint(event, step);
        message(event, 5, summary.toByteArray());
        append(event.toByteArray());
    }

    private void append(byte[] message) throws IOException {
        ByteBuffer record = ByteBuffer.allocate(message.length + 16).order(ByteOrder.LITTLE_ENDIAN);
        record.putLong(message.length);
        record.putInt(Checksum.masked(MemorySegment.ofArray(record.array()).asSlice(0, Long.BYTES)));
        record.put(message)
                .putInt(Checksum.masked(MemorySegment.ofArray(message)))
                .flip();
        try {
            for (long at = end; record.hasRemaining(); ) {
                at += channel.write(record, at);
            }
            end += record.limit();
        } catch (IOException e) {
            throw new IOException("[" + file + "] " + e.getMessage(), e);
        }
    }

    private static void tag(ByteArrayOutputStream out, int number, int wire) {
        varint(out, (long) number << 3 | wire);
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    private static void fixed32(ByteArrayOutputStream out, int value) {
        for (int i = 0; i < Integer.BYTES; i++) {
            out.write(value >>> 8 * i);
        }
    }

    private static void fixed64(ByteArrayOutputStream out, long value) {
        fixed32(out, (int) value);
        fixed32(out, (int) (value >>> 32));
    }

    private static void text(ByteArrayOutputStream out, int number, String text) {
        message(out, number, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void message(ByteArrayOutputStream out, int number, byte[] bytes) {
        tag(out, number, BYTES);
        varint(out, bytes.length);
        out.writeBytes(bytes);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Everything was written before; there is nothing more to lose.
        }
    }
}
