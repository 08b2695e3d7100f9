package dev.stoker.cli;

import java.util.Objects;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

/**
 * The command {@code stoker} itself, with the options that every sub-command has too. It is described by calls, not by
 * annotations as the sub-commands are: reading annotations makes classes at run time, which
 * the start-up cache cannot hold.
 */
public final class Stoker {
    static final String DEBUG = "--debug";

    private Stoker() {}

    static CommandSpec spec() {
        CommandSpec spec = CommandSpec.create()
                .name("stoker")
                .addOption(flag("-h", "--help")
                        .usageHelp(true)
                        .scopeType(ScopeType.INHERIT)
                        .description("Show this help and exit.")
                        .build())
                .addOption(flag("-V", "--version")
                        .versionHelp(true)
                        .description("Show the version and exit.")
                        .build())
                .addOption(flag(DEBUG)
                        .scopeType(ScopeType.INHERIT)
                        .description("Show the stack trace of a failure (also: STOKER_DEBUG=1).")
                        .build())
                .versionProvider(() -> new String[] {version()});
        spec.usageMessage()
                .description("Pack millions of small files into one container and read it back at memory speed.")
                .synopsisSubcommandLabel("COMMAND")
                .commandListHeading("%nCommands:%n")
                .footerHeading("%nExamples:%n")
                .footer(
                        "  stoker demo                              pack sample pictures into every format and read them back",
                        "  stoker pack photos/ -o photos.arrow      pack one sample per file, labeled by its folder",
                        "  stoker inspect photos.arrow              show the contents of a container",
                        "  stoker verify photos.arrow               check every byte against its checksum",
                        "",
                        "See `stoker help COMMAND` for details. Set Java options in STOKER_JAVA_OPTS, such as -Xmx512m.",
                        "Exit codes: 0 success, 1 failure, 2 usage error.");
        return spec;
    }

    private static OptionSpec.Builder flag(String... names) {
        return OptionSpec.builder(names).type(boolean.class).arity("0");
    }

    /** The number of the version alone. */
    public static String number() {
        String version = Stoker.class.getPackage().getImplementationVersion();
        return Objects.requireNonNullElse(version, "(not packaged)");
    }

    private static String version() {
        return "stoker " + number() + " (Java "
                + System.getProperty("java.version") + ", " + System.getProperty("os.name") + " "
                + System.getProperty("os.arch") + ")";
    }
}
