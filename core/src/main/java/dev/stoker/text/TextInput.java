package dev.stoker.text;

import dev.stoker.StokerException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The bytes of a text file, with the place for error messages, for parsers that look one byte ahead.
 *
 * <p>A parser walks with {@link #peek} and {@link #advance}. To keep text it begins a token, takes bytes into it (or
 * {@link #put}s what an escape stands for) and ends it. A token is built inside the read buffer, because what an escape
 * stands for is never longer than the escape; so text without escapes is copied once, into its String.
 *
 * <p>A byte order mark at the start is dropped. Columns count bytes, from 1. Memory is bounded by the longest token
 * that the parser allows. Not thread-safe. Closing closes the stream.
 */
public final class TextInput implements AutoCloseable {
    /** The largest token a parser may allow; keeps the arithmetic of buffer growth far from overflow. */
    public static final int MAX_TOKEN_BYTES = 1 << 28;

    private static final int BUFFER_BYTES = 1 << 14;
    private static final int MAX_UTF8_BYTES = 4;
    private static final int NO_TOKEN = -1;

    private final InputStream in;
    private final String file;
    private byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;
    private boolean begun;
    private boolean ended;

    /** Offset in the file of buffer[0]; so {@code base + position} is the offset of the next byte. */
    private long base;

    private long line = 1;
    private long lineStart;

    /** The token is buffer[tokenStart, tokenEnd), and tokenEnd never passes position. */
    private int tokenStart = NO_TOKEN;

    private int tokenEnd;
    private int tokenLimit;
    private long tokenLine;
    private long tokenColumn;

    public TextInput(InputStream in, String file) {
        this.in = in;
        this.file = file;
    }

    /** The next byte (0 to 255) without consuming it, or -1 at the end. */
    public int peek() {
        return position < limit || fill() ? buffer[position] & 0xFF : -1;
    }

    /** Consumes the byte that {@link #peek} showed; call it only after peek gave a byte. */
    public void advance() {
        if (buffer[position++] == '\n') {
            line++;
            lineStart = base + position;
        }
    }

    /** The number of the line that the next byte is in, from 1. */
    public long line() {
        return line;
    }

    public void beginToken(int maxBytes) {
        tokenStart = position;
        tokenEnd = position;
        tokenLimit = Math.min(maxBytes, MAX_TOKEN_BYTES);
        tokenLine = line;
        tokenColumn = column();
    }

    /**
     * Takes bytes into the token up to, and without, the first one that {@code stops} marks, and returns that one, or
     * -1 at the end. Line feeds have to be among the stops, since lines are counted by {@link #advance}.
     */
    public int takeUntil(boolean[] stops) {
        while (true) {
            byte[] bytes = buffer;
            int end = limit;
            int i = position;
            while (i < end && !stops[bytes[i] & 0xFF]) {
                i++;
            }
            take(i);
            if (i < end) {
                return bytes[i] & 0xFF;
            }
            if (!fill()) {
                return -1;
            }
        }
    }

    private void take(int to) {
        int count = to - position;
        if (tokenEnd != position) {
            System.arraycopy(buffer, position, buffer, tokenEnd, count);
        }
        tokenEnd += count;
        position = to;
        checkTokenLength();
    }

    /** Appends a character to the token, in place of at least as many bytes that were consumed and not taken. */
    public void put(int codePoint) {
        if (codePoint < 0x80) {
            append(codePoint);
        } else if (codePoint < 0x800) {
            append(0xC0 | codePoint >> 6);
            append(0x80 | codePoint & 0x3F);
        } else if (codePoint < 0x10000) {
            append(0xE0 | codePoint >> 12);
            append(0x80 | codePoint >> 6 & 0x3F);
            append(0x80 | codePoint & 0x3F);
        } else {
            append(0xF0 | codePoint >> 18);
            append(0x80 | codePoint >> 12 & 0x3F);
            append(0x80 | codePoint >> 6 & 0x3F);
            append(0x80 | codePoint & 0x3F);
        }
        checkTokenLength();
    }

    private void append(int value) {
        if (tokenEnd >= position) {
            throw new IllegalStateException("put() without consumed bytes to put it in place of");
        }
        buffer[tokenEnd++] = (byte) value;
    }

    private void checkTokenLength() {
        if (tokenEnd - tokenStart > tokenLimit) {
            throw tokenError("at most " + tokenLimit + " bytes of text", "more");
        }
    }

    public int tokenLength() {
        return tokenEnd - tokenStart;
    }

    public byte tokenByte(int index) {
        return buffer[tokenStart + index];
    }

    /** Ends the token and gives its text. */
    public String endToken() {
        int from = tokenStart;
        int to = tokenEnd;
        int bad = Utf8.firstMalformed(buffer, from, to);
        if (bad >= 0) {
            throw tokenError("UTF-8", describe(buffer[bad] & 0xFF) + " at byte " + (bad - from + 1) + " of this text");
        }
        tokenStart = NO_TOKEN;
        return new String(buffer, from, to - from, StandardCharsets.UTF_8);
    }

    /** Ends a token whose text is not needed. It is not checked; for tokens that can hold ASCII alone. */
    public void dropToken() {
        tokenStart = NO_TOKEN;
    }

    /** An error at the next byte. */
    public StokerException error(String expected, String found) {
        return error(line, column(), expected, found);
    }

    /** An error at the beginning of the token. */
    public StokerException tokenError(String expected, String found) {
        return error(tokenLine, tokenColumn, expected, found);
    }

    StokerException error(long atLine, long atColumn, String expected, String found) {
        return new StokerException(file, place(atLine, atColumn) + "expected " + expected + " but found " + found);
    }

    private String place(long atLine, long atColumn) {
        return "line " + atLine + ", column " + atColumn + ": ";
    }

    /** How error messages call a byte that {@link #peek} gave. */
    public static String describe(int next) {
        if (next < 0) {
            return "the end of the input";
        }
        return next > ' ' && next < 0x7F ? "'" + (char) next + "'" : String.format("byte 0x%02X", next);
    }

    private long column() {
        return base + position - lineStart + 1;
    }

    /** Reads more; called only when every byte was consumed. False at the end. */
    private boolean fill() {
        try {
            while (!ended) {
                if (begun) {
                    makeRoom();
                    int count = in.read(buffer, limit, buffer.length - limit);
                    ended = count < 0;
                    limit += Math.max(0, count);
                } else {
                    begin();
                }
                if (position < limit) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new StokerException(file, place(line, column()) + "cannot read: " + e, e);
        }
    }

    private void begin() throws IOException {
        begun = true;
        limit = in.readNBytes(buffer, 0, 3);
        if (limit == 3 && buffer[0] == (byte) 0xEF && buffer[1] == (byte) 0xBB && buffer[2] == (byte) 0xBF) {
            position = 3;
            lineStart = 3;
        }
    }

    private void makeRoom() {
        if (tokenStart == NO_TOKEN) {
            base += position;
            position = 0;
            limit = 0;
        } else if (limit == buffer.length) {
            int kept = tokenEnd - tokenStart;
            // An escape may have been consumed in part: leave room to put what it stands for.
            int gap = Math.min(position - tokenEnd, MAX_UTF8_BYTES);
            byte[] target = kept > buffer.length / 2 ? new byte[buffer.length * 2] : buffer;
            System.arraycopy(buffer, tokenStart, target, 0, kept);
            buffer = target;
            base += position - (kept + gap);
            tokenStart = 0;
            tokenEnd = kept;
            position = kept + gap;
            limit = position;
        }
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw new StokerException(file, "cannot close: " + e, e);
        }
    }

    /** A table for {@link #takeUntil} that stops at each of these ASCII characters. */
    public static boolean[] stops(String characters) {
        boolean[] stops = new boolean[256];
        characters.chars().forEach(c -> stops[c] = true);
        return stops;
    }

    /** A table for {@link #takeUntil} that stops at everything but these ASCII characters. */
    public static boolean[] stopsExcept(String characters) {
        boolean[] stops = new boolean[256];
        Arrays.fill(stops, true);
        characters.chars().forEach(c -> stops[c] = false);
        return stops;
    }
}
