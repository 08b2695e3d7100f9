package dev.stoker.bench.report;

import dev.stoker.bench.sweep.SweepResult;
import dev.stoker.io.OutputNames;
import dev.stoker.json.Json;
import dev.stoker.os.FileErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** All that is written of a sweep. */
public final class Reports {
    /** The report for people, in the folder. */
    public static final String PAGE = "report.html";

    private final SweepResult result;
    private final Origin origin;

    public Reports(SweepResult result, Origin origin) {
        this.result = result;
        this.origin = origin;
    }

    /** Writes everything into a folder; each file gets its name when it is complete. */
    public void write(Path folder) {
        write(folder.resolve("results.json"), json());
        write(folder.resolve("results.csv"), ResultsCsv.of(result));
        write(folder.resolve(PAGE), new Page(result, origin).html());
    }

    public String json() {
        return Json.writePretty(ResultsJson.of(result, origin)) + "\n";
    }

    /**
     * For people at a terminal.
     *
     * @param columns of the terminal; 0 if it is none, then there are no colours
     */
    public String table(int columns) {
        return new TerminalTable(result, columns).text();
    }

    private static void write(Path file, String text) {
        Path partial = OutputNames.partial(file);
        try {
            Files.writeString(partial, text);
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(file, e);
        }
    }
}
