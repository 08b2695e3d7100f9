package dev.stoker.cli.help;

import java.util.Set;
import picocli.CommandLine.Model.OptionSpec;

/** The headings under which help lists options, in the order of the help: what most people need comes first. */
public enum OptionGroup {
    MAIN("Options"),
    SAMPLES("Samples and order"),
    FIELDS("Fields and layout"),
    PICTURES("Pictures and arrays"),
    RESUMING("Resuming and proof"),
    DAMAGE("Damaged samples"),
    RANKS("Several processes"),
    SPEED("Speed and storage"),
    METRICS("Metrics"),
    GENERAL("General options");

    /** Options that mean the same in every command. */
    private static final Set<String> EVERYWHERE = Set.of("--json", "--help", "--version", "--debug");

    private final String title;

    OptionGroup(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }

    /** The group of an option: its own {@link Grouped}, or that of the class that declares it. */
    static OptionGroup of(OptionSpec option) {
        if (EVERYWHERE.contains(option.longestName())) {
            return GENERAL;
        }
        if (!(option.userObject() instanceof java.lang.reflect.Field field)) {
            return MAIN;
        }
        Grouped own = field.getAnnotation(Grouped.class);
        Grouped ofClass = field.getDeclaringClass().getAnnotation(Grouped.class);
        return own != null ? own.value() : ofClass != null ? ofClass.value() : MAIN;
    }
}
