package dev.stoker.stage;

import dev.stoker.StokerException;
import dev.stoker.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a staged folder is.
 *
 * @param source the absolute path that it was staged from
 * @param identity what the source was then; a copy that is kept serves as long as this stays the same
 * @param job the scheduler's name of the job whose processes share it; empty if it is one process's own
 * @param owner on whose life it depends beside those who hold its lock: see {@link Owner}
 * @param home where those live, and the owner
 * @param data where the data are, below the folder
 */
record Note(String source, Form form, String identity, String job, String owner, Home home, String data) {
    static final String NAME = "note.json";
    private static final int MAX_BYTES = 64 << 10;

    /** Writes it so that who sees it sees all of it. */
    void write(Path folder) throws IOException {
        var values = new LinkedHashMap<String, Object>();
        values.put("source", source);
        values.put("form", form.name());
        values.put("identity", identity);
        values.put("job", job);
        values.put("owner", owner);
        values.put("host", home.host());
        values.put("boot", home.boot());
        values.put("processes", home.processes());
        values.put("data", data);
        Path partial = folder.resolve(NAME + ".partial");
        try (var out = Files.newOutputStream(Private.file(partial))) {
            out.write(Json.write(values).getBytes(StandardCharsets.UTF_8));
        }
        Files.move(partial, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Reads it; null if it is not there or is none. */
    static @Nullable Note read(Path folder) {
        try (var in = Files.newInputStream(folder.resolve(NAME))) {
            if (!(Json.parse(in, NAME, MAX_BYTES) instanceof Map<?, ?> values)) {
                return null;
            }
            return new Note(
                    text(values, "source"),
                    Form.valueOf(text(values, "form")),
                    text(values, "identity"),
                    text(values, "job"),
                    text(values, "owner"),
                    new Home(text(values, "host"), text(values, "boot"), text(values, "processes")),
                    text(values, "data"));
        } catch (IOException | StokerException | IllegalArgumentException e) {
            return null;
        }
    }

    private static String text(Map<?, ?> values, String name) {
        if (values.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(name);
    }
}
