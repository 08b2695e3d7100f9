package dev.stoker.stage;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.job.JobRank;
import dev.stoker.os.Signals;
import dev.stoker.stage.copy.StageSource;
import dev.stoker.stage.node.ProcessStat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs a command with its data on the node. The command has this process's standard streams, gets its signals, and its
 * exit code is the answer; the data go when it ends, whatever ends it.
 */
public final class Runner {
    private static final String VARIABLE = "STOKER_DATA";
    private static final int SIGNALLED = 128;
    private static final int NOT_FOUND = 127;
    private static final int NOT_EXECUTABLE = 126;
    /** How the message of an exception tells that there is no such file. */
    private static final Pattern ENOENT = Pattern.compile("error[=:] ?2\\b");

    private static final String INTERRUPT = "INT";
    /** What a scheduler or a user sends to a program. */
    private static final String[] PASSED_ON = {"TERM", INTERRUPT, "HUP", "USR1", "USR2", "CONT", "ALRM", "WINCH"};
    /** These two end no process that does not take them. */
    private static final int CONTINUE = 18;

    private static final int WINDOW = 28;

    /**
     * Data for a command.
     *
     * @param name as in {@code STOKER_DATA_NAME}; empty for {@code STOKER_DATA}
     */
    public record Data(String name, Path source) {
        String variable() {
            return name.isEmpty() ? VARIABLE : VARIABLE + "_" + name.toUpperCase(Locale.ROOT);
        }
    }

    private final StagingMode via;
    private final boolean keep;
    private final Map<String, String> environment;
    private final Progress progress;
    private final Consumer<String> say;
    private final List<FolderUser> users = new ArrayList<>();
    private @Nullable Process child;

    /**
     * Prepares a run.
     *
     * @param say is told how each of the data are brought
     */
    public Runner(
            StagingMode via, boolean keep, Map<String, String> environment, Progress progress, Consumer<String> say) {
        this.via = via;
        this.keep = keep;
        this.environment = environment;
        this.progress = progress;
        this.say = say;
    }

    /**
     * Runs a command; returns its exit code, or 128 and the number of the signal that ended it.
     *
     * @param adjust may change the command's environment, just before it starts
     */
    public int run(List<Data> wanted, List<String> command, Consumer<Map<String, String>> adjust) {
        int refusal = refuse(command.getFirst());
        if (refusal != 0) {
            return refusal;
        }
        for (String name : PASSED_ON) {
            Signals.take(name, number -> taken(name, number));
        }
        try {
            sweep();
            var builder = new ProcessBuilder(command).inheritIO();
            for (Data data : wanted) {
                Path place = bring(data);
                builder.environment().put(data.variable(), place.toString());
                if (wanted.size() == 1) {
                    builder.environment().put(VARIABLE, place.toString());
                }
            }
            adjust.accept(builder.environment());
            return await(builder, command.getFirst());
        } finally {
            leave();
        }
    }

    /** Says that a program cannot be started, before anything is copied for it, and returns the exit code; else 0. */
    private int refuse(String program) {
        if (program.contains("/")) {
            Path file = Path.of(program);
            return !Files.exists(file)
                    ? refuse(program, "there is no such command", NOT_FOUND)
                    : isProgram(file) ? 0 : refuse(program, "it is not executable", NOT_EXECUTABLE);
        }
        for (String folder : environment.getOrDefault("PATH", "/usr/bin:/bin").split(":", -1)) {
            if (isProgram(Path.of(folder.isEmpty() ? "." : folder, program))) {
                return 0;
            }
        }
        return refuse(program, "there is no such command on the PATH", NOT_FOUND);
    }

    private static boolean isProgram(Path file) {
        return Files.isExecutable(file) && !Files.isDirectory(file);
    }

    private int refuse(String program, String reason, int code) {
        say.accept(program + " cannot be started: " + reason + "; nothing was staged");
        return code;
    }

    /** What earlier runs left anywhere, whether this one stages or not. */
    private void sweep() {
        for (StagingPlace place : StagingPlace.usual(environment)) {
            new Stager(place, environment, progress).sweep(CleanupScope.LEFTOVERS);
        }
    }

    private Path bring(Data data) {
        try (StageSource source = StageSource.of(data.source())) {
            return bring(data, source);
        }
    }

    private Path bring(Data data, StageSource source) {
        StagingChoice choice = StagingChoice.of(via, source, environment);
        if (via == StagingMode.auto) {
            say.accept(data.source() + ": " + choice.via() + " (" + choice.reason() + ")");
        }
        if (choice.via() == StagingMode.direct) {
            return source.path();
        }
        StagingPlace place =
                StagingPlace.of(choice.via() == StagingMode.local ? StagingPlace.LOCAL : StagingPlace.SHM, environment);
        String job = JobRank.fromEnvironment(environment).job(environment);
        var stager = new Stager(place, environment, progress, this::watch);
        return stager.stage(new Stager.Request(source, choice.form(), job, keep, false))
                .data();
    }

    private synchronized void watch(StagedFolder folder) {
        var user = new FolderUser(folder);
        users.add(user);
        CleanupWatcher.start(user);
    }

    private int await(ProcessBuilder builder, String program) {
        Process started;
        synchronized (this) {
            try {
                started = builder.start();
            } catch (IOException e) {
                boolean missing = ENOENT.matcher(String.valueOf(e.getMessage())).find();
                say.accept(program + " cannot be started: "
                        + (missing ? "there is no such command" : "it is not executable (" + e.getMessage() + ")"));
                return missing ? NOT_FOUND : NOT_EXECUTABLE;
            }
            child = started;
            users.forEach(user -> user.runs(started.pid()));
        }
        try {
            return started.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StokerException("interrupted", e);
        }
    }

    /** Passes a signal on; before the command runs, one that ends processes ends this one. */
    private void taken(String name, int number) {
        Process running;
        synchronized (this) {
            running = child;
        }
        if (running != null) {
            // The terminal has sent its keys to the command as well.
            boolean sentToAll = name.equals(INTERRUPT) && ProcessStat.of("self").isInForeground();
            if (running.isAlive() && !sentToAll) {
                Signals.send(running.pid(), number);
            }
        } else if (number != CONTINUE && number != WINDOW) {
            leave();
            Runtime.getRuntime().halt(SIGNALLED + number);
        }
    }

    /** All of them, also if one fails: that one is told, and left to the next start. */
    private synchronized void leave() {
        for (FolderUser user : users) {
            try {
                user.close();
            } catch (StokerException e) {
                say.accept(String.valueOf(e.getMessage()));
            }
        }
        users.clear();
    }
}
