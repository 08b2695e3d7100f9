package dev.stoker.stage.copy;

import dev.stoker.io.Checksum;
import dev.stoker.stage.node.PrivateFiles;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;

/** Loose files. A piece is a few files that follow each other, so that small ones are not worth a piece each. */
final class TreeCopyPlan implements CopyPlan {
    private static final int PIECE_FILES = 64;
    private static final long PIECE_BYTES = 8L << 20;

    private final LooseFiles files;
    private final SortedSet<String> folders = new TreeSet<>();
    /** The first file of each piece, and the end of the last. */
    private int[] starts = new int[16];

    private int pieces;
    private final long ordinary;

    /** Takes the files over, to be closed with this. */
    TreeCopyPlan(LooseFiles files) {
        this.files = files;
        long bytes = 0;
        int ordinaryFiles = 0;
        for (int i = 0; i < files.count(); i++) {
            if (i == starts[pieces] + PIECE_FILES || bytes >= PIECE_BYTES) {
                cut(i);
                bytes = 0;
            }
            bytes += files.size(i);
            String name = name(i);
            addFolders(name);
            ordinaryFiles += name.endsWith("/") ? 0 : 1;
        }
        if (files.count() > 0) {
            cut(files.count());
        }
        this.ordinary = ordinaryFiles;
    }

    private void cut(int end) {
        pieces++;
        if (pieces == starts.length) {
            starts = Arrays.copyOf(starts, 2 * pieces);
        }
        starts[pieces] = end;
    }

    private void addFolders(String name) {
        for (int end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
            if (!folders.add(name.substring(0, end))) {
                return; // those above are known too
            }
        }
    }

    private String name(int file) {
        return new String(files.name(file), StandardCharsets.UTF_8);
    }

    @Override
    public long pieces() {
        return pieces;
    }

    @Override
    public long bytes(long piece) {
        long bytes = 0;
        for (int i = starts[(int) piece]; i < starts[(int) piece + 1]; i++) {
            bytes += files.size(i);
        }
        return bytes;
    }

    @Override
    public long files() {
        return ordinary;
    }

    @Override
    public Need need(long blockBytes) {
        long bytes = folders.size() * blockBytes;
        for (int i = 0; i < files.count(); i++) {
            bytes += Math.ceilDiv(files.size(i), blockBytes) * blockBytes;
        }
        return new Need(bytes, ordinary + folders.size());
    }

    @Override
    public void prepare(Path to) throws IOException {
        PrivateFiles.folder(to);
        for (String folder : folders) { // sorted: those above come first
            PrivateFiles.folder(to.resolve(folder));
        }
    }

    @Override
    public int carry(long piece, Path to, MemorySegment buffer) throws IOException {
        var checksum = new Checksum();
        for (int i = starts[(int) piece]; i < starts[(int) piece + 1]; i++) {
            String name = name(i);
            if (!name.endsWith("/")) {
                copy(i, to.resolve(name), buffer, checksum);
            }
        }
        return checksum.value();
    }

    private void copy(int file, Path to, MemorySegment buffer, Checksum checksum) throws IOException {
        try (FileChannel channel = PrivateFiles.open(to)) {
            channel.truncate(0); // what an interrupted process left
            RangeCopy.Reader source = (from, part) -> files.read(file, from, part);
            RangeCopy.copy(source, 0, channel, 0, files.size(file), buffer, checksum);
        }
    }

    @Override
    public int check(long piece, Path to, MemorySegment buffer) throws IOException {
        var checksum = new Checksum();
        for (int i = starts[(int) piece]; i < starts[(int) piece + 1]; i++) {
            String name = name(i);
            if (!name.endsWith("/")) {
                try (FileChannel channel = FileChannel.open(to.resolve(name))) {
                    RangeCopy.sum(channel, 0, files.size(i), buffer, checksum);
                }
            }
        }
        return checksum.value();
    }

    @Override
    public void close() {
        files.close();
    }
}
