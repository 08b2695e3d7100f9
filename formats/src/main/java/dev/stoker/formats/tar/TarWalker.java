package dev.stoker.formats.tar;

import static dev.stoker.formats.shared.tar.TarHeader.BLOCK;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.formats.shared.tar.TarHeader;
import dev.stoker.formats.shared.tree.LeftOutMembers;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Goes from header to header of any tar, without reading what lies between: v7, ustar, GNU (long names, sizes in base
 * 256) and pax. Folders and volume labels are skipped, symbolic links and devices counted; or, where the tree itself is
 * wanted, folders are members and links and devices refused. Sparse files, multi-volume and incremental archives are refused.
 *
 * <p>Like GNU tar it stops at two blocks of zeros; unlike it, an archive that ends without one is damaged, since nothing
 * else tells that files are missing.
 */
final class TarWalker {
    static final int MAX_NAME_BYTES = 64 << 10;
    static final int MAX_PAX_BYTES = 1 << 20;
    /** Global headers are few, and Stoker's own has the names of all classes. */
    static final int MAX_GLOBAL_BYTES = 16 << 20;

    private final String file;
    private final MemorySegment bytes;
    private final boolean wholeTree;
    /** Where the next header is. */
    private long at;

    // What headers before the member's own say of it.
    private byte @Nullable [] longName;
    private byte @Nullable [] longLink;
    private @Nullable PaxRecords pax;

    private byte @Nullable [] comment;

    private final LeftOutMembers leftOut = new LeftOutMembers();

    // The member.
    private long header;
    private byte[] name = {};
    private long offset;
    private long size;
    private byte @Nullable [] link;

    /**
     * Begins at the first header.
     *
     * @param wholeTree whether the archive is to be extracted: folders are wanted too, and nothing is skipped
     */
    TarWalker(String file, MemorySegment bytes, boolean wholeTree) {
        this.file = file;
        this.bytes = bytes;
        this.wholeTree = wholeTree;
    }

    /** Whether a file begins with a header of a tar, or is an empty one by its name too. */
    static boolean matches(Path path, MemorySegment head) {
        if (head.byteSize() < BLOCK) {
            return false;
        }
        if (TarBlock.isZeros(head, 0)) {
            return path.toString().toLowerCase(Locale.ROOT).endsWith(".tar");
        }
        boolean ustar = Arrays.equals(
                head.asSlice(TarHeader.MAGIC, 5).toArray(ValueLayout.JAVA_BYTE), new byte[] {'u', 's', 't', 'a', 'r'});
        return ustar || TarBlock.isChecksum(head, 0);
    }

    /** The last comment of a global header so far. */
    byte @Nullable [] comment() {
        return comment;
    }

    /** Whether the archive is to be extracted. */
    boolean isOfWholeTree() {
        return wholeTree;
    }

    /** The members without content that were skipped so far. */
    LeftOutMembers leftOut() {
        return leftOut;
    }

    /** The byte of the member's header. */
    long header() {
        return header;
    }

    byte[] name() {
        return name;
    }

    long offset() {
        return offset;
    }

    long size() {
        return size;
    }

    /** For a hard link the name of the member that it is another name of, else null. */
    byte @Nullable [] link() {
        return link;
    }

    /** Goes to the next file or hard link; false at the end. */
    boolean next() {
        while (true) {
            requireBlock();
            if (TarBlock.isZeros(bytes, at)) {
                finish();
                return false;
            }
            if (!TarBlock.isChecksum(bytes, at)) {
                throw corrupt(at, "the checksum of a header does not fit; the archive is damaged here or not a tar");
            }
            header = at;
            if (step((char) (bytes.get(ValueLayout.JAVA_BYTE, at + TarHeader.TYPE) & 0xff))) {
                return true;
            }
        }
    }

    private void requireBlock() {
        if (bytes.byteSize() - at < BLOCK) {
            throw corrupt(
                    at,
                    "expected a header, or two blocks of zeros as the end of the archive, but the file ends after "
                            + bytes.byteSize() + " bytes; it was cut short");
        }
    }

    private void finish() {
        requireNothingPending();
        if (bytes.byteSize() - at >= 2L * BLOCK && !TarBlock.isZeros(bytes, at + BLOCK)) {
            throw corrupt(at, "a block of zeros stands alone between headers; the archive is damaged here");
        }
    }

    /** Deals with one header; true if it is that of a member with bytes. */
    private boolean step(char type) {
        switch (type) {
            case '0', '\0', '7' -> {
                return file();
            }
            case '1' -> {
                member(0);
                link = linkName();
                return true;
            }
            case '2', '3', '4', '5', '6', 'V' -> {
                return noFile(type);
            }
            case 'L' -> longName = text(content(MAX_NAME_BYTES, "a long name"));
            case 'K' -> longLink = text(content(MAX_NAME_BYTES, "a long name of a link"));
            case 'x', 'X' -> pax = PaxRecords.parse(file, header + BLOCK, content(MAX_PAX_BYTES, "a pax header"));
            case 'g' ->
                global(PaxRecords.parse(file, header + BLOCK, content(MAX_GLOBAL_BYTES, "a global pax header")));
            default -> throw unsupported(type);
        }
        return false;
    }

    /** A member without content: a folder's size is a hint, and the others' has no meaning. */
    private boolean noFile(char type) {
        if (wholeTree && type == '5') {
            member(0);
            at = header + BLOCK;
            if (name[name.length - 1] != '/') {
                name = Arrays.copyOf(name, name.length + 1);
                name[name.length - 1] = '/';
            }
            link = null;
            forget();
            return true;
        }
        if (wholeTree && type != 'V') {
            throw unsupported(type);
        }
        if (type == '2') {
            leftOut.addLink();
        } else if (type != '5' && type != 'V') {
            leftOut.addSpecial();
        }
        at += BLOCK;
        forget();
        return false;
    }

    private boolean file() {
        PaxRecords records = pax;
        if (records != null && records.isSparse()) {
            throw unsupported('S');
        }
        member(records != null && records.size() >= 0 ? records.size() : headerSize());
        boolean isFolder = name[name.length - 1] == '/';
        link = null;
        forget();
        // Before ustar a folder was a file whose name ends with a slash.
        return wholeTree || !isFolder;
    }

    /** Takes over the member at {@code at}, and goes to the next header. */
    private void member(long bytesOfContent) {
        name = memberName();
        if (name.length == 0) {
            throw corrupt(at, "a member has no name");
        }
        offset = at + BLOCK;
        size = bytesOfContent;
        at = end(size);
    }

    private byte[] linkName() {
        PaxRecords records = pax;
        byte[] found = longLink;
        if (records != null && records.linkPath() != null) {
            found = records.linkPath();
        } else if (found == null) {
            found = text(header, TarHeader.LINK_NAME, TarHeader.NAME_BYTES);
        }
        forget();
        return found;
    }

    private byte[] memberName() {
        PaxRecords records = pax;
        if (records != null && records.path() != null) {
            return records.path();
        }
        if (longName != null) {
            return longName;
        }
        byte[] own = text(at, 0, TarHeader.NAME_BYTES);
        // GNU's and v7's headers hold other things where ustar has the prefix.
        boolean ustar = bytes.get(ValueLayout.JAVA_BYTE, at + TarHeader.MAGIC) == 'u'
                && bytes.get(ValueLayout.JAVA_BYTE, at + TarHeader.MAGIC + 5) == 0;
        byte[] prefix = ustar ? text(at, TarHeader.PREFIX, TarHeader.PREFIX_BYTES) : new byte[0];
        if (prefix.length == 0) {
            return own;
        }
        byte[] joined = Arrays.copyOf(prefix, prefix.length + 1 + own.length);
        joined[prefix.length] = '/';
        System.arraycopy(own, 0, joined, prefix.length + 1, own.length);
        return joined;
    }

    private void forget() {
        longName = null;
        longLink = null;
        pax = null;
    }

    private void requireNothingPending() {
        if (longName != null || longLink != null || pax != null) {
            throw corrupt(at, "expected the member that the headers before belong to, but the archive ends");
        }
    }

    private void global(PaxRecords records) {
        if (records.path() != null || records.linkPath() != null || records.size() >= 0 || records.isSparse()) {
            throw corrupt(header, "a global pax header gives the same path or size to all members that follow");
        }
        if (records.comment() != null) {
            comment = records.comment();
        }
    }

    /** The content of the header at {@code at}, which is about another one; goes behind it. */
    private MemorySegment content(int limit, String what) {
        long length = headerSize();
        if (length > limit) {
            throw corrupt(at, what + " should have at most " + limit + " bytes but has " + length);
        }
        long start = at + BLOCK;
        at = end(length);
        return bytes.asSlice(start, length);
    }

    /** The end of the content behind the header at {@code at}, with its padding. */
    private long end(long length) {
        long room = bytes.byteSize() - at - BLOCK;
        if (length > room) {
            throw corrupt(
                    at,
                    "the content of '" + TarNames.text(memberName()) + "' should have " + length
                            + " bytes but the file has only " + room
                            + " more; it was cut short, or the size is damaged");
        }
        return LittleEndian.align(at + BLOCK + length, BLOCK);
    }

    /** A text ends at its first NUL. */
    private static byte[] text(MemorySegment field) {
        byte[] all = field.toArray(ValueLayout.JAVA_BYTE);
        int end = 0;
        while (end < all.length && all[end] != 0) {
            end++;
        }
        return end == all.length ? all : Arrays.copyOf(all, end);
    }

    private byte[] text(long header, int place, int length) {
        return text(bytes.asSlice(header + place, length));
    }

    private long headerSize() {
        long value = TarBlock.number(bytes, at + TarHeader.SIZE, 12);
        if (value < 0) {
            throw corrupt(at + TarHeader.SIZE, "the size of a member is not a number of at most 63 bits");
        }
        return value;
    }

    private StokerException unsupported(char type) {
        String what = switch (type) {
            case '2' -> "a symbolic link; pack it again with --dereference";
            case '3', '4', '6' -> "a device or a pipe; pack it again without";
            case 'S' -> "a sparse file; pack it again without --sparse";
            case 'M' -> "the rest of a file that began in another volume; put the volumes together first";
            case 'D', 'N' -> "part of an incremental archive; extract it and pack it again";
            default -> "of a type that is not known ('" + type + "', " + (int) type + ")";
        };
        return new StokerException(
                file, "byte " + at + ": the member '" + TarNames.text(memberName()) + "' is " + what);
    }

    private CorruptContainerException corrupt(long place, String reason) {
        return new CorruptContainerException(file, place, reason);
    }
}
