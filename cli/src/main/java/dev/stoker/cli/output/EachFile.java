package dev.stoker.cli.output;

import dev.stoker.StokerException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A command that reports on one file, or on several in turn. Of several, one that fails is reported and the others still
 * get their turn; the exit code is the worst, and JSON is a list.
 */
public final class EachFile {
    private final CommandSpec spec;
    private final boolean json;

    public EachFile(CommandSpec spec, boolean json) {
        this.spec = spec;
        this.json = json;
    }

    /** What a command found in a file, and the exit code that this gives. */
    public record Found(Report report, int code) {}

    /** The exit code of the command. */
    public int run(List<Path> files, Function<Path, Found> look) throws Exception {
        CommandLine line = spec.commandLine();
        if (files.size() == 1) {
            Found found = look.apply(files.getFirst());
            found.report().print(line.getOut(), json);
            return found.code();
        }
        var listed = new ArrayList<Map<String, @Nullable Object>>();
        int worst = 0;
        for (Path file : files) {
            try {
                Found found = look.apply(file);
                worst = Math.max(worst, found.code());
                listed.add(found.report().values());
                if (!json) {
                    found.report().print(line.getOut(), false);
                }
            } catch (StokerException e) {
                worst = Math.max(
                        worst,
                        line.getExecutionExceptionHandler().handleExecutionException(e, line, line.getParseResult()));
            }
        }
        if (json) {
            Report.printList(listed, line.getOut());
        }
        return worst;
    }
}
