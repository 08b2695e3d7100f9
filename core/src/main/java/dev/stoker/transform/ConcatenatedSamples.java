package dev.stoker.transform;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.io.Fingerprints;
import dev.stoker.listing.UnknownFiles;
import dev.stoker.os.FileStamp;
import dev.stoker.sample.Omission;
import dev.stoker.sample.Omissions;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntSupplier;

/** The samples of several containers of one schema, one container after another. */
public final class ConcatenatedSamples implements Samples {
    private final List<Container> parts;
    /** For each part the number of its first sample; then that of all. */
    private final long[] firsts;

    private ConcatenatedSamples(List<Container> parts) {
        this.parts = parts;
        this.firsts = new long[parts.size() + 1];
        for (int i = 0; i < parts.size(); i++) {
            firsts[i + 1] = Math.addExact(firsts[i], parts.get(i).count());
        }
    }

    /** Opens containers; one alone keeps its splits. The caller closes. */
    public static Samples open(List<Path> paths) {
        var parts = new ArrayList<Container>();
        try {
            for (Path path : paths) {
                Container part = Container.openToCopy(path);
                parts.add(part);
                UnknownFiles.refuse(part);
                if (paths.size() > 1) {
                    requireLike(parts.getFirst(), part);
                }
            }
            return parts.size() == 1 ? parts.getFirst() : new ConcatenatedSamples(parts);
        } catch (RuntimeException e) {
            parts.forEach(Container::close);
            throw e;
        }
    }

    private static void requireLike(Container first, Container part) {
        if (!part.schema().equals(first.schema())) {
            throw new StokerException(
                    part.path(),
                    "should have the fields and classes of " + first.path() + ", " + first.schema() + ", but has "
                            + part.schema() + "; convert it by itself");
        }
        if (!part.splits().isEmpty()) {
            throw new StokerException(
                    part.path(),
                    "has splits, which would be lost among the samples of other containers; convert it by itself");
        }
    }

    private int partOf(long sample) {
        int found = Arrays.binarySearch(firsts, sample);
        if (found < 0) {
            return -found - 2;
        }
        while (firsts[found + 1] == sample) {
            found++; // empty parts begin at the same number
        }
        return found;
    }

    @Override
    public Schema schema() {
        return parts.getFirst().schema();
    }

    @Override
    public long count() {
        return firsts[parts.size()];
    }

    @Override
    public long length(long sample, int field) {
        int part = partOf(sample);
        return parts.get(part).length(sample - firsts[part], field);
    }

    @Override
    public long[] shape(long sample, int field) {
        int part = partOf(sample);
        return parts.get(part).shape(sample - firsts[part], field);
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        int part = partOf(sample);
        parts.get(part).read(sample - firsts[part], field, from, to);
    }

    @Override
    public void verify(long sample, int field, IntSupplier checksum) {
        int part = partOf(sample);
        parts.get(part).verify(sample - firsts[part], field, checksum);
    }

    @Override
    public String describe(long sample) {
        int part = partOf(sample);
        return parts.get(part).describe(sample - firsts[part]);
    }

    @Override
    public String fingerprint() {
        MessageDigest digest = Fingerprints.begin();
        parts.forEach(part -> Fingerprints.add(digest, part.fingerprint()));
        return Fingerprints.end(digest);
    }

    @Override
    public List<Omission> omissions() {
        return Omissions.together(parts);
    }

    @Override
    public List<FileStamp> seenFiles() {
        return parts.stream().flatMap(part -> part.seenFiles().stream()).toList();
    }

    @Override
    public void close() {
        parts.forEach(Container::close);
    }
}
