package dev.stoker.bench.peer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Virtual environments of Python, made when a peer needs one and kept for the next time. pip takes packages from where
 * the user has told it to. Where one environment extends another, or one that the user has, it only gets what that one
 * lacks; the other is not changed.
 */
final class Environments {
    private static final Duration LIMIT = Duration.ofMinutes(30);
    private static final String COMPLETE = "complete";

    private final Path folder;
    private final @Nullable Path existing;
    private final Catalog catalog;
    private final Consumer<String> said;
    /** By name: where each is, or why there is none. */
    private final Map<String, Object> made = new HashMap<>();

    /**
     * Makes nothing yet.
     *
     * @param folder where they are kept
     * @param existing an environment of the user's whose packages all others see, or null
     * @param said is told what takes long
     */
    Environments(Path folder, @Nullable Path existing, Catalog catalog, Consumer<String> said) {
        this.folder = folder;
        this.existing = existing;
        this.catalog = catalog;
        this.said = said;
    }

    /** The interpreter for a peer, with all that it needs. */
    Path pythonFor(Peer peer) throws PeerFailure {
        Path environment = environment(peer.environment());
        if (!peer.install().isEmpty()) {
            Path mark = environment.resolve("has-" + peer.name());
            if (!Files.exists(mark)) {
                install(environment, peer.install(), peer.name());
                touch(mark);
            }
        }
        return python(environment);
    }

    /** The environment of a name; that it failed once is known the next time. */
    private Path environment(String name) throws PeerFailure {
        Object known = made.get(name);
        if (known == null) {
            try {
                known = make(name);
            } catch (PeerFailure e) {
                known = e;
            }
            made.put(name, known);
        }
        if (known instanceof PeerFailure failure) {
            throw failure;
        }
        return (Path) known;
    }

    private Path make(String name) throws PeerFailure {
        Catalog.Environment environment =
                Objects.requireNonNull(catalog.environments().get(name), name);
        @Nullable Path parent = environment.parent().isEmpty() ? existing : environment(environment.parent());
        Path base = existing == null ? Path.of(systemPython()) : python(existing);
        Path place = folder.resolve(name + "-" + hash(base + "|" + parent + "|" + environment.install()));
        if (Files.exists(place.resolve(COMPLETE))) {
            return place;
        }
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new PeerFailure("[" + folder + "] cannot be made: " + e.getMessage(), e);
        }
        // Where an earlier run was stopped, it is made anew over what is there.
        run(place, "the environment " + name, List.of(base.toString(), "-m", "venv", "--clear", place.toString()));
        if (parent != null) {
            extend(place, parent);
        }
        install(place, environment.install(), name);
        touch(place.resolve(COMPLETE));
        return place;
    }

    private static String systemPython() {
        return Objects.requireNonNullElse(System.getenv("STOKER_PYTHON"), "python3");
    }

    private static Path python(Path environment) {
        return environment.resolve("bin").resolve("python");
    }

    /** Lets an environment see the packages of another, after its own. */
    private void extend(Path place, Path parent) throws PeerFailure {
        String script = "import sysconfig, subprocess, sys; own = sysconfig.get_path('purelib');"
                + " other = subprocess.run([sys.argv[1], '-c', 'import sysconfig; print(sysconfig.get_path(\"purelib\"))'],"
                + " check=True, stdout=subprocess.PIPE, text=True).stdout.strip();"
                + " open(own + '/extends.pth', 'w').write(f'import site; site.addsitedir({other!r})\\n')";
        run(
                place,
                "the environment's parent",
                List.of(python(place).toString(), "-c", script, python(parent).toString()));
    }

    private void install(Path place, List<String> packages, String what) throws PeerFailure {
        if (packages.isEmpty()) {
            return;
        }
        said.accept("installing " + String.join(" ", packages) + " (log: " + log(place) + ")");
        var command = new ArrayList<>(List.of(
                python(place).toString(),
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--retries",
                "1"));
        command.addAll(packages);
        run(place, what, command);
    }

    private static void run(Path place, String what, List<String> command) throws PeerFailure {
        try {
            Sessions.run(command, log(place), LIMIT);
        } catch (PeerFailure e) {
            throw new PeerFailure(what + " cannot be installed: " + e.reason() + " (log: " + log(place) + ")", e);
        }
    }

    private static Path log(Path place) {
        return place.resolveSibling(place.getFileName() + ".log");
    }

    private static void touch(Path mark) throws PeerFailure {
        try {
            Files.write(mark, new byte[0]);
        } catch (IOException e) {
            throw new PeerFailure("[" + mark + "] cannot be written: " + e.getMessage(), e);
        }
    }

    private static String hash(String text) {
        var crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return "%08x".formatted(crc.getValue());
    }
}
