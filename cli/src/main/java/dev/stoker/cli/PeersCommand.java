package dev.stoker.cli;

import dev.stoker.StokerException;
import dev.stoker.bench.peer.Catalog;
import dev.stoker.bench.peer.Contest;
import dev.stoker.bench.peer.Job;
import dev.stoker.bench.peer.Peer;
import dev.stoker.bench.peer.Standing;
import dev.stoker.json.Json;
import dev.stoker.memory.Cores;
import dev.stoker.memory.OutputFile;
import dev.stoker.memory.OwnFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "peers",
        description = {
            "Measures what people use instead, beside Stoker, on the same files in the same run.",
            "Jobs: raw (bytes of shuffled samples into memory) and photos (JPEG decoded, cropped to 224, flipped). Each contestant runs in"
                    + " its own process and tries its settings first; the best one counts. Python packages are installed by pip into virtual"
                    + " environments that are kept (PyTorch alone takes some GB). A peer that cannot be installed, crashes, hangs or delivers"
                    + " something else is listed with the reason."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker bench peers --list",
            "  stoker bench peers --data photos/",
            "  stoker bench peers --data photos/ --job raw --only stoker-loader,h5py,lmdb --samples 1000",
            "  stoker bench peers --data photos/ --job photos --venv ~/my-torch-environment --json"
        })
final class PeersCommand implements Callable<Integer> {
    private static final int PICTURES_EACH = 128;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "A folder of files, by default pictures that are drawn. For photos it must have .jpg files.")
    private @Nullable Path data;

    @Option(names = "--job", split = ",", description = "${COMPLETION-CANDIDATES} (default: all).")
    private List<Word> jobs = List.of(Word.values());

    @Option(names = "--only", paramLabel = "NAME", split = ",", description = "Only these peers.")
    private List<String> only = List.of();

    @Option(names = "--list", description = "List the peers, and measure nothing.")
    private boolean list;

    @Option(names = "--samples", paramLabel = "N", description = "Files, at most (default: ${DEFAULT-VALUE}).")
    private int samples = 2000;

    @Option(names = "--batch", paramLabel = "N", description = "Samples in a batch (default: ${DEFAULT-VALUE}).")
    private int batch = 64;

    @Option(names = "--workers", paramLabel = "N", description = "Threads or processes of each (default: cores).")
    private int workers = Cores.allocated();

    @Option(names = "--repeat", paramLabel = "R", description = "Turns of each (default: ${DEFAULT-VALUE}).")
    private int repeats = 5;

    @Option(
            names = "--turn-seconds",
            paramLabel = "S",
            description = "A turn is whole epochs and takes so long at least (default: ${DEFAULT-VALUE}).")
    private double turnSeconds = 2;

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            description = "Who takes longer to get ready, or for a turn, is left out (default: ${DEFAULT-VALUE}).")
    private long limit = 600;

    @Option(names = "--seed", paramLabel = "S", description = "Of the orders (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--venv",
            paramLabel = "DIR",
            description = "A virtual environment of yours: only what it lacks is installed, elsewhere.")
    private @Nullable Path venv;

    @Option(
            names = "--environments",
            paramLabel = "DIR",
            description = "Where virtual environments are made and kept (default: stoker/peers in the user's cache).")
    private Path environments = cache();

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "For the files of each, which are deleted, logs and result.json (default: ${DEFAULT-VALUE}).")
    private Path work = Path.of("stoker-peers");

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    /** The jobs as one types them. */
    enum Word {
        raw(Job.RAW),
        photos(Job.PHOTOS);

        private final Job job;

        Word(Job job) {
            this.job = job;
        }
    }

    @Override
    public Integer call() {
        Catalog catalog = Catalog.read().only(only);
        if (list) {
            list(catalog);
            return 0;
        }
        check();
        Path folder = data == null ? drawn() : data;
        var settings = new Contest.Settings(
                samples,
                batch,
                workers,
                repeats,
                turnSeconds,
                Duration.ofSeconds(limit),
                seed,
                venv == null ? null : venv.toAbsolutePath(),
                environments.toAbsolutePath(),
                work);
        var contest = new Contest(catalog, settings, this::say);
        var tables = new ArrayList<Standing.Table>();
        for (Word word : jobs) {
            tables.add(contest.run(word.job, folder));
        }
        Path result = work.resolve("result.json");
        Report report = PeersReport.of(tables, settings, folder);
        save(report, result);
        report.line("").line("Every turn is in " + result + ", what each peer said in " + work + "/JOB/NAME.log");
        report.print(spec.commandLine().getOut(), json);
        return tables.stream().allMatch(table -> table.standings().isEmpty()) ? 1 : 0;
    }

    private void check() {
        if (samples < 1 || batch < 1 || workers < 1 || repeats < 1 || limit < 1 || !(turnSeconds >= 0)) {
            throw new StokerException("--samples, --batch, --workers, --repeat and --limit should be at least 1,"
                    + " --turn-seconds at least 0");
        }
        if (data != null && !Files.isDirectory(data)) {
            throw new StokerException("[" + data + "] expected a folder of files but there is none");
        }
        if (venv != null && !Files.isExecutable(venv.resolve("bin").resolve("python"))) {
            throw new StokerException("[" + venv + "] expected a virtual environment but it has no bin/python");
        }
    }

    private void list(Catalog catalog) {
        for (Peer peer : catalog.peers()) {
            String named = String.join(",", peer.jobs().stream().map(Job::word).toList());
            spec.commandLine().getOut().printf("%-18s %-12s %s%n", peer.name(), named, peer.title());
        }
        spec.commandLine().getOut().flush();
    }

    private Path drawn() {
        Path pictures = work.resolve("pictures");
        if (!Files.exists(pictures)) {
            say("drawing " + 4 * PICTURES_EACH + " pictures");
            DemoPictures.write(pictures, PICTURES_EACH);
        }
        return pictures;
    }

    private void say(String line) {
        spec.commandLine().getErr().println(line);
        spec.commandLine().getErr().flush();
    }

    private static void save(Report report, Path file) {
        try {
            String text = Json.writePretty(report.values()) + System.lineSeparator();
            OwnFile.write(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw OutputFile.cannotWrite(file, e);
        }
    }

    private static Path cache() {
        String home = Objects.requireNonNullElse(System.getProperty("user.home"), ".");
        String named = System.getenv("XDG_CACHE_HOME");
        Path folder = named == null || named.isEmpty() ? Path.of(home, ".cache") : Path.of(named);
        return folder.resolve("stoker").resolve("peers");
    }
}
