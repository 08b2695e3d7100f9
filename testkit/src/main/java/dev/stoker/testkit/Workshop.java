package dev.stoker.testkit;

import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.sample.Samples;
import dev.stoker.write.Packer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * What a contract test works with: packs and opens containers of one format below one folder.
 *
 * @param random the test's randomness, from its seed
 */
public record Workshop(Format format, FormatOptions options, Path folder, RandomGenerator random) {
    /** How a packer is told to treat what is there already. */
    public enum Existing {
        REFUSE,
        RESUME,
        FORCE
    }

    /** The same in another folder. */
    public Workshop in(Path other) {
        return new Workshop(format, options, other, random);
    }

    public RandomSamples randomSamples() {
        return new RandomSamples(format, random);
    }

    /** A place for a container, with the format's ending. */
    public Path place(String name) {
        List<String> extensions = format.extensions();
        return folder.resolve(extensions.isEmpty() ? name : name + "." + extensions.getFirst());
    }

    /** Packs with two workers to a new place, writing over what is there. */
    public Path pack(Samples samples, String name) {
        Path place = place(name);
        pack(samples, place, 2, Existing.FORCE);
        return place;
    }

    public Packer.Result pack(Samples samples, Path place, int workers, Existing existing) {
        var settings =
                new Packer.Settings(options, workers, existing == Existing.RESUME, existing == Existing.FORCE, false);
        return new Packer(samples, format, place, settings, new Progress()).run();
    }

    /** Whether a container is one file; else it is a folder. */
    public boolean isFile() {
        return format.can(Capability.SINGLE_FILE);
    }

    /** Whether a container needs no sidecar. */
    public boolean holdsItsIndex(Samples samples) {
        return format.plan(samples, options).index().isContainer();
    }

    public Container open(Path place) {
        return Container.open(place, format.name());
    }

    /** Every file of a container, its sidecar too, with its bytes. */
    public SortedMap<String, byte[]> files(Path place) {
        var files = new TreeMap<String, byte[]>();
        for (Path file : paths(place)) {
            files.put(place.relativize(file).toString(), read(file));
        }
        Path sidecar = Sidecar.beside(place);
        if (Files.exists(sidecar)) {
            files.put("sidecar", read(sidecar));
        }
        return files;
    }

    /** The container's own files, in sorted order: one, or those below its folder. */
    public List<Path> paths(Path place) {
        try (Stream<Path> below = Files.walk(place)) {
            return below.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes in place: filesystems wait for the disk where a file is emptied and filled again. */
    public static void write(Path file, byte[] bytes) {
        try (var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.truncate(bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes a file, or a folder with everything in it, if it is there. */
    public static void delete(Path place) {
        if (!Files.exists(place)) {
            return;
        }
        try (Stream<Path> below = Files.walk(place)) {
            for (Path path : below.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
