package dev.stoker.stage;

import dev.stoker.StokerException;
import dev.stoker.io.OutputNames;
import dev.stoker.json.Json;
import dev.stoker.stage.copy.StagedForm;
import dev.stoker.stage.node.PrivateFiles;
import dev.stoker.stage.node.ProcessHome;
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
 * @param owner on whose life it depends beside those who hold its lock: see {@link StagedOwner}
 * @param home where those live, and the owner
 * @param data where the data are, below the folder
 */
record StagedNote(
        String source, StagedForm form, String identity, String job, String owner, ProcessHome home, String data) {
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
        Path partial = OutputNames.partial(folder.resolve(NAME));
        try (var out = Files.newOutputStream(PrivateFiles.file(partial))) {
            out.write(Json.write(values).getBytes(StandardCharsets.UTF_8));
        }
        Files.move(partial, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Reads it; null if it is not there or is none. */
    static @Nullable StagedNote read(Path folder) {
        try (var in = Files.newInputStream(folder.resolve(NAME))) {
            if (!(Json.parse(in, NAME, MAX_BYTES) instanceof Map<?, ?> values)) {
                return null;
            }
            return new StagedNote(
                    text(values, "source"),
                    StagedForm.valueOf(text(values, "form")),
                    text(values, "identity"),
                    text(values, "job"),
                    text(values, "owner"),
                    new ProcessHome(text(values, "host"), text(values, "boot"), text(values, "processes")),
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
