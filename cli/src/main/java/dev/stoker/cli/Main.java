package dev.stoker.cli;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.cli.help.HelpLayout;
import dev.stoker.os.FileErrors;
import dev.stoker.remote.RemotePath;
import dev.stoker.text.Printable;
import dev.stoker.text.Spelling;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Where the command starts, and the one place that turns a failure into a sentence and an exit code. */
public final class Main {
    private static final String HELP = "help";

    public static final String LOST_OUTPUT =
            "cannot write to standard output: its disk is full, or its reader has exited";

    private final CommandLine commandLine = new CommandLine(Stoker.spec());
    private final boolean debug;

    private Main(List<SubCommand> commands, String[] args) {
        debug = List.of(args).contains(Stoker.DEBUG) || "1".equals(System.getenv("STOKER_DEBUG"));
        int first = firstWord(args);
        String wanted = first < 0 ? "" : args[first];
        addAll(commandLine, commands, wanted::equals);
        HelpLayout.apply(commandLine);
        commandLine.setParameterExceptionHandler(this::wrongUse);
        commandLine.setExecutionExceptionHandler((failure, _, _) -> failed(failure));
    }

    /** All commands whole, for what describes them. */
    public static CommandSpec model() {
        CommandLine all = new CommandLine(Stoker.spec());
        addAll(all, Commands.ALL, _ -> true);
        return all.getCommandSpec();
    }

    private static void addAll(CommandLine to, List<SubCommand> commands, Predicate<String> isWhole) {
        for (SubCommand command : commands) {
            to.addSubcommand(command.name(), line(command, isWhole.test(command.name())));
        }
        to.addSubcommand(HELP, line(new SubCommand(HELP, "Show help for a command", Main::helpSpec), true));
    }

    /** What {@code help} says of itself; it never runs, see {@link #helpAsOption}. */
    private static CommandSpec helpSpec() {
        CommandSpec spec = CommandSpec.create();
        spec.usageMessage().description("Show help for a command.");
        return spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("COMMAND")
                .arity("0..1")
                .type(String.class)
                .description("The command, such as pack (default: all commands).")
                .build());
    }

    public static void main(String[] typed) {
        String[] args = helpAsOption(Commands.ALL, typed);
        var main = new Main(Commands.ALL, args);
        int code = main.run(args);
        if (System.out.checkError() && code == 0) {
            code = main.failed(new StokerException(LOST_OUTPUT));
        }
        System.exit(code);
    }

    /** Runs one command line without leaving the JVM, and returns its exit code. */
    public static int run(List<SubCommand> commands, PrintWriter out, PrintWriter err, String... typed) {
        String[] args = helpAsOption(commands, typed);
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
                    "out of memory (%s); give Java more, such as STOKER_JAVA_OPTS=-Xmx4g".formatted(e.getMessage()),
                    e));
        } catch (InternalError e) {
            FileErrors.requireFault(e);
            // What the JVM makes of a page that cannot be read; nobody knows of which file it was.
            return failed(new StokerException(
                    "a mapped file could not be read: its storage failed, or the file was truncated; check the system log"
                            + " (dmesg) and retry",
                    e));
        }
    }

    /** Only the sub-command that will run is made whole; of the others, the help and the suggestions need a name. */
    private static CommandLine line(SubCommand command, boolean whole) {
        CommandLine line = new CommandLine(whole ? command.create().get() : CommandSpec.create());
        line.getCommandSpec().name(command.name());
        line.registerConverter(Path.class, Main::path);
        line.registerConverter(
                Integer.class, text -> Math.toIntExact(whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE)));
        line.registerConverter(int.class, text -> Math.toIntExact(whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE)));
        line.registerConverter(Long.class, text -> whole(text, Long.MIN_VALUE, Long.MAX_VALUE));
        line.registerConverter(long.class, text -> whole(text, Long.MIN_VALUE, Long.MAX_VALUE));
        if (line.getCommandSpec().usageMessage().description().length == 0) {
            line.getCommandSpec().usageMessage().description(command.summary());
        }
        return line;
    }

    private static Path path(String text) {
        try {
            return RemotePath.of(text);
        } catch (StokerException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    /** A whole number, refused in words that a user knows. */
    private static long whole(String text, long least, long most) {
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below, as one that is too large is.
        }
        throw new TypeConversionException("should be a whole number but is '" + text + "'");
    }

    /** {@code help pack} as {@code pack --help}: a command of its own would have to make the one that it describes. */
    private static String[] helpAsOption(List<SubCommand> commands, String[] typed) {
        int help = firstWord(typed);
        if (help < 0 || !typed[help].equals(HELP)) {
            return typed;
        }
        var words = new ArrayList<>(List.of(typed));
        words.remove(help);
        String[] args = words.toArray(String[]::new);
        int first = firstWord(args);
        boolean isKnown = first < 0
                || args[first].equals(HELP)
                || commands.stream().anyMatch(command -> command.name().equals(args[first]));
        // With the option, picocli would not complain of an unknown command.
        if (isKnown && !words.contains("--help") && !words.contains("-h")) {
            words.add("--help");
        }
        return words.toArray(String[]::new);
    }

    /** The place of the command's name; -1 if there is none. */
    private static int firstWord(String[] args) {
        for (int i = 0; i < args.length; i++) {
            if (!args[i].startsWith("-")) {
                return i;
            }
        }
        return -1;
    }

    private int wrongUse(ParameterException failure, String[] args) {
        CommandLine where = failure.getCommandLine();
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().getFirst();
            boolean option = unmatched.isUnknownOption();
            if (!option && !where.getSubcommands().isEmpty()) {
                message = "unknown command '" + word + "'";
            }
            Collection<String> known = option
                    ? where.getCommandSpec().optionsMap().keySet()
                    : where.getSubcommands().keySet();
            message += option && !word.startsWith("--") && takesCommand(where)
                    ? "; put -- before the command to run"
                    : Spelling.hint(word, known);
        } else if (failure.getArgSpec() != null && failure.getValue() != null) {
            message += Spelling.hint(failure.getValue(), choices(failure.getArgSpec()));
        }
        complain(message + " (see `" + where.getCommandSpec().qualifiedName() + " --help`)");
        trace(failure);
        return CommandLine.ExitCode.USAGE;
    }

    /** The values of an option that takes one of a few. */
    private static List<String> choices(ArgSpec option) {
        Iterable<String> candidates = option.completionCandidates();
        return candidates == null
                ? List.of()
                : StreamSupport.stream(candidates.spliterator(), false).toList();
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
                    default -> "internal error: " + failure + "; please report it with the output of --debug";
                });
        trace(failure);
        return failure instanceof UsageException ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
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
            return "[" + failure.getFile() + "] " + FileErrors.reason(failure.getFile(), failure);
        }
        return e.getClass().getSimpleName() + ": " + e.getMessage();
    }

    private void complain(String sentence) {
        commandLine.getErr().println("stoker: " + Printable.line(sentence));
        commandLine.getErr().flush();
    }
}
