package dev.stoker.formats.shared.zip;

import static dev.stoker.formats.shared.zip.ZipEnd.u16;
import static dev.stoker.formats.shared.zip.ZipEnd.u32;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.block.CodecPipeline;
import dev.stoker.formats.shared.tree.LeftOutMembers;
import dev.stoker.index.BlockRows;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.JunkNames;
import dev.stoker.text.Utf8;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Finds the members of an archive, whoever wrote it; refuses what it does not understand or what contradicts itself. */
public final class ZipArchive {
    private static final int MODE_KIND = 0170000;
    private static final int MODE_REGULAR = 0100000;
    private static final int MODE_LINK = 0120000;
    private static final int FLAG_MASKED = 1 << 13;
    /** Deflate makes at most 1032 bytes of one; who says more lies. */
    private static final int MOST_PER_BYTE = 1032;

    private static final CodecPipeline INFLATE = CodecPipeline.of("deflate");

    private final MappedFile file;
    private final MemorySegment bytes;
    private final ZipEnd directory;
    /** Where members begin and end, folders too: no two may share a byte. */
    private final long[] starts;

    private final long[] ends;
    /** Whether any member is deflated: then all are read as blocks. */
    private final boolean isCompressed;

    private final LeftOutMembers leftOut = new LeftOutMembers();

    public ZipArchive(MappedFile file) {
        this.file = file;
        this.bytes = file.bytes();
        this.directory = ZipEnd.find(file);
        // Bounded by the directory's length, which was compared with the file's.
        int count = Math.toIntExact(directory.count());
        this.starts = new long[count];
        this.ends = new long[count];
        this.isCompressed = hasDeflated();
    }

    private boolean hasDeflated() {
        long at = directory.offset();
        for (int i = 0; i < starts.length; i++) {
            ZipMember member = ZipMember.read(file.name(), bytes, at, directory.end());
            if (member.isDeflated() && isSample(member)) {
                return true;
            }
            at = member.end();
        }
        return false;
    }

    /** Only regular files are: links, devices and the like hold no bytes, and a link may point out of the archive. */
    private static boolean isSample(ZipMember member) {
        return isFile(member) && !isJunk(member);
    }

    private static boolean isFile(ZipMember member) {
        int kind = kind(member);
        return !member.isFolder() && (kind == 0 || kind == MODE_REGULAR);
    }

    /** What Stoker packed was asked for. */
    private static boolean isJunk(ZipMember member) {
        return !member.isPacked() && JunkNames.kind(member.rawName()) != null;
    }

    private static int kind(ZipMember member) {
        return member.madeBy() == ZipRecords.UNIX ? member.mode() & MODE_KIND : 0;
    }

    /** Takes the files of an archive. */
    public interface Files {
        /**
         * A file.
         *
         * @param data where its bytes begin, as they are stored
         */
        void file(ZipMember member, long data);
    }

    /** Whether any file is deflated. */
    public boolean isCompressed() {
        return isCompressed;
    }

    /** Gives every file of the archive, in the order of the central directory. */
    public void read(Files to) {
        long at = directory.offset();
        for (int i = 0; i < starts.length; i++) {
            ZipMember member = ZipMember.read(file.name(), bytes, at, directory.end());
            requireSupported(member);
            long data = dataOffset(member);
            starts[i] = member.header();
            ends[i] = data + member.storedLength();
            if (isSample(member)) {
                to.file(member, data);
            } else {
                leaveOut(member);
            }
            at = member.end();
        }
        if (at != directory.end()) {
            throw new CorruptContainerException(
                    file.name(),
                    at,
                    "the central directory has " + starts.length + " members and should end here, but extends to"
                            + " byte " + directory.end());
        }
        requireDisjoint();
    }

    private void leaveOut(ZipMember member) {
        if (kind(member) == MODE_LINK) {
            leftOut.addLink();
        } else if (!member.isFolder() && !(isFile(member) && leftOut.takesJunk(member.rawName()))) {
            leftOut.addSpecial();
        }
    }

    /** The members that aren't samples, when all were given. */
    public LeftOutMembers leftOut() {
        return leftOut;
    }

    /** Adds a file as a block; gives where it lies among the decoded bytes. */
    public long block(ZipMember member, long data, BlockRows blocks) {
        if (member.length() == 0) {
            return 0;
        }
        CodecPipeline pipeline = member.isDeflated() ? INFLATE : CodecPipeline.NONE;
        try {
            return blocks.add(0, data, member.storedLength(), member.length(), pipeline);
        } catch (StokerException e) {
            throw refused(member, "cannot be read: " + e.getMessage());
        }
    }

    private void requireSupported(ZipMember member) {
        if (member.has(ZipRecords.FLAG_ENCRYPTED) || member.has(FLAG_MASKED)) {
            throw refused(member, "is encrypted; decrypt the archive first, by extracting and packing its files");
        }
        if (member.method() != ZipRecords.STORED && !member.isDeflated()) {
            throw refused(
                    member,
                    "is compressed (method " + member.method() + "), and only stored and deflated members can be read;"
                            + " extract the archive and pack its files, or zip them again");
        }
        if (member.isFolder() && member.length() != 0) {
            throw corrupt(member, "is a folder, but its header claims " + member.length() + " bytes");
        }
        if (member.method() == ZipRecords.STORED && member.storedLength() != member.length()) {
            throw corrupt(
                    member,
                    "is stored, but its header claims " + member.storedLength() + " bytes of " + member.length());
        }
        if (member.length() / MOST_PER_BYTE > member.storedLength()) {
            throw corrupt(
                    member,
                    "claims to inflate from " + member.storedLength() + " to " + member.length()
                            + " bytes, but deflate makes at most " + MOST_PER_BYTE
                            + " of one; such archives are made to fill disks");
        }
    }

    /** The place of a member's data, which only its local header tells; it must agree with the directory. */
    private long dataOffset(ZipMember member) {
        long header = member.header();
        if (header > directory.offset() - ZipRecords.LOCAL_BYTES
                || bytes.get(LittleEndian.U32, header) != ZipRecords.LOCAL) {
            throw corrupt(member, "should have its local header (PK 03 04) at byte " + header + ", but none is there");
        }
        long name = header + ZipRecords.LOCAL_BYTES;
        int nameBytes = u16(bytes, header + 26);
        long data = name + nameBytes + u16(bytes, header + 28);
        if (data > directory.offset() || member.storedLength() > directory.offset() - data) {
            throw corrupt(
                    member,
                    "has " + member.storedLength() + " bytes from byte " + data + " on, which reaches into the central"
                            + " directory at byte " + directory.offset());
        }
        MemorySegment rawName = MemorySegment.ofArray(member.rawName());
        int common = ZipRecords.FLAG_ENCRYPTED | ZipRecords.FLAG_DESCRIPTOR;
        if (bytes.asSlice(name, nameBytes).mismatch(rawName) >= 0
                || u16(bytes, header + 8) != member.method()
                || ((u16(bytes, header + 6) ^ member.flags()) & common) != 0
                || !agrees(member)) {
            throw corrupt(
                    member,
                    "has a local header at byte " + header + " that differs from the central directory;"
                            + " one of them is wrong. If the archive comes from someone you trust, repair it with: zip -FF");
        }
        return data;
    }

    /** Whether CRC-32 and sizes are the same in the local header, if they are there and not in a descriptor. */
    private boolean agrees(ZipMember member) {
        if (member.has(ZipRecords.FLAG_DESCRIPTOR)) {
            return true;
        }
        long stored = u32(bytes, member.header() + 18);
        long length = u32(bytes, member.header() + 22);
        return bytes.get(LittleEndian.U32, member.header() + 14) == member.crc()
                && (stored == member.storedLength() || stored == ZipRecords.MAX32)
                && (length == member.length() || length == ZipRecords.MAX32);
    }

    /** Without the flag, names should be in code page 437, but who writes letters beyond ASCII writes UTF-8. */
    public byte[] name(ZipMember member) {
        byte[] name = member.rawName();
        if (name.length == 0 || Utf8.firstMalformed(name, 0, name.length) >= 0) {
            throw refused(
                    member,
                    "has a name that is " + (name.length == 0 ? "empty" : "not UTF-8 (shown as Latin-1)")
                            + "; extract the archive, rename the file, and pack the files");
        }
        return name;
    }

    /** Sorted apart, starts and ends take turns exactly if no member begins within another. */
    private void requireDisjoint() {
        Arrays.sort(starts);
        Arrays.sort(ends);
        for (int i = 1; i < starts.length; i++) {
            if (starts[i] < ends[i - 1]) {
                throw new CorruptContainerException(
                        file.name(),
                        starts[i],
                        "a member begins here, within another that ends at byte " + ends[i - 1]
                                + "; members that overlap are how archives are made that grow when extracted");
            }
        }
    }

    public StokerException refused(ZipMember member, String what) {
        return new StokerException(file.path(), "byte " + member.at() + ": the member '" + shown(member) + "' " + what);
    }

    private CorruptContainerException corrupt(ZipMember member, String what) {
        return new CorruptContainerException(file.name(), member.at(), "the member '" + shown(member) + "' " + what);
    }

    private static String shown(ZipMember member) {
        byte[] name = member.rawName();
        boolean utf8 = Utf8.firstMalformed(name, 0, name.length) < 0;
        return new String(name, utf8 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    }
}
