package dev.stoker.formats.squashfs;

import dev.stoker.StokerException;
import dev.stoker.format.SmallValues;
import dev.stoker.format.TreeFields;
import dev.stoker.formats.shared.tar.TarHeader;
import dev.stoker.os.FileErrors;
import dev.stoker.sample.Samples;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;

/** Has a compressed image made by sqfstar, which gets the samples as a tar on its standard input. */
final class SquashMaker {
    private static final String PROGRAM = "sqfstar";
    private static final int BUFFER = 1 << 20;
    private static final int SAID_BYTES = 2000;

    private final Samples samples;
    private final TreeFields fields;

    SquashMaker(Samples samples, TreeFields fields) {
        this.samples = samples;
        this.fields = fields;
    }

    void make(String compression, Path image, LongConsumer done) {
        Path said = image.resolveSibling(image.getFileName() + ".log");
        try {
            Process process = start(compression, image, said);
            IOException failure = null;
            try (var out = new BufferedOutputStream(process.getOutputStream(), BUFFER)) {
                send(out, done);
            } catch (IOException e) {
                // It went away; why is what it said.
                failure = e;
            } catch (RuntimeException e) {
                process.destroyForcibly();
                throw e;
            }
            int code = process.waitFor();
            if (code != 0 || failure != null) {
                throw new StokerException(
                        image, "could not be made: " + PROGRAM + " ended with " + code + " and says: " + lastOf(said));
            }
        } catch (IOException e) {
            throw FileErrors.cannotWrite(image, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StokerException(image, "could not be made: interrupted", e);
        } finally {
            deleteQuietly(said);
        }
    }

    private static Process start(String compression, Path image, Path said) {
        List<String> command = List.of(
                PROGRAM,
                "-comp",
                compression,
                "-quiet",
                "-no-progress",
                "-no-xattrs",
                "-all-root",
                "-mkfs-time",
                "0",
                "-all-time",
                "0",
                image.toString());
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
        } catch (IOException e) {
            throw new StokerException(
                    "--compression needs the program " + PROGRAM
                            + " of squashfs-tools 4.5 or newer, which cannot be run (" + e.getMessage()
                            + "); install the package squashfs-tools, or leave out --compression",
                    e);
        }
    }

    private void send(OutputStream out, LongConsumer done) throws IOException {
        var bytes = new byte[BUFFER];
        try (var arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(BUFFER);
            for (long i = 0; i < samples.count(); i++) {
                long length = samples.length(i, fields.data());
                out.write(TarHeader.file(SmallValues.read(samples, i, fields.key()), length));
                long at = 0;
                // Once at least: only by reading does a source notice that a file is no longer empty.
                do {
                    int part = (int) Math.min(BUFFER, length - at);
                    samples.read(i, fields.data(), at, buffer.asSlice(0, part));
                    MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, bytes, 0, part);
                    out.write(bytes, 0, part);
                    at += part;
                } while (at < length);
                out.write(new byte[(int) (-length & (TarHeader.BLOCK - 1))]);
                done.accept(i);
            }
        }
        out.write(new byte[2 * TarHeader.BLOCK]);
    }

    private static String lastOf(Path said) throws IOException {
        String text = Files.exists(said)
                ? Files.readString(said, StandardCharsets.ISO_8859_1).strip()
                : "";
        return text.substring(Math.max(0, text.length() - SAID_BYTES));
    }

    private static void deleteQuietly(Path said) {
        try {
            Files.deleteIfExists(said);
        } catch (IOException e) {
            // A log that nobody needs any more.
        }
    }
}
