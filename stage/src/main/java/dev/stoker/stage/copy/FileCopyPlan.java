package dev.stoker.stage.copy;

import dev.stoker.container.Sidecar;
import dev.stoker.io.Checksum;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileStamp;
import dev.stoker.remote.RemoteObject;
import dev.stoker.remote.RemotePath;
import dev.stoker.stage.node.PrivateFiles;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A container, and its sidecar if it has one beside it. A piece is a part of a file. */
final class FileCopyPlan implements CopyPlan {
    private static final long PIECE_BYTES = 32L << 20;
    /** Smaller, so that also an object of moderate size is fetched by many requests at once. */
    private static final long REMOTE_PIECE_BYTES = 8L << 20;

    private record Part(int file, long offset, long length) {}

    private final List<Path> paths = new ArrayList<>();
    private final List<Long> sizes = new ArrayList<>();
    private final List<CopySource> sources = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    /** The files before they were opened; objects are read by their version. */
    private final List<FileStamp> seen = new ArrayList<>();

    FileCopyPlan(Path container) {
        add(container);
        // One that another user put there would be this user's own in the copy, and believed.
        if (Sidecar.isBeside(container)) {
            add(Sidecar.beside(container));
        }
    }

    /** An object as it was found, so that all of it is of that version. */
    FileCopyPlan(RemotePath container, RemoteObject object) {
        add(container, new RemoteCopySource(container, object), object.size(), REMOTE_PIECE_BYTES);
        if (Sidecar.beside(container) instanceof RemotePath beside) {
            RemoteObject sidecar = beside.find();
            if (sidecar != null) {
                add(beside, new RemoteCopySource(beside, sidecar), sidecar.size(), REMOTE_PIECE_BYTES);
            }
        }
    }

    private void add(Path path) {
        try {
            FileStamp found = FileStamp.of(path);
            seen.add(found);
            add(path, new LocalCopySource(path), found.size(), PIECE_BYTES);
        } catch (IOException e) {
            throw FileErrors.cannotRead(path, e);
        }
    }

    private void add(Path path, CopySource source, long size, long pieceBytes) {
        for (long at = 0; at < size; at += pieceBytes) {
            parts.add(new Part(paths.size(), at, Math.min(pieceBytes, size - at)));
        }
        sources.add(source);
        paths.add(path);
        sizes.add(size);
    }

    @Override
    public long pieces() {
        return parts.size();
    }

    @Override
    public long bytes(long piece) {
        return parts.get((int) piece).length();
    }

    @Override
    public long files() {
        return paths.size();
    }

    @Override
    public Need need(long blockBytes) {
        long bytes = 0;
        for (long size : sizes) {
            bytes += Math.ceilDiv(size, blockBytes) * blockBytes;
        }
        return new Need(bytes, paths.size());
    }

    @Override
    public void prepare(Path to) throws IOException {
        for (int i = 0; i < paths.size(); i++) {
            PrivateFiles.open(place(i, to)).close();
        }
    }

    /** The copy of the container has the given name, and its sidecar the one that belongs to it. */
    private static Path place(int file, Path to) {
        return file == 0 ? to : Sidecar.beside(to);
    }

    @Override
    public int carry(long piece, Path to, MemorySegment buffer) throws IOException {
        Part part = parts.get((int) piece);
        var checksum = new Checksum();
        try (FileChannel channel = PrivateFiles.open(place(part.file, to));
                RangeCopy.Reader source = sources.get(part.file).open(part.offset, part.length)) {
            RangeCopy.copy(source, part.offset, channel, part.offset, part.length, buffer, checksum);
        }
        return checksum.value();
    }

    @Override
    public int check(long piece, Path to, MemorySegment buffer) throws IOException {
        Part part = parts.get((int) piece);
        var checksum = new Checksum();
        try (FileChannel channel = FileChannel.open(place(part.file, to))) {
            RangeCopy.sum(channel, part.offset, part.length, buffer, checksum);
        }
        return checksum.value();
    }

    @Override
    public void requireUnchanged() {
        seen.forEach(file -> file.requireUnchanged("staged"));
    }

    @Override
    public void close() {
        sources.forEach(CopySource::close);
    }
}
