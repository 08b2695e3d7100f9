package dev.stoker.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.random.RandomGenerator;

/** One bit of a file that is turned over until this is closed. */
public record Flip(Path file, long at, int bit) implements AutoCloseable {
    public Flip {
        turn(file, at, bit);
    }

    public static Flip random(Path file, RandomGenerator random) {
        return new Flip(file, random.nextLong(file.toFile().length()), random.nextInt(8));
    }

    private static void turn(Path file, long at, int bit) {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, at);
            one.put(0, (byte) (one.get(0) ^ (1 << bit))).flip();
            channel.write(one, at);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        turn(file, at, bit);
    }

    @Override
    public String toString() {
        return file.getFileName() + " byte " + at + " bit " + bit;
    }
}
