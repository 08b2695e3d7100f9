package dev.stoker.serve;

import dev.stoker.StokerException;
import dev.stoker.json.Json;
import dev.stoker.os.LocalSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What goes over the socket in one piece: a type, and bytes that the type gives a meaning.
 *
 * @param type one of the numbers below; those of a client are less than 64
 */
record Message(int type, byte[] payload) {
    /** Raised whenever a message or the layout of a batch changes. */
    static final int PROTOCOL = 3;

    static final int HELLO = 1;
    static final int OPEN = 2;
    static final int START = 3;
    static final int NEXT = 4;
    static final int COLLECT = 5;
    static final int APPEND = 6;
    static final int FLUSH = 7;
    static final int DONE = 8;
    static final int SEAL = 9;
    static final int REPORT = 10;
    static final int WITHDRAW = 11;
    static final int HANDED_ON = 12;

    static final int WELCOME = 65;
    static final int OPENED = 66;
    static final int STARTED = 67;
    static final int BATCH = 68;
    static final int ERROR = 69;
    static final int COLLECTING = 70;
    static final int FLUSHED = 71;
    static final int SEALED = 72;
    static final int REPORTED = 73;
    static final int RECORDED = 74;

    static final int HEADER_BYTES = 8;
    /** As long as a saved position may be. */
    private static final int MAX_BYTES = 64 << 20;
    /** As large as a sample may be that is collected. */
    private static final int MAX_SAMPLE_BYTES = 1 << 30;

    static Message json(int type, Map<String, ?> value) {
        return new Message(type, Json.write(value).getBytes(StandardCharsets.UTF_8));
    }

    static Message error(String sentence) {
        return new Message(ERROR, sentence.getBytes(StandardCharsets.UTF_8));
    }

    /** The payload of a message that is a JSON object. */
    Map<?, ?> object() {
        Object value = Json.parse(payload, "message " + type);
        if (value instanceof Map<?, ?> object) {
            return object;
        }
        throw new StokerException("message " + type + " should be a JSON object but is " + value);
    }

    byte[] encode() {
        return ByteBuffer.allocate(HEADER_BYTES + payload.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(type)
                .putInt(payload.length)
                .put(payload)
                .array();
    }

    /** The next message; null if the other end closed. */
    static @Nullable Message receive(LocalSocket socket) throws IOException {
        var header = new byte[HEADER_BYTES];
        if (!socket.receive(header)) {
            return null;
        }
        ByteBuffer numbers = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        int type = numbers.getInt();
        int length = requireLength(type, numbers.getInt());
        byte[] payload = socket.receive(length);
        return payload == null ? null : new Message(type, payload);
    }

    /** Refuses a payload that no client sends. */
    static int requireLength(int type, int length) throws IOException {
        int most = type == APPEND ? MAX_SAMPLE_BYTES : MAX_BYTES;
        if (length < 0 || length > most) {
            throw new IOException("message " + type + " should have at most " + most + " bytes but has "
                    + Integer.toUnsignedString(length));
        }
        return length;
    }
}
