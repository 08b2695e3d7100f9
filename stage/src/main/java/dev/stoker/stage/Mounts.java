package dev.stoker.stage;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

final class Mounts {
    static final String FOLDER = "mount";

    private Mounts() {}

    static @Nullable String refusal() {
        return "not yet";
    }

    static void serve(Path container, Path point) {}

    static void unmount(Path point) {}
}
