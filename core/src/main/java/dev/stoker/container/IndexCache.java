package dev.stoker.container;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/** The user's own folder for Indexes of containers in folders that this user may not write to. */
final class IndexCache {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private IndexCache() {}

    static Path folder() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path root =
                cache != null && !cache.isEmpty() ? Path.of(cache) : Path.of(System.getProperty("user.home"), ".cache");
        return root.toAbsolutePath().resolve("stoker");
    }

    static void make() throws IOException {
        Files.createDirectories(folder(), OWNER_ALONE);
    }

    static boolean holds(Path place) {
        return folder().equals(place.getParent());
    }

    /** Where the Index of a container is kept. */
    static Path place(Path container) {
        return place(container, Sidecar.ENDING);
    }

    /** Where it is noted that a container agrees with its Index. */
    static Path note(Path container) {
        return place(container, ".agrees");
    }

    private static Path place(Path container, String ending) {
        byte[] absolute = container.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8);
        return folder().resolve(container.getFileName() + "-" + UUID.nameUUIDFromBytes(absolute) + ending);
    }
}
