package dev.stoker.serve;

import dev.stoker.StokerException;
import dev.stoker.dataset.Dataset;
import dev.stoker.feed.BatchMemorySource;
import dev.stoker.fuzz.Sandbox;
import dev.stoker.fuzz.Target;
import dev.stoker.io.OutputNames;
import dev.stoker.order.PositionFile;
import dev.stoker.testkit.Workshop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client may send: messages one behind the other. They are understood as a {@link Session} does it, but no feed is
 * started, and whatever path is asked for, files are written into a folder of this target alone.
 */
public final class MessageTarget implements Target {
    private final Path folder = Sandbox.make("messages");
    private final Dataset dataset;
    private @Nullable CollectSession intake;

    public MessageTarget() {
        Workshop.write(folder.resolve("sample"), new byte[] {1, 2, 3});
        dataset = Dataset.open(List.of(folder.toString()));
    }

    @Override
    public String name() {
        return "messages";
    }

    @Override
    public void read(byte[] input) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
        try {
            while (bytes.remaining() >= Message.HEADER_BYTES) {
                int type = bytes.getInt();
                int length = Message.requireLength(type, bytes.getInt());
                var payload = new byte[Math.min(length, bytes.remaining())];
                bytes.get(payload);
                answer(new Message(type, payload));
            }
        } finally {
            if (intake != null) {
                intake.abandon();
                intake = null;
                Files.deleteIfExists(partial());
            }
        }
    }

    private Path partial() {
        return OutputNames.partial(folder.resolve("out.stk"));
    }

    private void answer(Message message) {
        try {
            switch (message.type()) {
                case Message.OPEN -> open(new FeedRequest(message.object()));
                case Message.START -> start(new JsonOptions(message.object(), Session.START_KNOWN));
                case Message.COLLECT -> collect(message.object());
                case Message.SEAL -> new JsonOptions(message.object(), Session.SEAL_KNOWN).path("path");
                case Message.APPEND -> {
                    if (intake != null) {
                        intake.append(message.payload());
                    }
                }
                default -> {
                    if (message.payload().length > 0) {
                        message.object();
                    }
                }
            }
        } catch (StokerException e) {
            // Told to the client; the connection goes on.
        }
    }

    private void open(FeedRequest request) {
        request.metrics();
        var datasets = new ArrayList<Dataset>();
        request.datasets().forEach(paths -> datasets.add(dataset));
        if (datasets.size() <= 4) {
            request.builder(datasets, BatchMemorySource.OWN).identity();
        }
    }

    private static void start(JsonOptions where) {
        Map<?, ?> position = where.get("position", Map.class);
        if (position != null) {
            PositionFile.of(position, "state");
        } else {
            where.require("epoch", Long.class);
        }
    }

    private void collect(Map<?, ?> request) {
        if (intake == null) {
            new JsonOptions(request, CollectSession.KNOWN).path("path");
            var here = new LinkedHashMap<Object, @Nullable Object>(request);
            here.put("path", folder.resolve("out.stk").toString());
            intake = new CollectSession(here);
        }
    }

    /** The examples of the specification: each alone, and those of a client in a row. */
    @Override
    public List<byte[]> made() {
        Path file = Path.of(System.getProperty("stoker.root", "."), "docs/format/batch-exchange.txt");
        var made = new ArrayList<byte[]>();
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.matches(
                        "(hello|open|start-epoch|start-position|next|handed-on|collect|append|flush|done|seal) [0-9a-f]+")) {
                    made.add(HexFormat.of().parseHex(line.substring(line.indexOf(' ') + 1)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        made.add(joined(made.subList(0, 5)));
        made.add(joined(made.subList(5, 8)));
        return made;
    }

    private static byte[] joined(List<byte[]> parts) {
        byte[] whole = new byte[0];
        for (byte[] part : parts) {
            int at = whole.length;
            whole = Arrays.copyOf(whole, at + part.length);
            System.arraycopy(part, 0, whole, at, part.length);
        }
        return whole;
    }

    @Override
    public List<String> words() {
        return List.of(
                "null",
                "true",
                "-1",
                "0",
                "9223372036854775807",
                "\"\"",
                "[]",
                "{}",
                "\\u0000",
                "\"batch\"",
                "\"weights\"",
                "\"pad\"",
                "\"decode\"",
                "\"metrics\"",
                "\"transform\"",
                "\"random_resized_crop(224)\"",
                "\"order\"",
                "\"sequential\"",
                "\"world\"",
                "\"memory\"",
                "\"fields\"",
                "[\"key\",\"text\"]",
                "\"int64[*,*]\"",
                "\"chunk\"",
                "\"jsonl:x\"");
    }

    /** A connection that sends what no client sends is closed. */
    @Override
    public boolean isRefusal(Throwable failure) {
        return failure instanceof IOException;
    }
}
