package dev.stoker.formats.tar;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.format.Archive;
import dev.stoker.formats.shared.tree.LeftOutMembers;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import dev.stoker.text.Utf8;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of an archive in their order: names and places, outside the heap. A hard link has the place of the member
 * that it is another name of.
 */
final class TarMembers implements Archive {
    private static final int ROW_BYTES = 24;

    private final String file;
    private final TarWalker walker;
    private final GrowingBuffer names = new GrowingBuffer();
    /** For each member the end of its name, its offset and its size. */
    private final GrowingBuffer rows = new GrowingBuffer();

    private final List<Link> links = new ArrayList<>();
    private TarLayout.@Nullable Comment comment;

    /** A hard link that is not resolved yet. */
    private record Link(long member, long header, String target) {}

    private TarMembers(String file, TarWalker walker) {
        this.file = file;
        this.walker = walker;
    }

    static TarMembers read(MappedFile file) {
        return read(file, new TarWalker(file.name(), file.bytes(), false));
    }

    /** Folders too; what is neither a file nor a folder is refused. */
    static TarMembers readAll(MappedFile file) {
        return read(file, new TarWalker(file.name(), file.bytes(), true));
    }

    private static TarMembers read(MappedFile file, TarWalker walker) {
        var members = new TarMembers(file.name(), walker);
        try {
            members.walk();
            members.resolveLinks();
            return members;
        } catch (RuntimeException e) {
            members.close();
            throw e;
        }
    }

    private void walk() {
        boolean first = true;
        while (walker.next()) {
            if (first) {
                readComment(walker.comment());
                first = false;
            }
            if (!isJunk()) {
                add();
            }
        }
        if (first) {
            readComment(walker.comment());
        }
    }

    /** What Stoker packed was asked for, and where the whole tree is wanted it is wanted with everything. */
    private boolean isJunk() {
        return comment == null && !walker.isOfWholeTree() && walker.leftOut().takesJunk(walker.name());
    }

    private void add() {
        byte[] name = walker.name();
        if (Utf8.firstMalformed(name, 0, name.length) >= 0) {
            throw new StokerException(
                    file,
                    "byte " + walker.header() + ": the name '"
                            + new String(name, StandardCharsets.ISO_8859_1)
                            + "' is not UTF-8 (shown as Latin-1); extract the archive, rename with convmv, and pack again");
        }
        byte[] target = walker.link();
        if (target != null) {
            links.add(new Link(count(), walker.header(), new String(target, StandardCharsets.ISO_8859_1)));
        }
        names.add(name);
        rows.addLong(names.size());
        rows.addLong(walker.offset());
        rows.addLong(walker.size());
    }

    /** Only one that stands before the first member is Stoker's: others came with archives that were put together. */
    private void readComment(byte @Nullable [] text) {
        try {
            comment = text == null ? null : TarLayout.ofComment(text);
        } catch (StokerException e) {
            throw new CorruptContainerException(file, 0, "the comment STOKER.schema: " + e.getMessage());
        }
    }

    /** Heap is needed for the links alone, not for all members. */
    private void resolveLinks() {
        if (links.isEmpty()) {
            return;
        }
        var latest = new HashMap<String, Long>();
        links.forEach(link -> latest.put(link.target(), -1L));
        int next = 0;
        for (long i = 0; i < count(); i++) {
            if (next < links.size() && links.get(next).member() == i) {
                resolve(links.get(next), latest);
                next++;
            }
            String name = new String(name(i), StandardCharsets.ISO_8859_1);
            if (latest.containsKey(name)) {
                latest.put(name, i);
            }
        }
    }

    private void resolve(Link link, Map<String, Long> latest) {
        long target = latest.getOrDefault(link.target(), -1L);
        if (target < 0) {
            throw new StokerException(
                    file,
                    "byte " + link.header() + ": '"
                            + TarNames.text(name(link.member())) + "' is a hard link to '"
                            + TarNames.text(link.target().getBytes(StandardCharsets.ISO_8859_1))
                            + "', which is not an earlier file of the archive; pack it again with --hard-dereference");
        }
        MemorySegment table = rows.bytes();
        table.set(LittleEndian.U64, link.member() * ROW_BYTES + 8, offset(target));
        table.set(LittleEndian.U64, link.member() * ROW_BYTES + 16, size(target));
    }

    @Override
    public long count() {
        return rows.size() / ROW_BYTES;
    }

    @Override
    public byte[] name(long member) {
        long start = member == 0 ? 0 : rows.getLong(3 * (member - 1));
        return names.bytes().asSlice(start, rows.getLong(3 * member) - start).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public long offset(long member) {
        return rows.getLong(3 * member + 1);
    }

    @Override
    public long size(long member) {
        return rows.getLong(3 * member + 2);
    }

    /** What Stoker wrote about the archive, or null if another program made it. */
    TarLayout.@Nullable Comment comment() {
        return comment;
    }

    /** The members that aren't part of the data set. */
    LeftOutMembers leftOut() {
        return walker.leftOut();
    }

    @Override
    public void close() {
        names.close();
        rows.close();
    }
}
