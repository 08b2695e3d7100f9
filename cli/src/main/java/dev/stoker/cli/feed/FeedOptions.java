package dev.stoker.cli.feed;

import dev.stoker.UsageException;
import dev.stoker.cli.help.Grouped;
import dev.stoker.cli.help.OptionGroup;
import dev.stoker.dataset.Dataset;
import dev.stoker.feed.BadPolicy;
import dev.stoker.feed.FeedBuilder;
import dev.stoker.feed.LastBatch;
import dev.stoker.feed.ReadMode;
import dev.stoker.job.JobRank;
import dev.stoker.order.Mix;
import dev.stoker.order.Order;
import dev.stoker.order.RangeSet;
import dev.stoker.order.SampleView;
import dev.stoker.order.Subset;
import dev.stoker.order.TailPolicy;
import dev.stoker.os.FileErrors;
import dev.stoker.text.Sizes;
import dev.stoker.text.Spelling;
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
    /** See {@link TailPolicy}; as the command writes it. */
    enum TailOption {
        even,
        drop,
        ragged
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

    @Option(
            names = {"--batch-size", "--batch"},
            paramLabel = "N",
            description = "Samples per batch (default: ${DEFAULT-VALUE}).")
    private int batch = 64;

    @Option(
            names = "--order",
            paramLabel = "ORDER",
            description =
                    "Order of the samples: sequential, shuffled, or blocks[:RUN[:WINDOW]], for storage with slow random reads"
                            + " (default: ${DEFAULT-VALUE}).")
    private String order = "shuffled";

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Seed of the order and of random transforms (default: ${DEFAULT-VALUE}).")
    private long seed = 0;

    @Option(
            names = "--epochs",
            paramLabel = "N",
            description = "Total epochs, counting those before a resume (default: ${DEFAULT-VALUE}).")
    private long epochs = 1;

    @Grouped(OptionGroup.RANKS)
    @Option(names = "--rank", paramLabel = "N", description = "This process's rank (default: set by the launcher).")
    private @Nullable Integer rank;

    @Grouped(OptionGroup.RANKS)
    @Option(names = "--world", paramLabel = "N", description = "Number of processes (default: set by the launcher).")
    private @Nullable Integer world;

    @Grouped(OptionGroup.RANKS)
    @Option(
            names = "--tail",
            paramLabel = "POLICY",
            description = "When the last samples don't divide among the ranks: ${COMPLETION-CANDIDATES} (default:"
                    + " ${DEFAULT-VALUE}).")
    private TailOption tail = TailOption.even;

    @Grouped(OptionGroup.RANKS)
    @Option(names = "--drop-last", description = "Drop the last batch of an epoch if it isn't full.")
    private boolean dropLast;

    @Grouped(OptionGroup.RESUMING)
    @Option(names = "--stop-after", paramLabel = "N", description = "Stop after this rank has delivered N samples.")
    private @Nullable Long stopAfter;

    @Grouped(OptionGroup.RESUMING)
    @Option(
            names = "--ledger",
            paramLabel = "FILE",
            description = "Record every delivery in FILE, one file per rank; see stoker ledger.")
    private @Nullable Path ledger;

    @Grouped(OptionGroup.SPEED)
    @Option(
            names = "--read",
            paramLabel = "MODE",
            description = "How to read: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}, chosen by storage).")
    private ReadOption read = ReadOption.auto;

    @Grouped(OptionGroup.SPEED)
    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Reader threads (default: one per core; 16 for pread and direct).")
    private @Nullable Integer threads;

    @Grouped(OptionGroup.SPEED)
    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = "Memory for all batches, such as 512MiB or 2G (default: 256MiB).")
    private @Nullable String memory;

    @Grouped(OptionGroup.SPEED)
    @Option(names = "--ahead", paramLabel = "N", description = "Read at most N batches ahead.")
    private @Nullable Integer ahead;

    @Grouped(OptionGroup.DAMAGE)
    @Option(
            names = "--bad",
            paramLabel = "POLICY",
            description = "Samples that can't be read: fail, skip or substitute (default: ${DEFAULT-VALUE}).")
    private String bad = "fail";

    @Grouped(OptionGroup.DAMAGE)
    @Option(
            names = "--verify",
            description = "Compare every value with its checksum (implied by --bad skip and substitute).")
    private boolean verify;

    @Grouped(OptionGroup.SAMPLES)
    @Option(names = "--fields", split = ",", paramLabel = "FIELD", description = "Deliver only these fields.")
    private String @Nullable [] fields;

    @Grouped(OptionGroup.SAMPLES)
    @Option(names = "--subset", paramLabel = "RANGES", description = "Deliver only these samples, such as 0-99,500-.")
    private @Nullable String subset;

    @Grouped(OptionGroup.SAMPLES)
    @Option(
            names = "--keys",
            paramLabel = "FILE",
            description = "Deliver only the samples whose keys FILE lists, one per line.")
    private @Nullable Path keys;

    @Grouped(OptionGroup.SAMPLES)
    @Option(
            names = "--weights",
            split = ",",
            paramLabel = "WEIGHT",
            description = "Mix the files as separate datasets by these weights, such as 0.7,0.3.")
    private String @Nullable [] weights;

    @Grouped(OptionGroup.SAMPLES)
    @Option(
            names = "--compose",
            paramLabel = "MODE",
            description =
                    "Batches of mixed datasets: ${COMPLETION-CANDIDATES} (one dataset per batch) (default: ${DEFAULT-VALUE}).")
    private Compose compose = Compose.joined;

    /** One dataset of all files, or one of each where they are mixed. The caller closes them. */
    List<Dataset> open(List<String> files) {
        if (weights == null) {
            return List.of(Dataset.open(files));
        }
        if (weights.length != files.size()) {
            throw new UsageException("--weights has " + weights.length + " weights for " + files.size()
                    + " files; quote glob patterns so the shell doesn't expand them");
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

    JobRank ranks() {
        return JobRank.of(rank, world, System.getenv());
    }

    FeedBuilder builder(List<Dataset> datasets) {
        JobRank ranks = ranks();
        FeedBuilder builder = FeedBuilder.of(datasets, view(datasets))
                .seed(seed)
                .batch(batch)
                .epochs(epochs)
                .shard(ranks.rank(), ranks.world())
                .tail(TailPolicy.valueOf(upper(tail)))
                .lastBatch(dropLast ? LastBatch.DROP : LastBatch.KEEP)
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
            builder.memory(Sizes.parseWithUnit("--memory", memory));
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

    private SampleView view(List<Dataset> datasets) {
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

    private SampleView view(Dataset dataset) {
        if (subset == null && keys == null) {
            return SampleView.of(order(dataset.count()));
        }
        if (subset != null && keys != null) {
            throw new UsageException("give --subset or --keys, not both");
        }
        RangeSet samples = subset != null ? RangeSet.parse(subset, dataset.count()) : dataset.find(lines());
        return new Subset(samples, order(samples.count()));
    }

    private Order order(long size) {
        String kind = order.contains(":") ? order.substring(0, order.indexOf(':')) : order;
        return Spelling.orSuggest(kind, List.of("sequential", "shuffled", "blocks"), () -> Order.parse(order, size));
    }

    private Set<String> lines() {
        Path file = Objects.requireNonNull(keys);
        try {
            return new HashSet<>(Files.readAllLines(file));
        } catch (IOException e) {
            throw FileErrors.cannotRead(file, e);
        }
    }

    /** Weights with decimals as the smallest whole numbers in the same proportion. */
    static long[] wholeNumbers(String[] weights) {
        var decimals = new ArrayList<BigDecimal>();
        for (String weight : weights) {
            if (!weight.strip().matches("\\d{1,9}(\\.\\d{1,9})?")) {
                throw new UsageException("a weight should be a number such as 3 or 0.25 but is '" + weight + "'");
            }
            decimals.add(new BigDecimal(weight.strip()));
        }
        int scale = decimals.stream().mapToInt(BigDecimal::scale).max().orElse(0);
        BigInteger divisor = BigInteger.ZERO;
        for (BigDecimal decimal : decimals) {
            divisor = divisor.gcd(decimal.setScale(scale).unscaledValue());
        }
        if (divisor.signum() == 0) {
            throw new UsageException("all weights are 0");
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
                throw new UsageException("unknown --bad '" + bad + "'; valid are fail, skip and substitute"
                        + Spelling.hint(bad, List.of("fail", "skip", "substitute")));
        };
    }

    private static String upper(Enum<?> option) {
        return option.name().toUpperCase(Locale.ROOT);
    }
}
