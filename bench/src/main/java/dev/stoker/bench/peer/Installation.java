package dev.stoker.bench.peer;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where this Stoker lies, for contestants that are Stoker: the distribution with the command, and the Python package that
 * belongs to it, in a wheel around the distribution, or in the sources it was built from.
 *
 * @param distribution null where this program runs from elsewhere, as in a test
 */
record Installation(@Nullable Path distribution) {
    /** That of the running program. */
    static Installation find() {
        try {
            Path jar = Path.of(Installation.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Path top = Optional.ofNullable(jar.getParent()).map(Path::getParent).orElse(jar);
            return new Installation(Files.isExecutable(commandIn(top)) ? top : null);
        } catch (URISyntaxException e) {
            return new Installation(null);
        }
    }

    String command() throws PeerFailure {
        if (distribution == null) {
            throw new PeerFailure("there is no command 'stoker' beside this program");
        }
        return commandOrEmpty();
    }

    String commandOrEmpty() {
        return distribution == null ? "" : commandIn(distribution).toString();
    }

    /** Lets scripts of a folder import the package {@code stoker}, and nothing else from where it lies. */
    void linkPackage(Path scripts) throws IOException {
        Path link = scripts.resolve("stoker");
        if (distribution == null || Files.isSymbolicLink(link)) {
            return;
        }
        List<Path> places = List.of(distribution.resolve(".."), distribution.resolve("../../python/src/stoker"));
        for (Path place : places) {
            if (Files.exists(place.resolve("_loader/loader.py"))) {
                Files.createSymbolicLink(link, place.toRealPath());
                return;
            }
        }
    }

    /** For the process of a contestant. */
    Map<String, String> variables(String contestant) {
        var variables = new HashMap<String, String>();
        if (distribution != null) {
            variables.put("STOKER", commandOrEmpty());
            // A reader process of its own, which nobody else uses.
            variables.put(
                    "STOKER_JOB", contestant + " " + ProcessHandle.current().pid());
        }
        return variables;
    }

    private static Path commandIn(Path distribution) {
        return distribution.resolve("bin").resolve("stoker");
    }
}
