package dev.stoker.bench.advise;

import dev.stoker.text.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** What a file is, by its first bytes; its name may say anything. */
public enum DataKind {
    JPEG("\u00ff\u00d8\u00ff"),
    PNG("\u0089PNG\r\n\u001a\n"),
    GIF("GIF8"),
    TIFF("II*\0"),
    WEBP("RIFF"),
    NPY("\u0093NUMPY"),
    HDF5("\u0089HDF\r\n\u001a\n"),
    ARROW("ARROW1"),
    PARQUET("PAR1"),
    SQUASHFS("hsqs"),
    ZIP("PK\u0003\u0004"),
    TAR(""),
    GZIP("\u001f\u008b"),
    ZSTD("(\u00b5/\u00fd"),
    FLAC("fLaC"),
    EMPTY(""),
    TEXT(""),
    BINARY("");

    private static final int TAR_MAGIC = 257;
    private static final int LONGEST_SEQUENCE = 4;

    /** Each letter is a byte. */
    private final String magic;

    DataKind(String magic) {
        this.magic = magic;
    }

    /** The kind of a file that begins with these bytes. */
    static DataKind of(byte[] head) {
        if (head.length == 0) {
            return EMPTY;
        }
        for (DataKind kind : values()) {
            if (!kind.magic.isEmpty() && begins(head, 0, kind.magic) && (kind != WEBP || isWebp(head))) {
                return kind;
            }
        }
        if (begins(head, TAR_MAGIC, "ustar")) {
            return TAR;
        }
        return isText(head) ? TEXT : BINARY;
    }

    /** Whether such a file holds many samples by itself, and Stoker reads it. */
    boolean isContainer() {
        return this == HDF5 || this == ARROW || this == PARQUET || this == SQUASHFS || this == TAR || this == ZIP;
    }

    /** As people write it. */
    public String label() {
        return switch (this) {
            case EMPTY, TEXT, BINARY -> name().toLowerCase(Locale.ROOT);
            case NPY -> "npy";
            case ARROW -> "Arrow";
            case PARQUET -> "Parquet";
            case SQUASHFS -> "SquashFS";
            case WEBP -> "WebP";
            case ZSTD, GZIP, TAR, ZIP -> name().toLowerCase(Locale.ROOT);
            default -> name();
        };
    }

    private static boolean begins(byte[] head, int at, String magic) {
        return head.length >= at + magic.length()
                && new String(head, at, magic.length(), StandardCharsets.ISO_8859_1).equals(magic);
    }

    private static boolean isWebp(byte[] head) {
        return begins(head, 8, "WEBP");
    }

    /** UTF-8 without control characters but those of lines; the head may end within a character. */
    private static boolean isText(byte[] head) {
        int malformed = Utf8.firstMalformed(head, 0, head.length);
        if (malformed >= 0 && malformed < head.length - (LONGEST_SEQUENCE - 1)) {
            return false;
        }
        for (byte b : head) {
            if (b >= 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t' && b != '\f') {
                return false;
            }
        }
        return true;
    }
}
