package dev.stoker.json;

import dev.stoker.StokerException;
import dev.stoker.text.TextInput;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Pulls JSON out of a stream, value by value, without ever holding the document.
 *
 * <pre>{@code
 * try (var json = new JsonReader(Files.newInputStream(path), path.toString())) {
 *     json.beginObject();
 *     while (json.hasNext()) {
 *         String key = json.name();
 *         long label = json.numberAsLong();
 *     }
 *     json.endObject();
 *     json.end();
 * }
 * }</pre>
 *
 * <p>Strict RFC 8259 in UTF-8 (a byte order mark is dropped). What is malformed, deeper than {@link #MAX_DEPTH}, longer
 * than the limit, or of another kind than the method called asks for, is a {@link StokerException} of the form
 * {@code [file] line L, column C: expected X but found Y}; columns count bytes. After it the reader is of no more use.
 *
 * <p>Names used twice in one object are not noticed here, since that would take the memory of all names: who collects
 * them, as {@link Json} does, refuses them with {@link #error}.
 *
 * <p>Several values may follow each other, each on a new line (JSON Lines): between them {@link #hasNext} says whether
 * one more follows. A document of one value is finished by {@link #end}, which refuses anything behind it.
 */
public final class JsonReader implements AutoCloseable {
    public static final int MAX_DEPTH = 64;
    public static final int DEFAULT_MAX_STRING_BYTES = 64 << 20;

    /** What comes next. */
    public enum Token {
        BEGIN_OBJECT("an object"),
        END_OBJECT("the end of the object"),
        BEGIN_ARRAY("an array"),
        END_ARRAY("the end of the array"),
        NAME("a name"),
        STRING("a string"),
        NUMBER("a number"),
        BOOLEAN("true or false"),
        NULL("null"),
        END("the end of the input");

        private final String label;

        Token(String label) {
            this.label = label;
        }
    }

    private final TextInput input;
    private final JsonStrings strings;
    private final JsonWords words;

    /** Whether the scope at each depth is an object; depth 0 is the document. */
    private final boolean[] inObject = new boolean[MAX_DEPTH + 1];

    private int depth;
    private @Nullable Token next;

    /** A scope was just entered, so no comma comes before what follows. */
    private boolean first;

    /** A name and its colon were read, so its value has to follow. */
    private boolean named;

    /** The line in which the last top-level value ended; 0 before the first. */
    private long valueLine;

    public JsonReader(InputStream in, String file) {
        this(in, file, DEFAULT_MAX_STRING_BYTES);
    }

    /** The limit is for the UTF-8 bytes of each string and name, at most {@link TextInput#MAX_TOKEN_BYTES}. */
    public JsonReader(InputStream in, String file, int maxStringBytes) {
        if (maxStringBytes < 0 || maxStringBytes > TextInput.MAX_TOKEN_BYTES) {
            throw new IllegalArgumentException(
                    "maxStringBytes should be 0 to " + TextInput.MAX_TOKEN_BYTES + " but is " + maxStringBytes);
        }
        this.input = new TextInput(in, file);
        this.strings = new JsonStrings(input, maxStringBytes);
        this.words = new JsonWords(input);
    }

    /** What comes next; nothing is consumed. */
    public Token peek() {
        if (next == null) {
            next = find();
        }
        return next;
    }

    /** Whether this object or array has another member or, outside of any, whether another value follows. */
    public boolean hasNext() {
        Token token = peek();
        return token != Token.END_OBJECT && token != Token.END_ARRAY && token != Token.END;
    }

    public void beginObject() {
        begin(Token.BEGIN_OBJECT);
    }

    public void endObject() {
        leave(Token.END_OBJECT);
    }

    public void beginArray() {
        begin(Token.BEGIN_ARRAY);
    }

    public void endArray() {
        leave(Token.END_ARRAY);
    }

    private void begin(Token token) {
        require(token);
        if (depth == MAX_DEPTH) {
            throw input.error("at most " + MAX_DEPTH + " levels of objects and arrays", "one more");
        }
        input.advance();
        inObject[++depth] = token == Token.BEGIN_OBJECT;
        next = null;
        first = true;
        named = false;
    }

    private void leave(Token token) {
        require(token);
        input.advance();
        depth--;
        valueRead();
    }

    /** The name of the next member of this object. */
    public String name() {
        require(Token.NAME);
        String name = strings.read();
        int b = skipBlank();
        if (b != ':') {
            throw input.error("':' after the name", TextInput.describe(b));
        }
        input.advance();
        next = null;
        named = true;
        return name;
    }

    public String string() {
        require(Token.STRING);
        String value = strings.read();
        valueRead();
        return value;
    }

    /** A Long if it is an integer that fits, a BigInteger if it does not, a Double if it has a fraction or exponent. */
    public Number number() {
        require(Token.NUMBER);
        Number value = words.number();
        valueRead();
        return value;
    }

    public long numberAsLong() {
        require(Token.NUMBER);
        long value = words.numberAsLong();
        valueRead();
        return value;
    }

    public int numberAsInt() {
        long value = numberAsLong();
        if (value != (int) value) {
            throw input.tokenError("an integer of 32 bits", Long.toString(value));
        }
        return (int) value;
    }

    public double numberAsDouble() {
        require(Token.NUMBER);
        double value = words.numberAsDouble();
        valueRead();
        return value;
    }

    public boolean bool() {
        require(Token.BOOLEAN);
        boolean value = input.peek() == 't';
        words.literal(value ? "true" : "false");
        valueRead();
        return value;
    }

    public void nullValue() {
        require(Token.NULL);
        words.literal("null");
        valueRead();
    }

    /** Passes over the next value with all that is in it, and checks it on the way. */
    public void skip() {
        int outer = depth;
        do {
            switch (peek()) {
                case BEGIN_OBJECT -> beginObject();
                case BEGIN_ARRAY -> beginArray();
                case STRING -> string();
                case NUMBER -> number();
                case BOOLEAN -> bool();
                case NULL -> nullValue();
                case NAME -> {
                    if (depth == outer) {
                        throw noValue();
                    }
                    name();
                }
                case END_OBJECT, END_ARRAY, END -> {
                    if (depth == outer) {
                        throw noValue();
                    }
                    leave(peek());
                }
            }
        } while (depth > outer);
    }

    /** The error for a place where a value has to come, and something else does. */
    StokerException noValue() {
        return input.error("a value", peek().label);
    }

    /** The number of the line that the reader stands in, from 1: that of what {@link #peek} showed or was read last. */
    public long line() {
        return input.line();
    }

    /** Checks that nothing but blanks follows the values read. */
    public void end() {
        if (depth > 0) {
            throw input.error("the end of the input", peek().label);
        }
        int b = skipBlank();
        if (b >= 0) {
            throw input.error("the end of the input", TextInput.describe(b));
        }
    }

    /** An error of the caller's about the name, string or number that was read last, at its place. */
    public StokerException error(String expected, String found) {
        return input.tokenError(expected, found);
    }

    @Override
    public void close() {
        input.close();
    }

    private void require(Token token) {
        if (peek() != token) {
            throw input.error(token.label, peek().label);
        }
    }

    private void valueRead() {
        next = null;
        first = false;
        named = false;
        if (depth == 0) {
            valueLine = input.line();
        }
    }

    /** Goes to the next token, over blanks and the comma before it. */
    private Token find() {
        int b = skipBlank();
        if (depth == 0) {
            return findTopLevel(b);
        }
        if (named) {
            return valueToken(b);
        }
        boolean object = inObject[depth];
        if (b == (object ? '}' : ']')) {
            return object ? Token.END_OBJECT : Token.END_ARRAY;
        }
        if (!first) {
            if (b != ',') {
                throw input.error(object ? "',' or '}'" : "',' or ']'", TextInput.describe(b));
            }
            input.advance();
            b = skipBlank();
        }
        if (!object) {
            return valueToken(b);
        }
        if (b != '"') {
            throw input.error(first ? "a name in quotes or '}'" : "a name in quotes", TextInput.describe(b));
        }
        return Token.NAME;
    }

    private Token findTopLevel(int b) {
        if (b < 0) {
            return Token.END;
        }
        if (input.line() == valueLine) {
            throw input.error("a new line before the next value", TextInput.describe(b));
        }
        return valueToken(b);
    }

    private Token valueToken(int b) {
        return switch (b) {
            case '"' -> Token.STRING;
            case '{' -> Token.BEGIN_OBJECT;
            case '[' -> Token.BEGIN_ARRAY;
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> Token.NUMBER;
            case 't', 'f' -> Token.BOOLEAN;
            case 'n' -> Token.NULL;
            default -> throw input.error("a value", TextInput.describe(b));
        };
    }

    private int skipBlank() {
        int b = input.peek();
        while (b == ' ' || b == '\n' || b == '\r' || b == '\t') {
            input.advance();
            b = input.peek();
        }
        return b;
    }
}
