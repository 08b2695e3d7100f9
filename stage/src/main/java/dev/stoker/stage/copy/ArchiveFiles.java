package dev.stoker.stage.copy;

import dev.stoker.StokerException;
import dev.stoker.format.Archive;
import dev.stoker.format.TreeKeys;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.function.Supplier;

/** The files of an archive. Of two with one name the later counts, as extracting one after the other would give. */
final class ArchiveFiles implements LooseFiles {
    private final Path path;
    private final Archive archive;
    private final CopySource source;
    /** The members that count, in their order. */
    private final int[] members;

    /** The archive stays open, for the caller to close. */
    ArchiveFiles(Path path, Archive archive, Supplier<CopySource> source) {
        this.path = path;
        this.archive = archive;
        this.members = latest();
        this.source = source.get();
    }

    private int[] latest() {
        var last = new HashMap<ByteBuffer, Integer>();
        int count = Math.toIntExact(archive.count());
        for (int i = 0; i < count; i++) {
            byte[] name = checked(archive.name(i));
            if (name.length > 0) {
                last.put(ByteBuffer.wrap(name), i);
            }
        }
        int[] found = last.values().stream().mapToInt(Integer::intValue).toArray();
        Arrays.sort(found);
        return found;
    }

    /** The name without what means nothing ({@code ./}); empty for the archive's own root. */
    private byte[] checked(byte[] name) {
        boolean folder = name.length > 0 && name[name.length - 1] == '/';
        byte[] bare = folder && name.length > 1 ? Arrays.copyOf(name, name.length - 1) : name;
        String refusal = TreeKeys.refusal(bare);
        if (refusal != null) {
            throw new StokerException(
                    path,
                    "the member '" + new String(name, StandardCharsets.UTF_8) + "' is not extracted: " + refusal
                            + "; pack the archive again with names below one folder");
        }
        var parts = new ByteArrayOutputStream(name.length);
        for (int start = 0, i = 0; i <= bare.length; i++) {
            if (i == bare.length || bare[i] == '/') {
                boolean means = i > start && !(i - start == 1 && bare[start] == '.');
                if (means) {
                    if (parts.size() > 0) {
                        parts.write('/');
                    }
                    parts.write(bare, start, i - start);
                }
                start = i + 1;
            }
        }
        if (folder && parts.size() > 0) {
            parts.write('/');
        }
        return parts.toByteArray();
    }

    @Override
    public int count() {
        return members.length;
    }

    @Override
    public byte[] name(int file) {
        return checked(archive.name(members[file]));
    }

    @Override
    public long size(int file) {
        return archive.size(members[file]);
    }

    @Override
    public void read(int file, long from, MemorySegment to) {
        long offset = archive.offset(members[file]) + from;
        try (RangeCopy.Reader reader = source.open(offset, to.byteSize())) {
            reader.read(offset, to);
        }
    }

    @Override
    public void close() {
        source.close();
    }
}
