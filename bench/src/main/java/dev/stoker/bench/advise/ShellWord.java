package dev.stoker.bench.advise;

import java.nio.file.Path;

/** Words as a POSIX shell, and Python, read them back. */
final class ShellWord {
    private ShellWord() {}

    static String of(Path path) {
        // What begins with a hyphen would be an option.
        String text = path.toString();
        return of(text.startsWith("-") ? "./" + text : text);
    }

    /** As it is if no shell sees more in it than letters, else between quotes. */
    static String of(String text) {
        return text.matches("[A-Za-z0-9_./:@%+,=-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
