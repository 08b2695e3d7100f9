package dev.stoker.source;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.io.MappedFile;
import dev.stoker.io.ScratchFile;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import dev.stoker.os.FileStamp;
import dev.stoker.remote.RemotePath;
import dev.stoker.sample.Samples;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A compressed container, decompressed once into a file of its own: places in it are known only then. The file and
 * its Index are deleted when the samples are closed.
 */
public final class DecompressedContainer {
    private static final int BUFFER_BYTES = 1 << 20;
    private static final int MAGIC_BYTES = 4;
    /** Endings that mean compression, whether a decompressor for them is there or not. */
    private static final Set<String> COMPRESSED = Set.of(".gz", ".tgz", ".zst", ".tzst");

    private static final List<Decompressor> ALL = load();

    private DecompressedContainer() {}

    private static final class Gzip implements Decompressor {
        @Override
        public Set<String> endings() {
            return Set.of(".gz", ".tgz");
        }

        @Override
        public String magic() {
            return "1f8b08";
        }

        @Override
        public InputStream open(InputStream compressed) throws IOException {
            return new GZIPInputStream(compressed, BUFFER_BYTES);
        }
    }

    private static List<Decompressor> load() {
        var all = new ArrayList<Decompressor>();
        all.add(new Gzip());
        ServiceLoader.load(Decompressor.class).forEach(all::add);
        return List.copyOf(all);
    }

    /** Whether its first bytes or its name say so: {@code train.tar} may have gone through gzip, too. */
    public static boolean isCompressed(Path path) {
        return COMPRESSED.contains(ending(path)) || byMagic(path) != null;
    }

    private static @Nullable Decompressor byMagic(Path path) {
        String first = firstBytes(path);
        for (Decompressor decompressor : ALL) {
            if (first.startsWith(decompressor.magic())) {
                return decompressor;
            }
        }
        return null;
    }

    /** In hexadecimal digits; none of what is not a file of this machine that can be read. */
    private static String firstBytes(Path path) {
        if (path instanceof RemotePath || !FileProbe.isFile(path)) {
            return "";
        }
        try (InputStream in = Files.newInputStream(path)) {
            return HexFormat.of().formatHex(in.readNBytes(MAGIC_BYTES));
        } catch (IOException e) {
            // Opening it will say why.
            return "";
        }
    }

    private static String ending(Path path) {
        String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
        return name.substring(Math.max(0, name.lastIndexOf('.')));
    }

    /** Decompresses a container and opens it. */
    static Samples open(Path compressed, @Nullable Path spool) {
        Decompressor decompressor = decompressor(compressed);
        if (spool == null) {
            throw new StokerException(
                    compressed, "is compressed; decompress it first, since its samples have no places in it");
        }
        try {
            List<FileStamp> seen = decompress(compressed, decompressor, spool);
            return new TemporarySamples(container(compressed, spool), seen, () -> delete(spool));
        } catch (RuntimeException e) {
            delete(spool);
            throw e;
        }
    }

    private static Decompressor decompressor(Path compressed) {
        Decompressor found = byMagic(compressed);
        if (found != null) {
            return found;
        }
        var endings = new TreeSet<String>();
        for (Decompressor decompressor : ALL) {
            if (decompressor.endings().contains(ending(compressed))) {
                return decompressor;
            }
            endings.addAll(decompressor.endings());
        }
        throw new StokerException(
                compressed,
                ending(compressed) + " files cannot be decompressed here, only " + String.join(", ", endings)
                        + "; decompress it first");
    }

    /** The decompressed bytes of a file, in a scratch file that is gone when this is closed. */
    public static MappedFile map(Path compressed) {
        try (ScratchFile scratch = ScratchFile.create(0)) {
            var end = new long[1];
            decompress(compressed, decompressor(compressed), (bytes, count) -> {
                scratch.write(end[0], MemorySegment.ofArray(bytes).asSlice(0, count));
                end[0] += count;
            });
            return MappedFile.of(compressed, scratch);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(ScratchFile.folder(), e);
        }
    }

    /** Takes bytes as they are decompressed. */
    private interface Sink {
        void write(byte[] bytes, int count) throws IOException;
    }

    private static List<FileStamp> decompress(Path compressed, Decompressor decompressor, Path spool) {
        try (OutputStream out = created(spool)) {
            return decompress(compressed, decompressor, (bytes, count) -> out.write(bytes, 0, count));
        } catch (IOException e) {
            throw FileErrors.cannotWrite(spool, e);
        }
    }

    /** Fails with an IOException only if the sink does; returns the file as it was before, if it is on this machine. */
    private static List<FileStamp> decompress(Path compressed, Decompressor decompressor, Sink to) throws IOException {
        List<FileStamp> seen = see(compressed);
        try (InputStream in = opened(compressed, decompressor)) {
            var buffer = new byte[BUFFER_BYTES];
            for (int n = read(compressed, in, buffer); n >= 0; n = read(compressed, in, buffer)) {
                to.write(buffer, n);
            }
        }
        seen.forEach(file -> file.requireUnchanged("decompressed"));
        return seen;
    }

    private static List<FileStamp> see(Path compressed) {
        try {
            return compressed instanceof RemotePath ? List.of() : List.of(FileStamp.of(compressed));
        } catch (IOException e) {
            throw FileErrors.cannotRead(compressed, e);
        }
    }

    private static InputStream opened(Path compressed, Decompressor decompressor) {
        try {
            InputStream file = Files.newInputStream(compressed);
            try {
                return decompressor.open(file);
            } catch (IOException e) {
                file.close();
                throw e;
            }
        } catch (EOFException e) {
            throw truncated(compressed, e);
        } catch (IOException e) {
            throw FileErrors.cannotRead(compressed, e);
        }
    }

    private static StokerException truncated(Path compressed, EOFException e) {
        return new StokerException(compressed, "ends too early; the file is truncated", e);
    }

    private static int read(Path compressed, InputStream in, byte[] buffer) {
        try {
            return in.read(buffer);
        } catch (EOFException e) {
            throw truncated(compressed, e);
        } catch (IOException e) {
            throw FileErrors.cannotRead(compressed, e);
        }
    }

    private static OutputStream created(Path spool) {
        // Never written over: another process may have what an earlier one left mapped.
        delete(spool);
        try {
            return Files.newOutputStream(spool, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(spool, e);
        }
    }

    private static Container container(Path compressed, Path spool) {
        try {
            return Container.open(spool);
        } catch (StokerException e) {
            // The user knows the file, not what it was decompressed to.
            String reason = String.valueOf(e.getMessage())
                    .replace("[" + spool + "] ", "")
                    .replace("[" + spool.getFileName() + "] ", "");
            throw new StokerException(compressed, "the decompressed file " + reason, e);
        }
    }

    private static void delete(Path spool) {
        try {
            Files.deleteIfExists(spool);
            Files.deleteIfExists(Sidecar.beside(spool));
        } catch (IOException e) {
            throw new StokerException(spool, "cannot be deleted: " + e.getMessage() + "; delete it by hand", e);
        }
    }
}
