package dev.stoker.feed;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.dataset.Dataset;
import dev.stoker.ledger.Ledger;
import dev.stoker.metric.Meter;
import dev.stoker.order.Mix;
import dev.stoker.order.Order;
import dev.stoker.order.OrderFingerprint;
import dev.stoker.order.Position;
import dev.stoker.order.PositionFile;
import dev.stoker.order.SampleView;
import dev.stoker.order.Shard;
import dev.stoker.order.Subset;
import dev.stoker.order.TailPolicy;
import dev.stoker.os.AvailableCores;
import dev.stoker.os.FileProbe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says what a feed delivers and how; {@link #start} begins to read. */
@PublicApi
public final class FeedBuilder {
    private static final int PREAD_THREADS = 16;
    /** What all batches may take together unless something else is said. */
    public static final long MEMORY = 256L << 20;

    private final List<Dataset> datasets;
    private SampleView view;
    private long seed;
    private int batch = 64;
    private LastBatch lastBatch = LastBatch.KEEP;
    private Shard shard = Shard.WHOLE;
    private TailPolicy tail = TailPolicy.EVEN;
    private long epochs = 1;
    private long stopAfter = Long.MAX_VALUE;
    private boolean oneDatasetEach;
    private ReadMode mode = ReadMode.AUTO;
    private int cores = AvailableCores.allocated();
    private int threads;
    private long memory = MEMORY;
    private BatchMemorySource memorySource = BatchMemorySource.OWN;
    private int ahead;
    private BadPolicy badPolicy = BadPolicy.FAIL;
    private @Nullable Boolean verify;
    private @Nullable List<String> fields;
    private @Nullable Position position;
    private @Nullable Path ledger;
    private @Nullable Duration ledgerPatience;
    private boolean isLedgerDeferred;
    private @Nullable Meter meter;
    private final Map<String, Supplier<? extends Decoder>> decoders = new LinkedHashMap<>();
    private final Map<String, Long> paddings = new LinkedHashMap<>();

    private FeedBuilder(List<Dataset> datasets, SampleView view) {
        this.datasets = List.copyOf(datasets);
        this.view = view;
    }

    static FeedBuilder of(Dataset dataset) {
        return new FeedBuilder(List.of(dataset), SampleView.of(Order.sequential(dataset.count())));
    }

    /**
     * A feed of several datasets: what stands at each position is the view's choice, such as a {@link Mix}. The fields
     * are those of all datasets together; a dataset without a field has {@link Batch#isMissing missing} values there.
     */
    public static FeedBuilder of(List<Dataset> datasets, SampleView view) {
        if (view.datasets() != datasets.size()) {
            throw new StokerException(
                    "the view is of " + view.datasets() + " datasets but " + datasets.size() + " are given");
        }
        return new FeedBuilder(datasets, view);
    }

    /** The order of the samples, made for as many as the dataset has; sequential if none is given. */
    public FeedBuilder order(Function<Long, Order> order) {
        return view(SampleView.of(order.apply(onlyDataset().count())));
    }

    /** A uniform shuffle, another one for every seed and epoch. */
    public FeedBuilder shuffle(long newSeed) {
        return order(Order::shuffled).seed(newSeed);
    }

    /** What stands at each position: a whole dataset in some order, a {@link Subset}, or a {@link Mix}. */
    public FeedBuilder view(SampleView newView) {
        if (newView.datasets() != datasets.size()) {
            throw new StokerException(
                    "the view is of " + newView.datasets() + " datasets but there are " + datasets.size());
        }
        view = newView;
        return this;
    }

    public FeedBuilder seed(long newSeed) {
        seed = newSeed;
        return this;
    }

    /** Samples in a batch. */
    public FeedBuilder batch(int samples) {
        if (samples < 1) {
            throw new UsageException("a batch should have at least 1 sample but has " + samples);
        }
        batch = samples;
        return this;
    }

    public FeedBuilder lastBatch(LastBatch policy) {
        lastBatch = policy;
        return this;
    }

    /** Which rank of how many this process is. */
    public FeedBuilder shard(int rank, int world) {
        shard = new Shard(rank, world);
        return this;
    }

    public FeedBuilder tail(TailPolicy newTail) {
        tail = newTail;
        return this;
    }

    /** How many epochs there are in all, also after a resume. */
    public FeedBuilder epochs(long count) {
        if (count < 0) {
            throw new UsageException("the number of epochs should be at least 0 but is " + count);
        }
        epochs = count;
        return this;
    }

    /** Epoch after epoch, until the consumer stops. */
    public FeedBuilder endless() {
        epochs = Long.MAX_VALUE;
        return this;
    }

    /** Ends the feed when this rank has delivered so many samples. */
    public FeedBuilder stopAfter(long samples) {
        if (samples < 0) {
            throw new UsageException("the number of samples to stop after should be at least 0 but is " + samples);
        }
        stopAfter = samples;
        return this;
    }

    /**
     * Batches of one dataset each: a batch ends where the next sample of any rank is of another dataset than the one before
     * it. So all ranks cut the same steps, and the position after any of them is the state of the job.
     */
    public FeedBuilder oneDatasetEach() {
        oneDatasetEach = true;
        return this;
    }

    public FeedBuilder read(ReadMode newMode) {
        mode = newMode;
        return this;
    }

    /** The cores that this feed may keep busy; by default those of the allocation. */
    public FeedBuilder cores(int count) {
        if (count < 1) {
            throw new UsageException("the number of cores should be at least 1 but is " + count);
        }
        cores = count;
        return this;
    }

    /** How many threads read unless something else is said: one for each core, and more where each waits for storage. */
    public static int defaultThreads(ReadMode mode, int cores) {
        return mode == ReadMode.MAP ? cores : Math.max(PREAD_THREADS, cores);
    }

    /** How many batches are read ahead by default: two in turn, and more to give every thread a sample to read. */
    public static int defaultAhead(int threads, int batch) {
        return 2 + (2 * threads + batch - 1) / batch;
    }

    /** Threads that read; by default one for each core, and {@value #PREAD_THREADS} for positional reads. */
    public FeedBuilder threads(int count) {
        if (count < 1) {
            throw new UsageException("the number of threads should be at least 1 but is " + count);
        }
        threads = count;
        return this;
    }

    /** The most memory that all batches together may take, in bytes; by default 256 MiB. */
    public FeedBuilder memory(long bytes) {
        if (bytes < 1) {
            throw new UsageException("the memory for batches should be at least 1 byte but is " + bytes);
        }
        memory = bytes;
        return this;
    }

    /** Where the memory of the batches comes from; by default it is the feed's own. */
    public FeedBuilder memory(BatchMemorySource source) {
        memorySource = source;
        return this;
    }

    /** How many batches are read ahead at most; by default as many as keep all threads busy. */
    public FeedBuilder ahead(int batches) {
        if (batches < 1) {
            throw new UsageException("the number of batches ahead should be at least 1 but is " + batches);
        }
        ahead = batches;
        return this;
    }

    public FeedBuilder bad(BadPolicy policy) {
        badPolicy = policy;
        return this;
    }

    /**
     * Whether every value is compared with its checksum; by default only where bad samples do not make it fail. If it is
     * asked for, numbers, which come from the Index, are compared with the containers when the feed starts.
     */
    public FeedBuilder verify(boolean compare) {
        verify = compare;
        return this;
    }

    /** The fields that batches have; all by default. */
    public FeedBuilder fields(String... names) {
        fields = List.of(names);
        return this;
    }

    /** Decodes a field; every thread gets a decoder of its own. */
    public FeedBuilder decode(String field, Supplier<? extends Decoder> newDecoders) {
        decoders.put(field, newDecoders);
        return this;
    }

    /** Makes a field dense by padding its values with zeros to the longest of each batch. */
    public FeedBuilder pad(String field) {
        paddings.put(field, BatchField.LONGEST);
        return this;
    }

    /** Makes a field dense by padding its values with zeros to so many bytes; a longer value is an error. */
    public FeedBuilder pad(String field, long bytes) {
        if (bytes < 1) {
            throw new StokerException("values should be padded to at least 1 byte but are to " + bytes);
        }
        paddings.put(field, bytes);
        return this;
    }

    /** Goes on from a position; one of another dataset, order or seed is refused. */
    public FeedBuilder from(Position start) {
        position = start;
        return this;
    }

    /** Goes on from a saved position, if there is one. */
    public FeedBuilder resume(Path file) {
        if (FileProbe.exists(file)) {
            position = PositionFile.load(file, identity());
        }
        return this;
    }

    /** Writes what is delivered. Every rank needs a file of its own. */
    public FeedBuilder ledger(Path file) {
        ledger = file;
        return this;
    }

    /**
     * The same for a feed that may never deliver: the file is taken, but an epoch begins in it with the first batch.
     *
     * @param patience how long to wait for a feed of the same rank that is just ending
     */
    public FeedBuilder ledger(Path file, Duration patience) {
        ledger = file;
        ledgerPatience = patience;
        return this;
    }

    /**
     * For a consumer that takes batches before they are wanted: the ledger has a batch only when {@link Feed#handedOn} says
     * that it was handed on.
     */
    public FeedBuilder deferLedger() {
        isLedgerDeferred = true;
        return this;
    }

    /** Counts what the feed does; without one the feed counts for itself. */
    public FeedBuilder meter(Meter counting) {
        meter = counting;
        return this;
    }

    /** What positions of this feed are tied to. */
    public OrderFingerprint identity() {
        String names = datasets.stream().map(Dataset::fingerprint).collect(Collectors.joining("+"));
        return new OrderFingerprint(seed, view.size(), names, view.name());
    }

    public Feed start() {
        OrderFingerprint identity = identity();
        Position start = position == null ? Position.start(identity) : position;
        identity.requireSame(start.identity(), "the given position");
        if (Boolean.TRUE.equals(verify)) {
            datasets.forEach(data -> data.members().verifyIndexes());
        }
        var batchFields = new BatchFields(datasets, decoders, paddings);
        BatchField[] chosen = batchFields.choose(fields);
        boolean isLoose = datasets.stream().anyMatch(data -> data.members().isLoose());
        int mapThreads = threads > 0 ? threads : defaultThreads(ReadMode.MAP, cores);
        int preadThreads = threads > 0 ? threads : defaultThreads(ReadMode.PREAD, cores);
        var bad = new BadSamples();
        var job = new FeedContext(
                datasets,
                chosen,
                badPolicy,
                bad,
                verify == null ? badPolicy != BadPolicy.FAIL : verify,
                memorySource,
                mapThreads,
                preadThreads);
        var rules = new BatchPlanner.Rules(view, shard, tail, batch, lastBatch, epochs, stopAfter, oneDatasetEach);
        boolean isSequential = view instanceof SampleView.Whole(Order.Sequential _);
        var storage = new ReadModeProbe(datasets, chosen, isLoose ? ReadMode.PREAD : mode, isSequential);
        var cuts = new BatchPlanner(rules, start, storage::choose);
        int most = mode == ReadMode.MAP && !isLoose ? mapThreads : preadThreads;
        int slots = 1 + (ahead > 0 ? ahead : defaultAhead(most, batch));
        Ledger open = ledger == null ? null : Ledger.open(ledger, identity, shard);
        if (open != null && ledgerPatience != null) {
            open.reserve(ledgerPatience);
        } else if (open != null && start.epoch() < epochs) {
            // A feed that resumes at the end begins no epoch: a check of the ledger would miss its samples.
            open.epoch(start.epoch());
        }
        var ring = new BatchRing(job, cuts, slots, memory);
        var counters = new FeedCounters(ring, bad);
        ring.start(most, counters);
        var log = new DeliveryLog(open, isLedgerDeferred, start);
        return new Feed(batchFields.schema(chosen), job, cuts, ring, log, start, counters, meter);
    }

    private Dataset onlyDataset() {
        if (datasets.size() != 1) {
            throw new StokerException("several datasets need a view, such as a mix");
        }
        return datasets.getFirst();
    }
}
