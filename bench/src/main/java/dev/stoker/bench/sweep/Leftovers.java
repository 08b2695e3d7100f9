package dev.stoker.bench.sweep;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** What a sweep wrote and nobody needs any more. */
final class Leftovers {
    private Leftovers() {}

    /** Deletes a folder with all in it; what cannot be deleted stays. */
    static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            // A file that stays must not take the result away.
        }
    }
}
