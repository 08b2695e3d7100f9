package dev.stoker.bench.peer;

import dev.stoker.json.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** The process of a peer: asked by a line of JSON, it answers by one, within a time limit. */
final class Contestant implements AutoCloseable {
    private static final int MOST_BYTES = 1 << 20;
    private static final String END = "";

    private final Process process;
    private final Path log;
    private final Duration limit;
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(16);

    private Contestant(Process process, Path log, Duration limit) {
        this.process = process;
        this.log = log;
        this.limit = limit;
    }

    /**
     * Starts the process.
     *
     * @param log what it writes to standard error goes there
     * @param limit of each answer
     */
    static Contestant start(List<String> command, Map<String, String> environment, Path log, Duration limit)
            throws PeerFailure {
        try {
            var contestant = new Contestant(Sessions.start(command, environment, log), log, limit);
            Thread.ofVirtual().start(contestant::listen);
            return contestant;
        } catch (IOException e) {
            throw new PeerFailure("does not start: " + e.getMessage(), e);
        }
    }

    /** Asks, and waits for the answer. After a failure the contestant is of no more use. */
    Message ask(Map<String, Object> request) throws PeerFailure {
        try {
            process.getOutputStream().write((Json.write(request) + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw ended();
        }
        try {
            String line = lines.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null) {
                throw new PeerFailure("did not answer '" + request.get("do") + "' within " + limit.toSeconds() + " s");
            }
            if (line.equals(END)) {
                throw ended();
            }
            return Message.parse(line);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PeerFailure("interrupted", e);
        }
    }

    private PeerFailure ended() {
        Sessions.end(process);
        return new PeerFailure("ended with exit code " + process.exitValue() + ": " + Sessions.lastError(log));
    }

    @Override
    public void close() {
        Sessions.end(process);
    }

    /** Its lines as they come; one that does not end is cut, so that no peer fills the memory. */
    private void listen() {
        try (InputStream in = new BufferedInputStream(process.getInputStream())) {
            var line = new ByteArrayOutputStream();
            for (int b = in.read(); b >= 0; b = in.read()) {
                if (b == '\n' || line.size() == MOST_BYTES) {
                    // Never empty, which would be the end.
                    lines.put(line.toString(StandardCharsets.UTF_8) + " ");
                    line.reset();
                } else {
                    line.write(b);
                }
            }
        } catch (IOException e) {
            // The process was ended.
        } catch (InterruptedException e) {
            return;
        }
        if (!lines.offer(END)) {
            // Sixteen answers that nobody asked for stand before it; the first of them is the failure.
            return;
        }
    }
}
