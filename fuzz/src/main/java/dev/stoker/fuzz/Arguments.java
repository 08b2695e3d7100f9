package dev.stoker.fuzz;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Options with one value each; unknown ones are refused. */
record Arguments(Map<String, List<String>> values) {
    static Arguments of(String[] words, String... known) {
        var values = new LinkedHashMap<String, List<String>>();
        for (int i = 0; i < words.length; i += 2) {
            if (!List.of(known).contains(words[i]) || i + 1 == words.length) {
                throw new IllegalArgumentException(
                        "'" + words[i] + "' is no option with a value; there are " + String.join(", ", known));
            }
            values.computeIfAbsent(words[i], name -> new ArrayList<>()).add(words[i + 1]);
        }
        return new Arguments(values);
    }

    List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    String text(String name, String otherwise) {
        return all(name).isEmpty() ? otherwise : all(name).getLast();
    }

    long number(String name, long otherwise) {
        return Long.parseLong(text(name, String.valueOf(otherwise)).replace("_", ""));
    }
}
