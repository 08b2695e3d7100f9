package dev.stoker.cli;

import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command {@code stoker} itself: the options that every sub-command has too. */
@Command(
        name = "stoker",
        description = "Packs millions of small files into one container, and reads it back at memory speed.",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = Stoker.Version.class,
        optionListHeading = "%nOptions:%n",
        commandListHeading = "%nCommands:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker demo                              packs a few pictures into every format and reads them back",
            "  stoker pack photos/ -o photos.arrow      one sample for each file, its folder as label",
            "  stoker inspect photos.arrow              what is in a container",
            "  stoker verify photos.arrow               is every byte still as it was packed?",
            "",
            "`stoker COMMAND --help` says more about each. Java options go into STOKER_JAVA_OPTS, e.g. -Xmx512m.",
            "Exit codes: 0 done, 1 failed, 2 wrong use."
        })
final class Stoker {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and exit.")
    boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version and exit.")
    boolean version;

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "On failure, show the stack trace (also: STOKER_DEBUG=1).")
    private boolean debug;

    boolean debug() {
        return debug
                || Objects.requireNonNullElse(System.getenv("STOKER_DEBUG"), "0")
                        .equals("1");
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version =
                    Objects.requireNonNullElse(Stoker.class.getPackage().getImplementationVersion(), "(not packaged)");
            return new String[] {
                "stoker %s (Java %s, %s %s)"
                        .formatted(
                                version,
                                System.getProperty("java.version"),
                                System.getProperty("os.name"),
                                System.getProperty("os.arch"))
            };
        }
    }
}
