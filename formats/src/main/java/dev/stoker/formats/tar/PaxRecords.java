package dev.stoker.formats.tar;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The records of a pax header that matter here; each is {@code LENGTH KEYWORD=VALUE\n}. */
final class PaxRecords {
    private final String file;
    private final long start;
    private final byte[] bytes;

    private byte @Nullable [] path;
    private byte @Nullable [] linkPath;
    private byte @Nullable [] comment;
    private long size = -1;
    private boolean sparse;

    private PaxRecords(String file, long start, byte[] bytes) {
        this.file = file;
        this.start = start;
        this.bytes = bytes;
    }

    /**
     * Reads the content of a pax header.
     *
     * @param start its place in the file, for messages
     */
    static PaxRecords parse(String file, long start, MemorySegment content) {
        var records = new PaxRecords(file, start, content.toArray(ValueLayout.JAVA_BYTE));
        for (int at = 0; at < records.bytes.length && records.bytes[at] != 0; ) {
            at = records.record(at);
        }
        return records;
    }

    byte @Nullable [] path() {
        return path;
    }

    byte @Nullable [] linkPath() {
        return linkPath;
    }

    byte @Nullable [] comment() {
        return comment;
    }

    /** The size of the member's content, or -1. */
    long size() {
        return size;
    }

    boolean isSparse() {
        return sparse;
    }

    /** Reads the record at a place and returns the place of the next one. */
    private int record(int at) {
        int blank = at;
        long length = 0;
        while (blank < bytes.length && bytes[blank] >= '0' && bytes[blank] <= '9' && length <= bytes.length) {
            length = 10 * length + (bytes[blank++] - '0');
        }
        if (blank == at || blank == bytes.length || bytes[blank] != ' ' || length > bytes.length - at) {
            throw damaged(at);
        }
        int end = at + (int) length;
        int equals = blank + 1;
        while (equals < end && bytes[equals] != '=') {
            equals++;
        }
        if (equals >= end || bytes[end - 1] != '\n') {
            throw damaged(at);
        }
        String keyword = new String(bytes, blank + 1, equals - blank - 1, StandardCharsets.UTF_8);
        take(keyword, Arrays.copyOfRange(bytes, equals + 1, end - 1), at);
        return end;
    }

    private void take(String keyword, byte[] value, int at) {
        switch (keyword) {
            case "path" -> path = name(value, at);
            case "linkpath" -> linkPath = name(value, at);
            case "comment" -> comment = value;
            case "size" -> size = value.length == 0 ? -1 : number(value, at);
            case "hdrcharset" -> requireUtf8(new String(value, StandardCharsets.UTF_8), at);
            default -> sparse |= keyword.startsWith("GNU.sparse.");
        }
    }

    /** An empty value means what the header itself says. */
    private byte @Nullable [] name(byte[] value, int at) {
        if (value.length > TarWalker.MAX_NAME_BYTES) {
            throw new CorruptContainerException(
                    file,
                    start + at,
                    "a name should have at most " + TarWalker.MAX_NAME_BYTES + " bytes but has " + value.length);
        }
        for (byte b : value) {
            if (b == 0) {
                throw new CorruptContainerException(file, start + at, "a name has a NUL in it");
            }
        }
        return value.length == 0 ? null : value;
    }

    private long number(byte[] value, int at) {
        String digits = new String(value, StandardCharsets.UTF_8);
        try {
            long number = Long.parseLong(digits);
            if (number >= 0 && digits.charAt(0) != '+') {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below, as a negative one is.
        }
        throw new CorruptContainerException(
                file, start + at, "the size of a member should be a number but is '" + digits + "'");
    }

    private void requireUtf8(String charset, int at) {
        // BINARY says that names may be anything; those that are not UTF-8 are refused one by one.
        if (!charset.isEmpty() && !charset.equals("ISO-IR 10646 2000 UTF-8") && !charset.equals("BINARY")) {
            throw new StokerException(
                    file,
                    "byte " + (start + at) + ": names in the character set '" + charset
                            + "' are not supported, only UTF-8");
        }
    }

    private CorruptContainerException damaged(int at) {
        return new CorruptContainerException(
                file, start + at, "expected a pax record 'LENGTH KEYWORD=VALUE' but found something else");
    }
}
