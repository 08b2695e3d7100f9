package dev.stoker.s3;

import dev.stoker.StokerException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sections of {@code ~/.aws/config} or {@code ~/.aws/credentials}: lines {@code name = value} below {@code [section]}.
 * A name without a value begins a group: its indented lines are known as {@code group.name}.
 */
final class Profiles {
    private static final Pattern SECTION = Pattern.compile("\\[\\s*(?:profile\\s+)?(.*?)\\s*].*");
    private static final Pattern SETTING = Pattern.compile("(\\s*)([^=\\s]+)\\s*=\\s*(.*?)\\s*");

    private final Map<String, Map<String, String>> sections = new HashMap<>();

    private Profiles() {}

    /** Reads a file; one that is not there has no sections. */
    static Profiles read(Path file) {
        var profiles = new Profiles();
        if (!Files.exists(file)) {
            return profiles;
        }
        try {
            profiles.parse(Files.readString(file, StandardCharsets.UTF_8));
            return profiles;
        } catch (IOException e) {
            throw new StokerException(file, "cannot be read, but the S3 credentials may be in it", e);
        }
    }

    private void parse(String text) {
        Map<String, String> section = new HashMap<>();
        String group = "";
        for (String line : text.split("\\R", -1)) {
            Matcher begins = SECTION.matcher(line.strip());
            Matcher setting = SETTING.matcher(line);
            if (line.isBlank() || line.strip().startsWith("#") || line.strip().startsWith(";")) {
                continue;
            }
            if (begins.matches()) {
                section = sections.computeIfAbsent(begins.group(1), name -> new HashMap<>());
                group = "";
            } else if (setting.matches()) {
                boolean isIndented = !setting.group(1).isEmpty();
                if (!isIndented) {
                    group = setting.group(3).isEmpty() ? setting.group(2) + "." : "";
                }
                section.put((isIndented ? group : "") + setting.group(2), setting.group(3));
            }
        }
    }

    boolean has(String section) {
        return sections.containsKey(section);
    }

    /** A setting; empty if there is none. */
    String get(String section, String name) {
        return sections.getOrDefault(section, Map.of()).getOrDefault(name, "");
    }
}
