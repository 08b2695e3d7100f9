package dev.stoker.metric.export;

import dev.stoker.json.Json;
import dev.stoker.metric.MeterSnapshot;
import dev.stoker.metric.Snapshot;
import dev.stoker.os.FileErrors;
import dev.stoker.os.TrustedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/** Appends a line for each reading. All lines of a snapshot go in one write, so that processes may share the file. */
final class JsonLinesWriter implements SnapshotWriter {
    private final Path file;
    private final FileChannel channel;
    /** Whether the last write left a part of a line, as on a full disk. */
    private boolean isTorn;

    JsonLinesWriter(Path file) {
        this.file = file;
        try {
            channel = TrustedFile.open(file, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(file, e);
        }
    }

    @Override
    public void write(Snapshot snapshot) throws IOException {
        var lines = new StringBuilder();
        for (MeterSnapshot reading : snapshot.readings()) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("time", snapshot.time());
            line.put("pid", snapshot.pid());
            line.put("command", snapshot.command());
            line.putAll(reading.toJson());
            lines.append(Json.write(line)).append('\n');
        }
        append(lines.toString());
    }

    private void append(String lines) throws IOException {
        // What another process writes next should not stand in the line that was torn.
        ByteBuffer bytes = ByteBuffer.wrap(((isTorn ? "\n" : "") + lines).getBytes(StandardCharsets.UTF_8));
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            isTorn = false;
        } catch (IOException e) {
            isTorn |= bytes.position() > 0;
            throw new IOException("[" + file + "] " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Everything was written before; there is nothing more to lose.
        }
    }
}
