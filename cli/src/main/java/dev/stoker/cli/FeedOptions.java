package dev.stoker.cli;

import dev.stoker.StokerException;
import dev.stoker.feed.BadPolicy;
import dev.stoker.feed.Dataset;
import dev.stoker.feed.FeedBuilder;
import dev.stoker.feed.LastBatch;
import dev.stoker.feed.Mix;
import dev.stoker.feed.Order;
import dev.stoker.feed.Ranges;
import dev.stoker.feed.ReadMode;
import dev.stoker.feed.Subset;
import dev.stoker.feed.Tail;
import dev.stoker.feed.View;
import dev.stoker.memory.MappedFile;
import dev.stoker.pack.Ranks;
import dev.stoker.text.Sizes;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what a feed delivers and how. */
final class FeedOptions {
    /** See {@link Tail}; as the command writes it. */
    enum TailOption {
        even,
        drop,
        ragged
    }

    /** See {@link LastBatch}; as the command writes it. */
    enum LastBatchOption {
        keep,
        drop
    }

    /** See {@link ReadMode}; as the command writes it. */
    enum ReadOption {
        map,
        pread,
        direct,
        auto
    }

    /** How datasets of different fields come together. */
    enum Compose {
        joined,
        separate
    }

    @Option(names = "--batch", paramLabel = "N", description = "Samples in a batch (default: ${DEFAULT-VALUE}).")
    private int batch = 64;

    @Option(
            names = "--order",
            paramLabel = "O",
            description = "sequential, shuffled, or blocks[:RUN[:WINDOW]] for storage that hates random reads"
                    + " (default: ${DEFAULT-VALUE}).")
    private String order = "shuffled";

    @Option(names = "--seed", paramLabel = "S", description = "Of the order (default: ${DEFAULT-VALUE}).")
    private long seed = 0;

    @Option(
            names = "--epochs",
            paramLabel = "E",
            description = "In all, also after a resume (default: ${DEFAULT-VALUE}).")
    private long epochs = 1;

    @Option(names = "--rank", paramLabel = "R", description = "Of this process (default: from the launcher).")
    private @Nullable Integer rank;

    @Option(names = "--world", paramLabel = "W", description = "Number of processes (default: from the launcher).")
    private @Nullable Integer world;

    @Option(
            names = "--tail",
            description = "What ranks without a sample do in the last round: ${COMPLETION-CANDIDATES} (default:"
                    + " ${DEFAULT-VALUE}).")
    private TailOption tail = TailOption.even;

    @Option(
            names = "--last-batch",
            description = "A last batch that is not full: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private LastBatchOption lastBatch = LastBatchOption.keep;

    @Option(names = "--stop-after", paramLabel = "N", description = "Stop when this rank has delivered N samples.")
    private @Nullable Long stopAfter;

    @Option(names = "--ledger", paramLabel = "FILE", description = "Write what is delivered; one file for each rank.")
    private @Nullable Path ledger;

    @Option(
            names = "--read",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}, which looks at the storage).")
    private ReadOption read = ReadOption.auto;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Reading threads (default: cores; 16 for pread and direct).")
    private @Nullable Integer threads;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = "For all batches together, as 512M or 2G; a number alone is MiB (default: 256).")
    private @Nullable String memory;

    @Option(names = "--ahead", paramLabel = "N", description = "Batches that are read ahead at most.")
    private @Nullable Integer ahead;

    @Option(
            names = "--bad",
            paramLabel = "POLICY",
            description = "Samples that cannot be read: fail, skip-and-report, substitute (default: ${DEFAULT-VALUE}).")
    private String bad = "fail";

    @Option(names = "--verify", description = "Compare every value with its checksum (always, unless --bad fail).")
    private boolean verify;

    @Option(names = "--fields", split = ",", paramLabel = "F,F", description = "Only these fields.")
    private String @Nullable [] fields;

    @Option(names = "--subset", paramLabel = "RANGES", description = "Only these samples, such as 0-99,500-.")
    private @Nullable String subset;

    @Option(names = "--keys", paramLabel = "FILE", description = "Only the samples whose keys the file lists by line.")
    private @Nullable Path keys;

    @Option(
            names = "--weights",
            split = ",",
            paramLabel = "W,W",
            description = "Every FILE is a dataset of its own; mixed by these weights, such as 0.7,0.3.")
    private String @Nullable [] weights;

    @Option(
            names = "--compose",
            description =
                    "Mixed datasets: ${COMPLETION-CANDIDATES} (one dataset in a batch) (default: ${DEFAULT-VALUE}).")
    private Compose compose = Compose.joined;

    /** One dataset of all files, or one of each where they are mixed. The caller closes them. */
    List<Dataset> open(List<String> files) {
        if (weights == null) {
            return List.of(Dataset.open(files));
        }
        if (weights.length != files.size()) {
            throw new StokerException("--weights has " + weights.length + " weights for " + files.size()
                    + " files; quote a pattern so that it is one");
        }
        var datasets = new ArrayList<Dataset>();
        try {
            files.forEach(file -> datasets.add(Dataset.open(List.of(file))));
            return datasets;
        } catch (RuntimeException e) {
            datasets.forEach(Dataset::close);
            throw e;
        }
    }

    Ranks ranks() {
        return Ranks.of(rank, world, System.getenv());
    }

    FeedBuilder builder(List<Dataset> datasets) {
        Ranks ranks = ranks();
        FeedBuilder builder = FeedBuilder.of(datasets, view(datasets))
                .seed(seed)
                .batch(batch)
                .epochs(epochs)
                .shard(ranks.rank(), ranks.world())
                .tail(Tail.valueOf(upper(tail)))
                .lastBatch(LastBatch.valueOf(upper(lastBatch)))
                .read(ReadMode.valueOf(upper(read)))
                .bad(policy());
        if (weights != null && compose == Compose.separate) {
            builder.oneDatasetEach();
        }
        if (verify) {
            builder.verify(true);
        }
        if (fields != null) {
            builder.fields(fields);
        }
        if (stopAfter != null) {
            builder.stopAfter(stopAfter);
        }
        if (ledger != null) {
            builder.ledger(ledger);
        }
        if (threads != null) {
            builder.threads(threads);
        }
        if (ahead != null) {
            builder.ahead(ahead);
        }
        if (memory != null) {
            builder.memory(Sizes.parseMebibytes("--memory", memory));
        }
        return builder;
    }

    /** The order if it is one of blocks, whose loss of randomness is to be shown. */
    @Nullable
    Order blocks(List<Dataset> datasets) {
        return order.startsWith("blocks")
                        && weights == null
                        && datasets.getFirst().count() > 0
                ? Order.parse(order, datasets.getFirst().count())
                : null;
    }

    long seed() {
        return seed;
    }

    private View view(List<Dataset> datasets) {
        if (weights == null) {
            return view(datasets.getFirst());
        }
        long[] whole = wholeNumbers(weights);
        var parts = new ArrayList<Mix.Part>();
        for (int i = 0; i < whole.length; i++) {
            parts.add(new Mix.Part(view(datasets.get(i)), whole[i]));
        }
        return compose == Compose.separate ? Mix.of(parts, batch) : Mix.of(parts);
    }

    private View view(Dataset dataset) {
        if (subset == null && keys == null) {
            return View.of(Order.parse(order, dataset.count()));
        }
        if (subset != null && keys != null) {
            throw new StokerException("give --subset or --keys, not both");
        }
        Ranges samples = subset != null ? Ranges.parse(subset, dataset.count()) : dataset.find(lines());
        return new Subset(samples, Order.parse(order, samples.count()));
    }

    private Set<String> lines() {
        Path file = Objects.requireNonNull(keys);
        try {
            return new HashSet<>(Files.readAllLines(file));
        } catch (IOException e) {
            throw MappedFile.cannotRead(file, e);
        }
    }

    /** Weights with decimals as the smallest whole numbers in the same proportion. */
    static long[] wholeNumbers(String[] weights) {
        var decimals = new ArrayList<BigDecimal>();
        for (String weight : weights) {
            if (!weight.strip().matches("\\d{1,9}(\\.\\d{1,9})?")) {
                throw new StokerException("a weight should be a number such as 3 or 0.25 but is '" + weight + "'");
            }
            decimals.add(new BigDecimal(weight.strip()));
        }
        int scale = decimals.stream().mapToInt(BigDecimal::scale).max().orElse(0);
        BigInteger divisor = BigInteger.ZERO;
        for (BigDecimal decimal : decimals) {
            divisor = divisor.gcd(decimal.setScale(scale).unscaledValue());
        }
        if (divisor.signum() == 0) {
            throw new StokerException("all weights are 0");
        }
        BigInteger common = divisor;
        return decimals.stream()
                .mapToLong(decimal ->
                        decimal.setScale(scale).unscaledValue().divide(common).longValueExact())
                .toArray();
    }

    private BadPolicy policy() {
        return switch (bad) {
            case "fail" -> BadPolicy.FAIL;
            case "skip", "skip-and-report" -> BadPolicy.SKIP;
            case "substitute" -> BadPolicy.SUBSTITUTE;
            default ->
                throw new StokerException(
                        "unknown --bad '" + bad + "'; valid are fail, skip-and-report and substitute");
        };
    }

    private static String upper(Enum<?> option) {
        return option.name().toUpperCase(Locale.ROOT);
    }
}
