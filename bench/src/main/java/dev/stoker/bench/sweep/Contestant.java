package dev.stoker.bench.sweep;

import dev.stoker.StokerException;
import dev.stoker.json.Json;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The process of one format as the sweep sees it. It is started when it is asked for the first time, and again when it
 * died; one that died twice is out.
 */
final class Contestant implements AutoCloseable {
    private static final int MOST_DEATHS = 2;
    private static final int PATIENCE_SECONDS = 10;
    private static final int MOST_LOG = 300;

    private final String format;
    private final List<String> command;
    private final Path log;
    private @Nullable Process process;
    private @Nullable BufferedReader answers;
    private @Nullable String lastDeath;
    private int deaths;

    /**
     * Describes a process.
     *
     * @param log where its standard error goes; its last line is part of the reason when it dies
     */
    Contestant(String format, List<String> command, Path log) {
        this.format = format;
        this.command = command;
        this.log = log;
    }

    String format() {
        return format;
    }

    /**
     * Asks, and waits for the answer.
     *
     * @throws StokerException with the reason, if it says that it failed, gives no answer in time, or dies
     */
    Message ask(Map<String, @Nullable Object> request, Duration limit) {
        if (deaths >= MOST_DEATHS) {
            throw new StokerException("gave up after its process crashed " + deaths + " times: " + lastDeath);
        }
        Message answer = answer(request, limit);
        if (answer.member("failed") != null) {
            throw new StokerException(answer.text("failed"));
        }
        return answer;
    }

    private Message answer(Map<String, @Nullable Object> request, Duration limit) {
        try {
            String line = exchange(Json.write(request), limit);
            // No line is the end; a line that is no message are the last words of a JVM that gives up.
            if (line != null && line.startsWith("{")) {
                return new Message(line);
            }
        } catch (IOException | ExecutionException e) {
            if (process == null) {
                throw died("it cannot be started: " + e.getMessage());
            }
        } catch (TimeoutException e) {
            throw died("no answer within " + limit.toSeconds() + " s, so it was ended");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw died("interrupted");
        }
        throw died("its process ended" + exitCode());
    }

    private @Nullable String exchange(String request, Duration limit)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        Process running = process;
        BufferedReader lines = answers;
        if (running == null || lines == null) {
            running = new ProcessBuilder(command).redirectError(log.toFile()).start();
            lines = running.inputReader(StandardCharsets.UTF_8);
            process = running;
            answers = lines;
        }
        BufferedWriter requests = running.outputWriter(StandardCharsets.UTF_8);
        requests.write(request + "\n");
        requests.flush();
        // A pipe cannot be read with a time limit; a thread that waits for it can be left alone.
        var reading = new FutureTask<@Nullable String>(lines::readLine);
        Thread.ofPlatform().daemon().name("stoker-bench-" + format).start(reading);
        return reading.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    private StokerException died(String reason) {
        deaths++;
        kill();
        String last = lastLine();
        lastDeath = last.isEmpty() ? reason : reason + ": " + last;
        return new StokerException(lastDeath);
    }

    private String exitCode() {
        Process ended = process;
        try {
            if (ended != null && ended.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return " with exit code " + ended.exitValue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "";
    }

    private String lastLine() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
            String last = lines.isEmpty() ? "" : lines.getLast().strip();
            return last.substring(0, Math.min(last.length(), MOST_LOG));
        } catch (IOException e) {
            return ""; // it did not even start
        }
    }

    private void kill() {
        Process running = process;
        process = null;
        answers = null;
        if (running != null) {
            running.destroyForcibly();
            try {
                var _ = running.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends the process. */
    @Override
    public void close() {
        kill();
    }
}
