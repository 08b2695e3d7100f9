package dev.stoker.formats.hdf5.structure;

import dev.stoker.io.MappedFile;
import java.lang.foreign.MemorySegment;

/**
 * Where an HDF5 file begins.
 *
 * @param root the place of the root group's object header
 */
public record Superblock(FileBytes file, long root) {
    private static final int MAX_VERSION = 3;

    /** The place of the signature: byte 0, 512, 1024, 2048 and so on; -1 if there is none. */
    public static long find(MemorySegment bytes) {
        MemorySegment signature = MemorySegment.ofArray(HeaderMessages.signature());
        for (long at = 0; at + signature.byteSize() <= bytes.byteSize(); at = at == 0 ? 512 : 2 * at) {
            if (bytes.asSlice(at, signature.byteSize()).mismatch(signature) < 0) {
                return at;
            }
        }
        return -1;
    }

    public static Superblock read(MappedFile mapped) {
        long start = find(mapped.bytes());
        var plain = new FileBytes(mapped.name(), mapped.bytes(), 0, 8, 8, Hdf5Limits.of(mapped.size()));
        if (start < 0) {
            throw plain.corrupt(0, "it has no signature of HDF5; the file is damaged or of another format");
        }
        int version = plain.u8(start + 8);
        if (version > MAX_VERSION) {
            throw plain.unsupported("its superblock has version " + version + "; Stoker reads 0 to " + MAX_VERSION);
        }
        return version < 2 ? old(plain, start, version) : recent(plain, start);
    }

    private static Superblock old(FileBytes plain, long start, int version) {
        int offsetBytes = size(plain, start + 13);
        int lengthBytes = size(plain, start + 14);
        long addresses = start + (version == 0 ? 24 : 28);
        FileBytes file = based(plain, start, addresses, offsetBytes, lengthBytes);
        checkEnd(file, addresses + 2L * offsetBytes);
        // The root's symbol table entry: the place of a name that it has not, then its object header.
        return new Superblock(file, file.address(addresses + 5L * offsetBytes));
    }

    private static Superblock recent(FileBytes plain, long start) {
        int offsetBytes = size(plain, start + 9);
        int lengthBytes = size(plain, start + 10);
        long addresses = start + 12;
        FileBytes file = based(plain, start, addresses, offsetBytes, lengthBytes);
        file.checksum(start, 12 + 4L * offsetBytes, "the superblock");
        checkEnd(file, addresses + 2L * offsetBytes);
        return new Superblock(file, file.address(addresses + 3L * offsetBytes));
    }

    private static FileBytes based(FileBytes plain, long start, long addresses, int offsetBytes, int lengthBytes) {
        long base = plain.uint(addresses, offsetBytes);
        // Software that put something before a finished file leaves the address as it was; the library takes the place.
        if (base != start && base != 0) {
            throw plain.corrupt(addresses, "the base address should be " + start + " but is " + base);
        }
        return new FileBytes(plain.file(), plain.bytes(), start, offsetBytes, lengthBytes, plain.limits());
    }

    private static void checkEnd(FileBytes file, long at) {
        long end = file.uint(at, file.offsetBytes());
        // Counted from byte 0 of the file, as the library does, or from the superblock, as the specification reads.
        if (end < 0 || end > file.size()) {
            throw file.corrupt(
                    at,
                    "the file should have at least " + Long.toUnsignedString(end) + " bytes but has " + file.size()
                            + "; it is truncated or was not closed");
        }
    }

    private static int size(FileBytes file, long at) {
        int size = file.u8(at);
        if (size != 2 && size != 4 && size != 8) {
            throw file.corrupt(at, "addresses and lengths should have 2, 4 or 8 bytes, not " + size);
        }
        return size;
    }
}
