package dev.stoker.formats.shared.zip;

import static dev.stoker.formats.shared.zip.ZipEnd.u16;
import static dev.stoker.formats.shared.zip.ZipEnd.u32;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.memory.Layouts;
import dev.stoker.memory.MappedFile;
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

    private final MappedFile file;
    private final MemorySegment bytes;
    private final ZipEnd directory;
    /** Where members begin and end, folders too: no two may share a byte. */
    private final long[] starts;

    private final long[] ends;

    /** Takes what a file of an archive is found to be. */
    public interface Files {
        /**
         * A file.
         *
         * @param name UTF-8
         * @param offset where its bytes begin
         * @param crc the CRC-32 that they should have
         */
        void file(byte[] name, long offset, long length, int crc);
    }

    public ZipArchive(MappedFile file) {
        this.file = file;
        this.bytes = file.bytes();
        this.directory = ZipEnd.find(file);
        // Bounded by the directory's length, which was compared with the file's.
        int count = Math.toIntExact(directory.count());
        this.starts = new long[count];
        this.ends = new long[count];
    }

    /** Gives every file of the archive, in the order of the central directory. */
    public void read(Files to) {
        long at = directory.offset();
        for (int i = 0; i < starts.length; i++) {
            ZipMember member = ZipMember.read(file.name(), bytes, at, directory.end());
            add(i, member, to);
            at = member.end();
        }
        if (at != directory.end()) {
            throw new CorruptContainerException(
                    file.name(),
                    at,
                    "the central directory has " + starts.length + " members and should end here, but goes on to"
                            + " byte " + directory.end());
        }
        requireDisjoint();
    }

    private void add(int number, ZipMember member, Files to) {
        requireSupported(member);
        long data = dataOffset(member);
        starts[number] = member.header();
        ends[number] = data + member.length();
        if (!member.isFolder()) {
            to.file(name(member), data, member.length(), member.crc());
        }
    }

    private void requireSupported(ZipMember member) {
        if (member.has(ZipRecords.FLAG_ENCRYPTED) || member.has(FLAG_MASKED)) {
            throw refused(member, "is encrypted; decrypt the archive first, by extracting and packing its files");
        }
        if (member.method() != ZipRecords.STORED) {
            String method = member.method() == 8 ? "deflate" : "method " + member.method();
            throw refused(
                    member,
                    "is compressed (" + method + "), and only members that are stored can be read where they lie;"
                            + " extract the archive and pack its files, or zip them anew with: zip -0");
        }
        int kind = member.madeBy() == ZipRecords.UNIX ? member.mode() & MODE_KIND : 0;
        if (kind == MODE_LINK) {
            throw refused(member, "is a symbolic link; zip the files themselves (zip without -y)");
        }
        if (!member.isFolder() && kind != 0 && kind != MODE_REGULAR) {
            throw refused(member, "is neither a file nor a folder: its mode is 0" + Integer.toOctalString(kind));
        }
        if (member.storedLength() != member.length() || (member.isFolder() && member.length() != 0)) {
            throw corrupt(
                    member,
                    "is " + (member.isFolder() ? "a folder" : "stored") + ", but is said to have "
                            + member.storedLength() + " bytes of " + member.length());
        }
    }

    /** The place of a member's data, which only its local header tells; it must agree with the directory. */
    private long dataOffset(ZipMember member) {
        long header = member.header();
        if (header > directory.offset() - ZipRecords.LOCAL_BYTES
                || bytes.get(Layouts.U32, header) != ZipRecords.LOCAL) {
            throw corrupt(member, "should have its local header (PK 03 04) at byte " + header + " but has not");
        }
        long name = header + ZipRecords.LOCAL_BYTES;
        int nameBytes = u16(bytes, header + 26);
        long data = name + nameBytes + u16(bytes, header + 28);
        if (data > directory.offset() || member.length() > directory.offset() - data) {
            throw corrupt(
                    member,
                    "has " + member.length() + " bytes from byte " + data + " on, which reaches into the central"
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
                    "has a local header at byte " + header + " that says something else than the central directory;"
                            + " one of them lies. If the archive comes from someone you trust, repair it with: zip -FF");
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
        return bytes.get(Layouts.U32, member.header() + 14) == member.crc()
                && (stored == member.storedLength() || stored == ZipRecords.MAX32)
                && (length == member.length() || length == ZipRecords.MAX32);
    }

    /** Without the flag, names should be in code page 437, but who writes letters beyond ASCII writes UTF-8. */
    private byte[] name(ZipMember member) {
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

    private StokerException refused(ZipMember member, String what) {
        return new StokerException(
                "[" + file.path() + "] byte " + member.at() + ": the member '" + shown(member) + "' " + what);
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
