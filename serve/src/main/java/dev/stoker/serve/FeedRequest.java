package dev.stoker.serve;

import dev.stoker.StokerException;
import dev.stoker.dataset.Dataset;
import dev.stoker.feed.BadPolicy;
import dev.stoker.feed.BatchMemorySource;
import dev.stoker.feed.FeedBuilder;
import dev.stoker.feed.LastBatch;
import dev.stoker.feed.ReadMode;
import dev.stoker.image.DType;
import dev.stoker.image.ImageDecoder;
import dev.stoker.image.ImagePipeline;
import dev.stoker.image.Layout;
import dev.stoker.image.PipelineOptions;
import dev.stoker.metric.export.Destination;
import dev.stoker.order.Mix;
import dev.stoker.order.Order;
import dev.stoker.order.Position;
import dev.stoker.order.RangeSet;
import dev.stoker.order.SampleView;
import dev.stoker.order.Shard;
import dev.stoker.order.Subset;
import dev.stoker.order.TailPolicy;
import dev.stoker.os.AvailableCores;
import dev.stoker.sample.DecodedField;
import dev.stoker.sample.Field;
import dev.stoker.text.Sizes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a client wants to be delivered. */
final class FeedRequest {
    private static final Set<String> KNOWN = Set.of(
            "paths",
            "weights",
            "fields",
            "batch",
            "last_batch",
            "order",
            "seed",
            "rank",
            "world",
            "tail",
            "cores",
            "threads",
            "memory",
            "ahead",
            "read",
            "bad",
            "verify",
            "pad",
            "decode",
            "metrics",
            "ledger",
            "defer_ledger",
            "rows",
            "subset");
    /** A rank that was killed, or lost its connection, may come back before its session has noticed. */
    private static final Duration LEDGER_PATIENCE = Duration.ofSeconds(10);

    private static final Set<String> DECODE_KNOWN = Set.of("field", "transform", "layout", "dtype", "fast_scale");

    private final JsonOptions options;

    FeedRequest(Map<?, ?> options) {
        this.options = new JsonOptions(options, KNOWN);
    }

    List<String> paths() {
        List<String> paths = options.texts("paths");
        if (paths.isEmpty()) {
            throw new StokerException("no file is given; name at least one");
        }
        return paths;
    }

    /** The files of each dataset: all are one, unless they are mixed. */
    List<List<String>> datasets() {
        return weights() == null
                ? List.of(paths())
                : paths().stream().map(List::of).toList();
    }

    private @Nullable List<?> weights() {
        List<?> weights = options.get("weights", List.class);
        if (weights != null && weights.size() != paths().size()) {
            throw new StokerException("there are " + weights.size() + " weights but " + paths().size()
                    + " datasets are mixed; give one for each");
        }
        return weights;
    }

    /** Where the client wants metrics to go. */
    List<Destination> metrics() {
        String words = options.get("metrics", String.class);
        return words == null ? List.of() : Destination.parseAll(words);
    }

    /** Whether the client wants to know which samples a batch has. */
    boolean wantsRows() {
        return Boolean.TRUE.equals(options.get("rows", Boolean.class));
    }

    int rank() {
        return options.number("rank");
    }

    /** A feed that goes on epoch after epoch. */
    FeedBuilder builder(List<Dataset> datasets, BatchMemorySource memory) {
        FeedBuilder builder = FeedBuilder.of(datasets, view(datasets))
                .seed(options.require("seed", Long.class))
                .batch(options.number("batch"))
                .lastBatch(lastBatch())
                .shard(shard().rank(), shard().world())
                .tail(tail())
                .endless()
                .read(options.choice("read", ReadMode.class))
                .bad(options.choice("bad", BadPolicy.class))
                .memory(memory)
                .cores(Math.min(options.number("cores"), AvailableCores.allocated()));
        addLimits(builder);
        if (options.get("ledger", String.class) != null) {
            builder.ledger(options.path("ledger"), LEDGER_PATIENCE);
        }
        if (Boolean.TRUE.equals(options.get("defer_ledger", Boolean.class))) {
            builder.deferLedger();
        }
        if (options.get("fields", List.class) != null) {
            builder.fields(options.texts("fields").toArray(String[]::new));
        }
        Map<?, ?> paddings = options.get("pad", Map.class);
        if (paddings != null) {
            paddings.forEach((field, bytes) -> addPadding(builder, String.valueOf(field), bytes));
        }
        Map<?, ?> decode = options.get("decode", Map.class);
        if (decode != null) {
            addDecoder(builder, decodedField(datasets), new JsonOptions(decode, DECODE_KNOWN));
        }
        return builder;
    }

    private SampleView view(List<Dataset> datasets) {
        List<?> weights = weights();
        if (weights == null) {
            return view(datasets.getFirst());
        }
        requireSameFields(datasets);
        var parts = new ArrayList<Mix.Part>();
        for (int i = 0; i < datasets.size(); i++) {
            if (!(weights.get(i) instanceof Long weight)) {
                throw new StokerException("a weight should be a whole number but is " + weights.get(i));
            }
            parts.add(new Mix.Part(view(datasets.get(i)), weight));
        }
        return Mix.of(parts);
    }

    private SampleView view(Dataset dataset) {
        String subset = options.get("subset", String.class);
        if (subset == null) {
            return SampleView.of(order(dataset.count()));
        }
        if (weights() != null) {
            throw new StokerException("a subset is of one dataset; it cannot be given with weights");
        }
        RangeSet samples = SampleRanges.parse(subset, dataset.count());
        return new Subset(samples, order(samples.count()));
    }

    private Order order(long count) {
        return Order.parse(options.require("order", String.class), count);
    }

    /** A batch has no place to say that a value is missing. */
    private void requireSameFields(List<Dataset> datasets) {
        List<String> wanted = options.get("fields", List.class) != null
                ? options.texts("fields")
                : datasets.stream()
                        .flatMap(dataset -> dataset.schema().fields().stream())
                        .map(Field::name)
                        .distinct()
                        .toList();
        for (int i = 0; i < datasets.size(); i++) {
            for (String field : wanted) {
                if (datasets.get(i).schema().find(field) < 0) {
                    throw new StokerException(
                            paths().get(i),
                            "has no field '" + field
                                    + "', which others of the mix have; name the fields that are wanted");
                }
            }
        }
    }

    /** How many batches the client gets in a whole epoch. */
    long batchesPerEpoch(Position start) {
        int batch = options.number("batch");
        long samples = lastBatch().delivered(start.share(shard(), tail()).count(), batch);
        return (samples + batch - 1) / batch;
    }

    private Shard shard() {
        return new Shard(options.number("rank"), options.number("world"));
    }

    /** Whether another sample is delivered instead of one that cannot be read. */
    boolean replacesBad() {
        return options.choice("bad", BadPolicy.class) == BadPolicy.SUBSTITUTE;
    }

    private TailPolicy tail() {
        return options.choice("tail", TailPolicy.class);
    }

    private LastBatch lastBatch() {
        return options.choice("last_batch", LastBatch.class);
    }

    private void addLimits(FeedBuilder builder) {
        if (options.get("threads", Long.class) != null) {
            builder.threads(options.number("threads"));
        }
        if (options.get("ahead", Long.class) != null) {
            builder.ahead(options.number("ahead"));
        }
        Object memory = options.get("memory", Object.class);
        if (memory != null) {
            builder.memory(
                    memory instanceof String text
                            ? Sizes.parse("memory", text)
                            : options.require("memory", Long.class));
        }
        Boolean verify = options.get("verify", Boolean.class);
        if (verify != null) {
            builder.verify(verify);
        }
    }

    /** To so many bytes, or, if the number is null, to the longest of each batch. */
    private static void addPadding(FeedBuilder builder, String field, @Nullable Object bytes) {
        switch (bytes) {
            case null -> builder.pad(field);
            case Long number -> builder.pad(field, number);
            default ->
                throw new StokerException("field '" + field + "' should be padded to a number of bytes, not " + bytes);
        }
    }

    /** The field that is decoded, see {@link DecodedField}; null if none is. */
    @Nullable
    String decodedField(List<Dataset> datasets) {
        Map<?, ?> decode = options.get("decode", Map.class);
        if (decode == null) {
            return null;
        }
        String named = new JsonOptions(decode, DECODE_KNOWN).get("field", String.class);
        return DecodedField.find(
                datasets.getFirst().schema(), paths().getFirst().toString(), named, "decode=");
    }

    private static void addDecoder(FeedBuilder builder, @Nullable String field, JsonOptions decode) {
        ImagePipeline pipeline;
        try {
            pipeline = ImagePipeline.parse(
                    decode.require("transform", String.class),
                    decode.choice("layout", Layout.class),
                    decode.choice("dtype", DType.class));
        } catch (IllegalArgumentException e) {
            throw new StokerException("transform: " + e.getMessage(), e);
        }
        boolean fastScale = Boolean.TRUE.equals(decode.get("fast_scale", Boolean.class));
        builder.decode(
                Objects.requireNonNull(field),
                ImageDecoder.of(pipeline.with(PipelineOptions.DEFAULT.withFastScale(fastScale))));
    }
}
