package dev.stoker.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** What a measurement wrote and nobody needs any more. */
public final class Leftovers {
    private Leftovers() {}

    /** Deletes a folder with all in it; what cannot be deleted stays. */
    public static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            // A file that stays must not take the result away.
        }
    }
}
