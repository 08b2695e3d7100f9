package dev.stoker.formats.hdf5.structure;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.formats.shared.array.Origin;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * The bytes of an HDF5 file. Places are those of the file, whatever stands before its superblock; reading beyond the
 * end is damage.
 *
 * @param base what the file's addresses are counted from
 * @param offsetBytes the size of an address
 * @param lengthBytes the size of a length
 * @param limits what is left of them
 */
public record FileBytes(
        String file, MemorySegment bytes, long base, int offsetBytes, int lengthBytes, Hdf5Limits limits)
        implements Origin {
    public static final long UNDEFINED = HeaderMessages.UNDEFINED;

    @Override
    public long size() {
        return bytes.byteSize();
    }

    public void require(long at, long length, String what) {
        if (at < 0 || length < 0 || at > size() - length) {
            throw corrupt(
                    at,
                    what + " of " + length + " bytes should lie inside the file's " + size()
                            + " bytes; the file is truncated or damaged");
        }
    }

    /**
     * Counts bytes of metadata that are read. Parts that lie in each other, or are reached again and again, could keep a
     * reader busy for hours without ever being the same part twice.
     */
    void look(long at, long length) {
        if (!limits.metadata().take(length)) {
            throw corrupt(
                    at,
                    "more metadata should be read than a file of " + size()
                            + " bytes can hold: its parts lie in each other, or many links lead to the same; the file is"
                            + " damaged");
        }
    }

    public int u8(long at) {
        return (int) uint(at, 1);
    }

    public int u16(long at) {
        return (int) uint(at, 2);
    }

    public long u32(long at) {
        return uint(at, 4);
    }

    /** An unsigned number of 1 to 8 bytes; one that needs all 64 bits comes out negative. */
    public long uint(long at, int length) {
        require(at, length, "a number");
        if (length == 8) {
            return bytes.get(LittleEndian.U64, at);
        }
        long value = 0;
        for (int i = length - 1; i >= 0; i--) {
            value = value << 8 | (bytes.get(ValueLayout.JAVA_BYTE, at + i) & 0xff);
        }
        return value;
    }

    /** A place in the file that is written there as an address, or {@link #UNDEFINED}. */
    public long address(long at) {
        long address = uint(at, offsetBytes);
        long undefined = offsetBytes == 8 ? -1 : (1L << 8 * offsetBytes) - 1;
        if (address == undefined) {
            return UNDEFINED;
        }
        if (address < 0 || address > size() - base) {
            throw corrupt(at, "an address should be at most " + (size() - base) + " but is " + hex(address));
        }
        return base + address;
    }

    public long length(long at) {
        long length = uint(at, lengthBytes);
        if (length < 0) {
            throw corrupt(at, "a length should be less than 2^63 but is " + hex(length));
        }
        return length;
    }

    private static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }

    void signature(long at, String expected) {
        require(at, 4, "a signature");
        String found = new String(bytes.asSlice(at, 4).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
        if (!found.equals(expected)) {
            throw corrupt(at, "expected '" + expected + "' but found '" + found + "'; the file is damaged");
        }
    }

    /** Compares the checksum that stands behind some bytes. */
    void checksum(long from, long length, String what) {
        require(from, Math.addExact(length, 4), what);
        look(from, length);
        int expected = (int) u32(from + length);
        int found = Lookup3.of(bytes.asSlice(from, length));
        if (expected != found) {
            throw corrupt(
                    from,
                    what + " should have the checksum " + Integer.toHexString(expected) + " but has "
                            + Integer.toHexString(found) + "; the file is damaged");
        }
    }

    String text(long at, long length) {
        require(at, length, "a name");
        look(at, length);
        return new String(bytes.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    /** A text that ends with a NUL, before a limit. */
    String textTo(long at, long limit) {
        for (long end = at; end < limit; end++) {
            if (u8(end) == 0) {
                return text(at, end - at);
            }
        }
        throw corrupt(at, "a name should end before byte " + limit);
    }

    @Override
    public CorruptContainerException corrupt(long at, String reason) {
        return new CorruptContainerException(file, at < 0 ? CorruptContainerException.NOWHERE : at, reason);
    }

    @Override
    public StokerException unsupported(String sentence) {
        return new StokerException(file, sentence);
    }

    /** Nodes of a tree or list that were seen: each may come once, so that no loop is followed. */
    final class Seen {
        private final Set<Long> places = new HashSet<>();

        void add(long at, String what) {
            if (!places.add(at)) {
                throw corrupt(at, what + " is reached twice; the file is damaged");
            }
        }
    }
}
