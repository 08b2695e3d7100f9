package dev.stoker.bench.sweep;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.index.Placement;
import dev.stoker.json.Json;
import dev.stoker.os.AvailableCores;
import dev.stoker.sample.Samples;
import dev.stoker.write.Packer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The process that packs and reads one format. It is asked by lines of JSON on standard input, answers each by a line on
 * standard output, and ends with its input. Between two answers nothing is open or mapped.
 */
public final class Worker {
    private final Format format;
    private final Path folder;
    private final Workload workload;

    private Worker(Message start) {
        this.format = Formats.named(start.text("format"));
        this.folder = Path.of(start.text("folder"));
        this.workload = Workload.of(start);
    }

    /** Runs until standard input ends; the one argument says what to pack, where, and in which format. */
    public static void main(String[] args) throws IOException {
        PrintStream answers = System.out;
        System.setOut(System.err); // what others print is no answer
        var worker = new Worker(new Message(args[0]));
        var requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            answers.println(Json.write(worker.answer(new Message(line))));
            answers.flush();
        }
    }

    private Map<String, @Nullable Object> answer(Message request) {
        try {
            return request.text("do").equals("pack") ? pack(request) : pass(request);
        } catch (StokerException | OutOfMemoryError | InternalError e) {
            var failure = new LinkedHashMap<String, @Nullable Object>();
            failure.put("failed", String.valueOf(e.getMessage()));
            return failure;
        }
    }

    private Map<String, @Nullable Object> pack(Message request) {
        boolean fixed = request.flag("fixed_length");
        Path output = container(fixed);
        var how = new Packer.Settings(FormatOptions.NONE, AvailableCores.allocated(), false, true, false);
        long start = System.nanoTime();
        try (Samples samples = workload.open(format, fixed)) {
            long bytes = new Packer(samples, format, output, how, new Progress())
                    .run()
                    .bytes();
            var answer = new LinkedHashMap<String, @Nullable Object>();
            answer.put("path", output.toString());
            answer.put("seconds", (System.nanoTime() - start) / 1e9);
            answer.put("bytes", bytes);
            answer.put("mapping", mapping(output).name());
            return answer;
        }
    }

    /** Whether a feed can choose between mapping and positional reads. */
    private static Mapping mapping(Path output) {
        try (Container container = Container.open(output)) {
            for (int f = 0; f < container.schema().size(); f++) {
                if (container.index().placement(f).place() == Placement.Place.TREE) {
                    return Mapping.NEVER;
                }
            }
            return container.index().hasBlocks() ? Mapping.ALWAYS : Mapping.CHOICE;
        }
    }

    private Map<String, @Nullable Object> pass(Message request) {
        Setting setting = Setting.of(request);
        Path container = container(setting.fixedLength());
        if (setting.cold() && !(PageCache.drop(container) && isDroppedBeside(container))) {
            throw new StokerException("the system kept the files cached when asked to drop them, so cold reads can't be"
                    + " measured here (this happens on in-memory filesystems, and for files that other processes have"
                    + " mapped)");
        }
        var pass = new FeedPass(
                setting,
                request.number("epochs"),
                request.number("memory"),
                request.number("seed"),
                request.flag("digests"));
        return pass.over(container).toJson();
    }

    /** The sidecar is read too. */
    private static boolean isDroppedBeside(Path container) {
        Path sidecar = Sidecar.beside(container);
        return !Files.exists(sidecar) || PageCache.drop(sidecar);
    }

    private Path container(boolean fixed) {
        String ending =
                format.extensions().isEmpty() ? "" : "." + format.extensions().getFirst();
        return folder.resolve((fixed ? "fixed" : "variable") + ending);
    }
}
