package dev.stoker.sample;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The names of files that desktops leave behind, in folders and in the archives made of them. No data set means them. */
public final class JunkNames {
    /** In a zip, macOS puts the attributes of all files into a folder of their own. */
    private static final String APPLE_FOLDER = "__MACOSX";

    /** Elsewhere it puts them beside the file, under the file's name with this before it. */
    private static final String APPLE_DOUBLE = "._";

    private JunkNames() {}

    /** Whether a file or folder is junk by its own name, wherever it is. */
    public static boolean isJunk(byte[] name) {
        String text = text(name);
        return text.equals(APPLE_FOLDER) || ofFile(text) != null;
    }

    /** Which junk a file of an archive is, as a pattern of its name, or null if it may be a sample. */
    public static @Nullable String kind(byte[] path) {
        String text = text(path);
        int from = 0;
        for (int slash = text.indexOf('/'); slash >= 0; slash = text.indexOf('/', from)) {
            if (text.substring(from, slash).equals(APPLE_FOLDER)) {
                return APPLE_FOLDER + "/";
            }
            from = slash + 1;
        }
        return ofFile(text.substring(from));
    }

    private static @Nullable String ofFile(String name) {
        return switch (name) {
            case ".DS_Store", "Thumbs.db", "desktop.ini" -> name;
            default -> name.startsWith(APPLE_DOUBLE) ? APPLE_DOUBLE + "*" : null;
        };
    }

    /** Keeps each byte; all names that are asked for are ASCII. */
    private static String text(byte[] name) {
        return new String(name, StandardCharsets.ISO_8859_1);
    }
}
