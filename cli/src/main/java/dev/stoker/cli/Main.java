package dev.stoker.cli;

import dev.stoker.StokerException;
import dev.stoker.memory.MappedFile;
import dev.stoker.memory.RemotePath;
import dev.stoker.text.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Where the command starts, and the one place that turns a failure into a sentence and an exit code. */
public final class Main {
    private static final int WIDTH = 110;

    static final String LOST_OUTPUT =
            "standard output cannot be written; its disk is full, or whoever was reading it is gone";

    private final CommandLine commandLine = new CommandLine(Stoker.spec());
    private final boolean debug;

    private Main(List<SubCommand> commands, String[] args) {
        debug = List.of(args).contains(Stoker.DEBUG) || "1".equals(System.getenv("STOKER_DEBUG"));
        String wanted = firstWord(args);
        for (SubCommand command : commands) {
            commandLine.addSubcommand(
                    command.name(), line(command, command.name().equals(wanted)));
        }
        commandLine.setUsageHelpWidth(WIDTH);
        commandLine.setUsageHelpLongOptionsMaxWidth(WIDTH / 2);
        commandLine.setParameterExceptionHandler(this::wrongUse);
        commandLine.setExecutionExceptionHandler((failure, _, _) -> failed(failure));
    }

    public static void main(String[] args) {
        var main = new Main(Commands.ALL, args);
        int code = main.run(args);
        if (System.out.checkError() && code == 0) {
            code = main.failed(new StokerException(LOST_OUTPUT));
        }
        System.exit(code);
    }

    /** Runs one command line without leaving the JVM, and returns its exit code. */
    static int run(List<SubCommand> commands, PrintWriter out, PrintWriter err, String... args) {
        Main main = new Main(commands, args);
        main.commandLine.setOut(out).setErr(err);
        return main.run(args);
    }

    private int run(String[] args) {
        try {
            if (args.length == 0) {
                commandLine.usage(commandLine.getErr());
                return CommandLine.ExitCode.USAGE;
            }
            return commandLine.execute(args);
        } catch (OutOfMemoryError e) {
            return failed(new StokerException(
                    "out of memory (%s); give Java more, for example STOKER_JAVA_OPTS=-Xmx4g".formatted(e.getMessage()),
                    e));
        } catch (InternalError e) {
            MappedFile.requireFault(e);
            // What the JVM makes of a page that cannot be read; nobody knows of which file it was.
            return failed(new StokerException(
                    "a file could not be read while it was mapped: its storage failed, or the file was cut short in"
                            + " the meantime; see the system's log (dmesg), and try again",
                    e));
        }
    }

    /** Only the sub-command that will run is made whole; of the others, the help and the suggestions need a name. */
    private static CommandLine line(SubCommand command, boolean whole) {
        CommandLine line = new CommandLine(whole ? command.create().get() : CommandSpec.create());
        line.getCommandSpec().name(command.name());
        line.registerConverter(Path.class, RemotePath::of);
        if (line.getCommandSpec().usageMessage().description().length == 0) {
            line.getCommandSpec().usageMessage().description(command.summary());
        }
        return line;
    }

    private static String firstWord(String[] args) {
        for (String arg : args) {
            if (!arg.startsWith("-")) {
                return arg;
            }
        }
        return "";
    }

    private int wrongUse(ParameterException failure, String[] args) {
        CommandLine where = failure.getCommandLine();
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().getFirst();
            boolean option = unmatched.isUnknownOption();
            if (!option && !where.getSubcommands().isEmpty()) {
                message = "there is no command '" + word + "'";
            }
            Collection<String> known = option
                    ? where.getCommandSpec().optionsMap().keySet()
                    : where.getSubcommands().keySet();
            message += option && !word.startsWith("--") && takesCommand(where)
                    ? "; put -- before the command that is to be run"
                    : Spelling.closest(word, known)
                            .map(w -> "; did you mean " + w + "?")
                            .orElse("");
        }
        complain(message + " (`" + where.getCommandSpec().qualifiedName() + " --help` lists what there is)");
        trace(failure);
        return CommandLine.ExitCode.USAGE;
    }

    /** Whether a command and its own options follow. */
    private static boolean takesCommand(CommandLine where) {
        return where.getCommandSpec().positionalParameters().stream()
                .anyMatch(each -> each.paramLabel().equals("CMD"));
    }

    private int failed(Exception failure) {
        complain(
                switch (failure) {
                    case StokerException e -> String.valueOf(e.getMessage());
                    case UncheckedIOException e -> describe(Objects.requireNonNullElse(e.getCause(), e));
                    case DirectoryIteratorException e -> describe(Objects.requireNonNullElse(e.getCause(), e));
                    case IOException e -> describe(e);
                    default -> "internal error: " + failure + "; please report it with what --debug shows";
                });
        trace(failure);
        return CommandLine.ExitCode.SOFTWARE;
    }

    private void trace(Exception failure) {
        if (debug) {
            var text = new StringWriter();
            failure.printStackTrace(new PrintWriter(text));
            commandLine.getErr().print(Printable.lines(text.toString()));
            commandLine.getErr().flush();
        }
    }

    /** The message of a JDK file exception is often the path alone, so its kind is part of the sentence. */
    private static String describe(Exception e) {
        if (e instanceof FileSystemException failure && failure.getFile() != null) {
            return "[" + failure.getFile() + "] " + MappedFile.reason(failure.getFile(), failure);
        }
        return e.getClass().getSimpleName() + ": " + e.getMessage();
    }

    private void complain(String sentence) {
        commandLine.getErr().println("stoker: " + Printable.line(sentence));
        commandLine.getErr().flush();
    }
}
