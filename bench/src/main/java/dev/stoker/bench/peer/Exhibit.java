package dev.stoker.bench.peer;

import dev.stoker.StokerException;
import dev.stoker.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * The files of one job, and what delivering each of them once must add up to.
 *
 * @param manifest their paths below the root, and labels
 * @param samples how many there are
 * @param bytes what an epoch delivers
 * @param checksum the sum of what stands for each sample: the CRC-32 of its bytes, or a photo's label
 * @param order a checksum of these in the order of the manifest
 * @param isShuffleSeen whether another order has another checksum
 */
record Exhibit(Path root, Path manifest, long samples, long bytes, long checksum, long order, boolean isShuffleSeen) {
    private static final char REPLACED = '\uFFFD';

    /**
     * Chooses files evenly from a folder.
     *
     * @param most so many at most
     * @param step a multiple of this many, if there are enough: then nobody has a last batch to drop or to pad
     */
    static Exhibit choose(Job job, Path root, Path manifest, int most, int step) {
        List<Path> files = files(root, job);
        if (files.isEmpty()) {
            throw new StokerException(
                    root,
                    "has no " + (job == Job.PHOTOS ? "files that end in .jpg or .jpeg" : "files")
                            + ": there is nothing to read");
        }
        int count = Math.min(most, files.size());
        count = count >= step ? count / step * step : count;
        var chosen = new ArrayList<Path>(count);
        for (int i = 0; i < count; i++) {
            chosen.add(files.get((int) ((long) i * files.size() / count)));
        }
        return describe(job, root, manifest, chosen);
    }

    private static Exhibit describe(Job job, Path root, Path manifest, List<Path> files) {
        var labels = new LinkedHashMap<String, Integer>();
        var manifested = new LinkedHashMap<String, Object>();
        var order = new CRC32();
        var seen = new HashSet<Long>();
        long bytes = 0;
        long checksum = 0;
        try {
            for (Path file : files) {
                Path path = root.relativize(file);
                String top = path.getNameCount() == 1 ? "" : path.getName(0).toString();
                int label = labels.computeIfAbsent(top, _ -> labels.size());
                manifested.put(path.toString(), label);
                byte[] content = Files.readAllBytes(file);
                bytes += content.length;
                long value = job == Job.PHOTOS ? label : crc(content);
                checksum += value;
                order.update(ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(value)
                        .flip());
                seen.add(value);
            }
            Files.writeString(manifest, Json.write(manifested));
        } catch (IOException e) {
            throw new StokerException(root, "cannot be read: " + e, e);
        }
        long count = files.size();
        return new Exhibit(
                root, manifest, count, job.bytesOf(count, bytes), checksum, order.getValue(), seen.size() > 1);
    }

    /** Compares what an epoch was found to deliver. */
    void check(Message found) throws PeerFailure {
        same("samples", samples, found);
        same("bytes", bytes, found);
        same("checksum", checksum, found);
        if (isShuffleSeen && found.whole("order") == order) {
            throw new PeerFailure("its samples come in the order of the files: they are not shuffled");
        }
    }

    /** Compares what some epochs delivered. */
    void checkTurn(Message found) throws PeerFailure {
        long epochs = found.whole("epochs");
        if (found.whole("samples") != epochs * samples || found.whole("bytes") != epochs * bytes) {
            throw new PeerFailure(String.format(
                    Locale.ROOT,
                    "%d epochs should deliver %d samples of %d bytes together but delivered %d of %d",
                    epochs,
                    epochs * samples,
                    epochs * bytes,
                    found.whole("samples"),
                    found.whole("bytes")));
        }
    }

    private static void same(String what, long expected, Message found) throws PeerFailure {
        if (found.whole(what) != expected) {
            throw new PeerFailure(
                    "an epoch should deliver " + what + " " + expected + " but delivered " + found.whole(what));
        }
    }

    private static List<Path> files(Path root, Job job) {
        try (Stream<Path> all = Files.walk(root)) {
            List<Path> files = all.filter(path -> job == Job.RAW || isJpeg(path))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
            for (Path file : files) {
                if (file.toString().indexOf(REPLACED) >= 0) {
                    throw new StokerException(
                            file, "has a name that isn't UTF-8, which most peers can't handle; choose other files");
                }
            }
            return files;
        } catch (IOException | UncheckedIOException e) {
            throw new StokerException(root, "cannot be listed: " + e.getMessage(), e);
        }
    }

    private static boolean isJpeg(Path path) {
        String name = path.toString().toLowerCase(Locale.ROOT);
        return name.endsWith(".jpg") || name.endsWith(".jpeg");
    }

    private static long crc(byte[] content) {
        var crc = new CRC32();
        crc.update(content);
        return crc.getValue();
    }
}
