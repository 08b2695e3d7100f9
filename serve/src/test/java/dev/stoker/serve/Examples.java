package dev.stoker.serve;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

/** The messages of docs/format/batch-exchange.txt, which the Python package is tested with too. */
final class Examples {
    private Examples() {}

    static byte[] bytes(String name) throws IOException {
        Path file = Path.of(System.getProperty("stoker.root")).resolve("docs/format/batch-exchange.txt");
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith(name + " ")) {
                return HexFormat.of().parseHex(line.substring(name.length() + 1));
            }
        }
        throw new IOException("no example " + name);
    }

    static Message message(String name) throws IOException {
        byte[] bytes = bytes(name);
        ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return new Message(header.getInt(0), Arrays.copyOfRange(bytes, 8, 8 + header.getInt(4)));
    }
}
