package dev.stoker.bench.peer;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.json.Expect;
import dev.stoker.json.Json;
import dev.stoker.text.Spelling;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All peers and the environments that they run in, as {@code catalog.json} lists them.
 *
 * @param peers in the order of the report
 */
public record Catalog(List<Peer> peers, Map<String, Environment> environments) {
    private static final String FILE = "catalog.json";
    /** What scripts import from each other. */
    private static final List<String> SHARED = List.of("contest.py", "ways.py", "torch_photos.py", "stoker_loader.py");

    /**
     * A virtual environment.
     *
     * @param parent the name of another one whose packages it sees; empty for none
     * @param install what {@code pip install} is told
     */
    record Environment(String parent, List<String> install) {}

    /** That of this program. */
    public static Catalog read() {
        try (InputStream in = resource(FILE)) {
            Object all = Json.parse(in, FILE, Json.DEFAULT_MAX_BYTES);
            var peers = new ArrayList<Peer>();
            for (Object one : Expect.list(FILE, Expect.member(FILE, all, "peers"))) {
                peers.add(peer(one));
            }
            var environments = new LinkedHashMap<String, Environment>();
            if (Expect.member(FILE, all, "environments") instanceof Map<?, ?> found) {
                found.forEach((name, one) -> environments.put(
                        String.valueOf(name), new Environment(text(one, "extends"), texts(one, "install"))));
            }
            return new Catalog(peers, environments);
        } catch (IOException e) {
            throw new StokerException(FILE, "cannot read: " + e, e);
        }
    }

    /** Those of these names, or all if there are none. */
    public Catalog only(List<String> names) {
        for (String name : names) {
            if (peers.stream().noneMatch(peer -> peer.name().equals(name))) {
                List<String> known = peers.stream().map(Peer::name).toList();
                throw new UsageException("unknown peer '" + name + "' in --only; available peers: "
                        + String.join(", ", known) + Spelling.hint(name, known));
            }
        }
        return names.isEmpty()
                ? this
                : new Catalog(
                        peers.stream()
                                .filter(peer -> names.contains(peer.name()))
                                .toList(),
                        environments);
    }

    /** Puts all scripts into a folder. */
    void writeScripts(Path folder) throws IOException {
        Files.createDirectories(folder);
        Set<String> names = peers.stream().map(Peer::script).collect(Collectors.toSet());
        names.addAll(SHARED);
        names.remove("");
        for (String name : names) {
            try (InputStream in = resource(name)) {
                Files.write(folder.resolve(name), in.readAllBytes());
            }
        }
    }

    private static InputStream resource(String name) {
        return Objects.requireNonNull(Catalog.class.getResourceAsStream(name), name);
    }

    private static Peer peer(@Nullable Object one) {
        var jobs = EnumSet.noneOf(Job.class);
        for (String job : texts(one, "jobs")) {
            jobs.add(Job.valueOf(job.toUpperCase(Locale.ROOT)));
        }
        return new Peer(
                text(one, "name"),
                text(one, "title"),
                jobs,
                text(one, "script"),
                text(one, "variant"),
                text(one, "environment"),
                texts(one, "install"));
    }

    private static String text(@Nullable Object one, String name) {
        Object found = Expect.member(FILE, one, name);
        return found == null ? "" : Expect.text(FILE, found);
    }

    private static List<String> texts(@Nullable Object one, String name) {
        Object found = Expect.member(FILE, one, name);
        return found == null ? List.of() : Expect.texts(FILE, found);
    }
}
