package dev.stoker.bench.report;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a report comes from: a report that is found years later should say how to repeat it.
 *
 * @param version of Stoker
 * @param words of the command line, without the program
 */
public record Origin(ZonedDateTime time, String version, List<String> words) {
    private static final DateTimeFormatter MINUTES = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm XXX", Locale.ROOT);
    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

    /** The origin of what the running command writes. */
    public static Origin now(String version, List<String> words) {
        return new Origin(ZonedDateTime.now(ZoneId.systemDefault()), version, List.copyOf(words));
    }

    String date() {
        return time.format(MINUTES);
    }

    /** As a shell takes it. */
    String command() {
        return words.stream().map(Origin::quoted).collect(Collectors.joining(" ", "stoker ", ""));
    }

    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
