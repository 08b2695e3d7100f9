package dev.stoker.cli.bench;

import dev.stoker.UsageException;
import dev.stoker.bench.peer.Catalog;
import dev.stoker.bench.peer.Contest;
import dev.stoker.bench.peer.Job;
import dev.stoker.bench.peer.Peer;
import dev.stoker.bench.peer.Standing;
import dev.stoker.cli.output.Report;
import dev.stoker.json.Json;
import dev.stoker.os.AvailableCores;
import dev.stoker.os.FileErrors;
import dev.stoker.os.TrustedFile;
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
            "Compare Stoker with other libraries, on the same files in the same run.",
            "Jobs: raw (bytes of shuffled samples into memory) and photos (JPEG decoded, cropped to 224, flipped). Each peer"
                    + " runs in its own process and tries several settings first; the best one counts. Python packages are"
                    + " installed by pip into virtual environments that are kept (PyTorch alone takes several GB). A peer"
                    + " that cannot be installed, crashes, hangs or delivers wrong samples is listed with the reason."
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
            description = "A folder of files, for --job photos with .jpg files (default: generated pictures).")
    private @Nullable Path data;

    @Option(
            names = "--job",
            paramLabel = "JOB",
            split = ",",
            description = "Jobs to run: ${COMPLETION-CANDIDATES} (default: all).")
    private List<Word> jobs = List.of(Word.values());

    @Option(names = "--only", paramLabel = "NAME", split = ",", description = "Run only these peers.")
    private List<String> only = List.of();

    @Option(names = "--list", description = "List the peers and exit.")
    private boolean list;

    @Option(names = "--samples", paramLabel = "N", description = "Maximum number of files (default: ${DEFAULT-VALUE}).")
    private int samples = 2000;

    @Option(names = "--batch", paramLabel = "N", description = "Samples per batch (default: ${DEFAULT-VALUE}).")
    private int batch = 64;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Threads or processes per peer (default: one per core).")
    private int workers = AvailableCores.allocated();

    @Option(names = "--repeat", paramLabel = "N", description = "Turns per peer (default: ${DEFAULT-VALUE}).")
    private int repeats = 5;

    @Option(
            names = "--turn-seconds",
            paramLabel = "SECONDS",
            description = "Minimum duration of a turn, rounded up to whole epochs (default: ${DEFAULT-VALUE}).")
    private double turnSeconds = 2;

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            description = "Skip peers that take longer than this to start, or for a turn (default: ${DEFAULT-VALUE}).")
    private long limit = 600;

    @Option(names = "--seed", paramLabel = "SEED", description = "Seed of the orders (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--venv",
            paramLabel = "DIR",
            description = "Your own virtual environment; only missing packages are installed, elsewhere.")
    private @Nullable Path venv;

    @Option(
            names = "--environments",
            paramLabel = "DIR",
            description = "Where to create and keep virtual environments (default: stoker/peers in your cache folder).")
    private Path environments = cache();

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "Folder for temporary files, logs and result.json (default: ${DEFAULT-VALUE}).")
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
        report.line("").line("All turns: " + result + "; logs: " + work + "/JOB/NAME.log");
        report.print(spec.commandLine().getOut(), json);
        return tables.stream().allMatch(table -> table.standings().isEmpty()) ? 1 : 0;
    }

    private void check() {
        if (samples < 1 || batch < 1 || workers < 1 || repeats < 1 || limit < 1 || !(turnSeconds >= 0)) {
            throw new UsageException("--samples, --batch, --workers, --repeat and --limit should be at least 1,"
                    + " --turn-seconds at least 0");
        }
        if (data != null && !Files.isDirectory(data)) {
            throw new UsageException("[" + data + "] is not a folder");
        }
        if (venv != null && !Files.isExecutable(venv.resolve("bin").resolve("python"))) {
            throw new UsageException("[" + venv + "] is not a virtual environment: it has no bin/python");
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
            say("generating " + 4 * PICTURES_EACH + " pictures");
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
            TrustedFile.write(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw FileErrors.cannotWrite(file, e);
        }
    }

    private static Path cache() {
        String home = Objects.requireNonNullElse(System.getProperty("user.home"), ".");
        String named = System.getenv("XDG_CACHE_HOME");
        Path folder = named == null || named.isEmpty() ? Path.of(home, ".cache") : Path.of(named);
        return folder.resolve("stoker").resolve("peers");
    }
}
