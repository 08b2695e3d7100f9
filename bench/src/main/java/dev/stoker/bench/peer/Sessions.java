package dev.stoker.bench.peer;

import dev.stoker.os.Signals;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Processes that each lead a session of their own, so that whatever they start can be ended with them. When this
 * program ends, by Ctrl-C too, they do.
 */
final class Sessions {
    private static final int KILL = 9;
    private static final int GONE_SECONDS = 10;
    private static final int REASON_LENGTH = 200;
    private static final Set<Process> LIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> LIVE.forEach(Sessions::end)));
    }

    private Sessions() {}

    /** Starts a command to be talked to; its complaints go to the end of a file. */
    static Process start(List<String> command, Map<String, String> environment, Path log) throws IOException {
        return start(builder(command, log), environment);
    }

    /** Runs a command to its end; all that it prints goes to the end of a file. */
    static void run(List<String> command, Path log, Duration limit) throws PeerFailure {
        try {
            Process process = start(
                    builder(command, log)
                            .redirectInput(Path.of("/dev/null").toFile())
                            .redirectOutput(Redirect.appendTo(log.toFile())),
                    Map.of());
            try {
                if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                    throw new PeerFailure(command.getFirst() + " did not end within " + limit.toSeconds() + " s");
                }
                if (process.exitValue() != 0) {
                    throw new PeerFailure(lastError(log));
                }
            } finally {
                end(process);
            }
        } catch (IOException e) {
            throw new PeerFailure(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PeerFailure("interrupted", e);
        }
    }

    /** Ends a process with all that it started. */
    static void end(Process process) {
        LIVE.remove(process);
        Signals.send(-process.pid(), KILL);
        process.destroyForcibly();
        try {
            process.waitFor(GONE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The last line of a log that speaks of an error, or else its last line. */
    static String lastError(Path log) {
        String last = "it said nothing";
        String error = "";
        try {
            for (String line : new String(Files.readAllBytes(log), StandardCharsets.UTF_8).split("\\R")) {
                if (!line.isBlank()) {
                    last = line.strip();
                    error = line.contains("rror") ? last : error;
                }
            }
        } catch (IOException e) {
            return "its log cannot be read: " + e.getMessage();
        }
        String reason = error.isEmpty() ? last : error;
        return reason.substring(0, Math.min(REASON_LENGTH, reason.length()));
    }

    private static ProcessBuilder builder(List<String> command, Path log) {
        var words = new ArrayList<>(List.of("setsid"));
        words.addAll(command);
        return new ProcessBuilder(words).redirectError(Redirect.appendTo(log.toFile()));
    }

    private static Process start(ProcessBuilder builder, Map<String, String> environment) throws IOException {
        builder.environment().putAll(environment);
        Process process = builder.start();
        LIVE.add(process);
        return process;
    }
}
