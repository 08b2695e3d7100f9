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
final class Stoker {
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
                        .description("On failure, show the stack trace (also: STOKER_DEBUG=1).")
                        .build())
                .versionProvider(() -> new String[] {version()});
        spec.usageMessage()
                .description("Packs millions of small files into one container, and reads it back at memory speed.")
                .synopsisSubcommandLabel("COMMAND")
                .optionListHeading("%nOptions:%n")
                .commandListHeading("%nCommands:%n")
                .footerHeading("%nExamples:%n")
                .footer(
                        "  stoker demo                              packs a few pictures into every format and reads them back",
                        "  stoker pack photos/ -o photos.arrow      one sample for each file, its folder as label",
                        "  stoker inspect photos.arrow              what is in a container",
                        "  stoker verify photos.arrow               is every byte still as it was packed?",
                        "",
                        "`stoker COMMAND --help` says more about each. Java options go into STOKER_JAVA_OPTS, e.g. -Xmx512m.",
                        "Exit codes: 0 done, 1 failed, 2 wrong use.");
        return spec;
    }

    private static OptionSpec.Builder flag(String... names) {
        return OptionSpec.builder(names).type(boolean.class).arity("0");
    }

    /** The number of the version alone. */
    static String number() {
        String version = Stoker.class.getPackage().getImplementationVersion();
        return Objects.requireNonNullElse(version, "(not packaged)");
    }

    private static String version() {
        return "stoker " + number() + " (Java "
                + System.getProperty("java.version") + ", " + System.getProperty("os.name") + " "
                + System.getProperty("os.arch") + ")";
    }
}
