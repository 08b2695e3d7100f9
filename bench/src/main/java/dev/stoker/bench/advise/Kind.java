package dev.stoker.bench.advise;

import dev.stoker.text.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** What a file is, by its first bytes; its name may say anything. */
public enum Kind {
    JPEG(new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff}),
    PNG(ascii("\u0089PNG\r\n\u001a\n")),
    GIF(ascii("GIF8")),
    TIFF(ascii("II*\0")),
    WEBP(ascii("RIFF")),
    NPY(ascii("\u0093NUMPY")),
    HDF5(ascii("\u0089HDF\r\n\u001a\n")),
    ARROW(ascii("ARROW1")),
    PARQUET(ascii("PAR1")),
    SQUASHFS(ascii("hsqs")),
    ZIP(ascii("PK\u0003\u0004")),
    TAR(new byte[0]),
    GZIP(new byte[] {0x1f, (byte) 0x8b}),
    ZSTD(new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd}),
    FLAC(ascii("fLaC")),
    EMPTY(new byte[0]),
    TEXT(new byte[0]),
    BINARY(new byte[0]);

    private static final int TAR_MAGIC = 257;
    private static final byte[] USTAR = ascii("ustar");
    private static final int LONGEST_SEQUENCE = 4;

    private final byte[] magic;

    Kind(byte[] magic) {
        this.magic = magic;
    }

    /** The kind of a file that begins with these bytes. */
    static Kind of(byte[] head) {
        if (head.length == 0) {
            return EMPTY;
        }
        for (Kind kind : values()) {
            if (kind.magic.length > 0 && begins(head, 0, kind.magic) && (kind != WEBP || isWebp(head))) {
                return kind;
            }
        }
        if (begins(head, TAR_MAGIC, USTAR)) {
            return TAR;
        }
        return isText(head) ? TEXT : BINARY;
    }

    boolean isPicture() {
        return this == JPEG || this == PNG || this == GIF || this == TIFF || this == WEBP;
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

    private static boolean begins(byte[] head, int at, byte[] magic) {
        for (int i = 0; i < magic.length; i++) {
            if (at + i >= head.length || head[at + i] != magic[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isWebp(byte[] head) {
        return begins(head, 8, ascii("WEBP"));
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

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
