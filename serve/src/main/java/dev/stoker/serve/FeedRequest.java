package dev.stoker.serve;

import dev.stoker.StokerException;
import dev.stoker.feed.BadPolicy;
import dev.stoker.feed.Dataset;
import dev.stoker.feed.FeedBuilder;
import dev.stoker.feed.LastBatch;
import dev.stoker.feed.MemorySource;
import dev.stoker.feed.Order;
import dev.stoker.feed.Position;
import dev.stoker.feed.ReadMode;
import dev.stoker.feed.Shard;
import dev.stoker.feed.Tail;
import dev.stoker.image.DType;
import dev.stoker.image.ImageDecoder;
import dev.stoker.image.ImagePipeline;
import dev.stoker.image.Layout;
import dev.stoker.image.PipelineOptions;
import dev.stoker.memory.Cores;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a client wants to be delivered. */
final class FeedRequest {
    private static final Set<String> KNOWN = Set.of(
            "paths",
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
            "decode");
    private static final Set<String> DECODE_KNOWN = Set.of("field", "transform", "layout", "dtype", "fast_scale");

    private final Requested options;

    FeedRequest(Map<?, ?> options) {
        this.options = new Requested(options, KNOWN);
    }

    List<String> paths() {
        List<String> paths = options.texts("paths");
        if (paths.isEmpty()) {
            throw new StokerException("no file is given; name at least one");
        }
        return paths;
    }

    /** A feed that goes on epoch after epoch. */
    FeedBuilder builder(Dataset dataset, MemorySource memory) {
        FeedBuilder builder = dataset.feed()
                .order(count -> Order.parse(options.require("order", String.class), count))
                .seed(options.require("seed", Long.class))
                .batch(options.number("batch"))
                .lastBatch(lastBatch())
                .shard(shard().rank(), shard().world())
                .tail(tail())
                .endless()
                .read(options.choice("read", ReadMode.class))
                .bad(options.choice("bad", BadPolicy.class))
                .memory(memory)
                .cores(Math.min(options.number("cores"), Cores.allocated()));
        addLimits(builder);
        if (options.get("fields", List.class) != null) {
            builder.fields(options.texts("fields").toArray(String[]::new));
        }
        Map<?, ?> paddings = options.get("pad", Map.class);
        if (paddings != null) {
            paddings.forEach((field, bytes) -> addPadding(builder, String.valueOf(field), bytes));
        }
        Map<?, ?> decode = options.get("decode", Map.class);
        if (decode != null) {
            addDecoder(builder, new Requested(decode, DECODE_KNOWN));
        }
        return builder;
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

    private Tail tail() {
        return options.choice("tail", Tail.class);
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
        Long memory = options.get("memory", Long.class);
        if (memory != null) {
            builder.memory(memory);
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

    private static void addDecoder(FeedBuilder builder, Requested decode) {
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
                decode.require("field", String.class),
                ImageDecoder.of(pipeline.with(PipelineOptions.DEFAULT.withFastScale(fastScale))));
    }
}
