package dev.stoker.serve;

import dev.stoker.StokerException;
import dev.stoker.collect.CollectSealer;
import dev.stoker.dataset.Dataset;
import dev.stoker.feed.BadSample;
import dev.stoker.feed.Batch;
import dev.stoker.feed.Feed;
import dev.stoker.feed.FeedBuilder;
import dev.stoker.json.Json;
import dev.stoker.metric.Bottleneck;
import dev.stoker.metric.Meter;
import dev.stoker.metric.MeterSnapshot;
import dev.stoker.metric.MetricSource;
import dev.stoker.metric.Snapshot;
import dev.stoker.metric.TimeUsage;
import dev.stoker.order.OrderFingerprint;
import dev.stoker.order.Position;
import dev.stoker.order.PositionFile;
import dev.stoker.order.RangeSet;
import dev.stoker.os.LocalSocket;
import dev.stoker.sample.Omissions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One client: answers each of its requests by one message, until the connection ends. The memory of a batch is the client's
 * until it gives that back. A client that asks for no batch keeps its feed waiting, and memory as it is.
 */
final class Session implements AutoCloseable {
    static final Set<String> START_KNOWN = Set.of("epoch", "position");
    private static final int MOST_BAD = 1000;
    static final Set<String> SEAL_KNOWN = Set.of("path", "order", "salvage");

    private final Reader reader;
    private final LocalSocket socket;
    private final SharedBlocks blocks = new SharedBlocks();
    private boolean isGreeted;
    private @Nullable FeedRequest request;
    private final List<Dataset> datasets = new ArrayList<>();
    private @Nullable Feed feed;
    /** What this client's own feed has to tell. */
    private final List<String> warnings = new ArrayList<>();

    private boolean hasWarnedOfBad;
    private @Nullable CollectSession intake;

    Session(Reader reader, LocalSocket socket) {
        this.reader = reader;
        this.socket = socket;
    }

    /** Returns when the client is gone. */
    void run() throws IOException {
        while (true) {
            Message message = Message.receive(socket);
            if (message == null) {
                return;
            }
            try {
                answer(message);
            } catch (StokerException e) {
                socket.send(Message.error(String.valueOf(e.getMessage())).encode());
            } catch (RuntimeException | Error e) {
                e.printStackTrace();
                socket.send(Message.error("internal error of the reader process: " + e)
                        .encode());
            }
        }
    }

    private void answer(Message message) throws IOException {
        if (!isGreeted && message.type() != Message.HELLO) {
            throw new StokerException("the first message should be " + Message.HELLO + " but is " + message.type());
        }
        switch (message.type()) {
            case Message.HELLO -> socket.send(welcome(message.object()).encode());
            case Message.OPEN -> socket.send(open(message.object()).encode());
            case Message.START -> socket.send(start(message.object()).encode());
            case Message.NEXT -> next(message.payload());
            case Message.HANDED_ON -> socket.send(handedOn().encode());
            case Message.WITHDRAW -> withdraw(message.object());
            case Message.COLLECT -> socket.send(collect(message.object()).encode());
            case Message.APPEND -> intake().append(message.payload());
            case Message.FLUSH -> socket.send(flushed(intake().flush()).encode());
            case Message.DONE -> socket.send(flushed(intake().close()).encode());
            case Message.SEAL -> socket.send(seal(message.object()).encode());
            case Message.REPORT -> socket.send(report().encode());
            default -> throw new StokerException("message " + message.type() + " is none that a client sends");
        }
    }

    private Message welcome(Map<?, ?> hello) {
        Object protocol = hello.get("protocol");
        if (!Long.valueOf(Message.PROTOCOL).equals(protocol)) {
            throw new StokerException("the Python package (" + hello.get("version") + ") speaks protocol " + protocol
                    + " but the reader process (" + reader.version() + ") speaks " + Message.PROTOCOL
                    + "; install the same version of both, and let all ranks of the job use it");
        }
        if (hello.get("cores") instanceof List<?> cores) {
            reader.useCores(cores);
        }
        isGreeted = true;
        var welcome = new LinkedHashMap<String, Object>();
        welcome.put("protocol", Message.PROTOCOL);
        welcome.put("version", reader.version());
        welcome.put("pid", ProcessHandle.current().pid());
        welcome.put(
                "vector", ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent());
        return Message.json(Message.WELCOME, welcome);
    }

    private Message open(Map<?, ?> options) {
        if (!datasets.isEmpty()) {
            throw new StokerException("a connection opens one dataset; connect again for another");
        }
        var wanted = new FeedRequest(options);
        wanted.metrics().forEach(reader.metrics()::add);
        for (List<String> paths : wanted.datasets()) {
            datasets.add(reader.datasets().open(paths));
        }
        datasets.stream()
                .map(Dataset::omissions)
                .filter(omitted -> !omitted.isEmpty())
                .map(Omissions::warning)
                .forEach(reader.warnings()::add);
        request = wanted;
        Position beginning = Position.start(builder().identity());
        Feed started = begin(beginning);
        var answer = new LinkedHashMap<String, Object>();
        answer.put(
                "fields",
                started.schema().fields().stream()
                        .map(field -> List.of(field.name(), field.type().label()))
                        .toList());
        answer.put("classes", started.schema().classes());
        answer.put("samples", beginning.identity().size());
        answer.put("batches", wanted.batchesPerEpoch(beginning));
        answer.put("position", Json.parse(PositionFile.write(beginning), "position"));
        answer.put("decoded", wanted.decodedField(datasets));
        return Message.json(Message.OPENED, answer);
    }

    private Message start(Map<?, ?> options) {
        var where = new JsonOptions(options, START_KNOWN);
        Map<?, ?> position = where.get("position", Map.class);
        OrderFingerprint identity = builder().identity();
        Position from = position != null
                ? PositionFile.of(position, "state")
                : new Position(identity, where.require("epoch", Long.class), 0, RangeSet.EMPTY);
        // Before the feed under way is closed: a state that is refused changes nothing.
        identity.requireSame(from.identity(), "state");
        begin(from);
        return Message.json(Message.STARTED, Map.of());
    }

    /** Begins a feed in the place of the one under way, which is closed before: two would have twice the memory. */
    private Feed begin(Position from) {
        closeFeed();
        Feed started = builder().from(from).start();
        feed = started;
        hasWarnedOfBad = false;
        return started;
    }

    private FeedBuilder builder() {
        return request().builder(datasets, blocks).meter(meter());
    }

    private FeedRequest request() {
        if (request == null) {
            throw new StokerException("message " + Message.OPEN + " should come before this one");
        }
        return request;
    }

    private Meter meter() {
        return reader.registry().feed(request().rank(), request().paths());
    }

    /** What was counted for this client, and what it says. */
    private Message report() {
        MeterSnapshot own = meter().read();
        Snapshot all = reader.metrics().snapshot();
        Bottleneck bottleneck = Bottleneck.of(TimeUsage.of(all, List.of(own)));
        var counted = new LinkedHashMap<String, Object>();
        own.values().forEach((metric, value) -> counted.put(metric.label(), value));
        all.of(MetricSource.PROCESS)
                .forEach(process -> process.values().forEach((metric, value) -> counted.put(metric.label(), value)));
        for (String next = reader.warnings().poll();
                next != null;
                next = reader.warnings().poll()) {
            warnings.add(next);
        }
        List<String> said = List.copyOf(warnings);
        warnings.clear();
        var answer = new LinkedHashMap<String, Object>();
        answer.put("limited_by", bottleneck.limit().name().toLowerCase(Locale.ROOT));
        answer.put("bottleneck", bottleneck.sentence());
        answer.put("metrics", counted);
        answer.put("warnings", said);
        answer.put("bad", badSamples());
        return Message.json(Message.REPORTED, answer);
    }

    /** The samples of this client that were left out or replaced: of many, the first. */
    private List<Map<String, Object>> badSamples() {
        return feed == null
                ? List.of()
                : feed.badSamples().stream()
                        .limit(MOST_BAD)
                        .map(bad -> Map.<String, Object>of(
                                "dataset", (long) bad.dataset(),
                                "sample", bad.sample(),
                                "place", datasets.get(bad.dataset()).describe(bad.sample()),
                                "reason", bad.reason()))
                        .toList();
    }

    /** Says, once for each feed, that a sample was left out or replaced. */
    private void warnOfBadSamples(Feed feed) {
        if (!hasWarnedOfBad && feed.hasBadSamples()) {
            hasWarnedOfBad = true;
            BadSample first = feed.badSamples().getFirst();
            warnings.add(datasets.get(first.dataset()).describe(first.sample()) + " cannot be used and is "
                    + (request().replacesBad() ? "replaced: " : "left out: ") + first.reason()
                    + ". report()[\"bad\"] lists all such samples");
        }
    }

    private Feed feed() {
        if (feed == null) {
            throw new StokerException("there is nothing to deliver: no feed was opened, or it has failed");
        }
        return feed;
    }

    /** @param givenBack the numbers of blocks that the client no longer looks at */
    private void next(byte[] givenBack) throws IOException {
        Feed feed = feed();
        takeBack(feed, givenBack);
        long ended = feed.endEmptyEpoch();
        if (ended >= 0) {
            BatchMessage end = BatchMessage.end(ended, PositionFile.write(feed.position()));
            socket.send(end.message(isWarned()).encode());
            return;
        }
        Position before = feed.position();
        Batch batch = feed.next();
        warnOfBadSamples(feed);
        SharedBlocks.Block block = blocks.at(batch.memory());
        Message message = BatchMessage.of(
                        batch,
                        block == null ? 0 : block.number(),
                        blocks.takeFreed(),
                        request().wantsRows(),
                        PositionFile.write(feed.position()))
                .message(isWarned());
        feed.keep();
        try {
            socket.send(message.encode(), block == null ? -1 : block.memory().file());
        } catch (IOException e) {
            feed.withdraw(before);
            throw e;
        }
        if (block != null) {
            block.memory().closeFile();
        }
    }

    private boolean isWarned() {
        return !reader.warnings().isEmpty() || !warnings.isEmpty();
    }

    private void takeBack(Feed feed, byte[] numbers) {
        if (numbers.length % Integer.BYTES != 0) {
            throw new StokerException("message " + Message.NEXT + " should be numbers of " + Integer.BYTES
                    + " bytes each but has " + numbers.length + " bytes");
        }
        IntBuffer each = ByteBuffer.wrap(numbers).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
        while (each.hasRemaining()) {
            SharedBlocks.Block block = blocks.numbered(each.get());
            if (block != null) { // otherwise it was freed meanwhile
                feed.giveBack(block);
            }
        }
    }

    /** The client hands the oldest batch that is not in the ledger to the training. */
    private Message handedOn() {
        feed().handedOn();
        return Message.json(Message.RECORDED, Map.of());
    }

    /** The client did not get the last batch, if it stands where it stood before that; it says so when it leaves. */
    private void withdraw(Map<?, ?> position) {
        if (feed != null) {
            feed.withdraw(PositionFile.of(position, "state"));
        }
    }

    private Message collect(Map<?, ?> options) {
        if (intake != null) {
            throw new StokerException("a connection collects into one file; connect again for another");
        }
        intake = new CollectSession(options);
        return Message.json(Message.COLLECTING, Map.of());
    }

    private CollectSession intake() {
        if (intake == null) {
            throw new StokerException("message " + Message.COLLECT + " should come before this one");
        }
        return intake;
    }

    private static Message flushed(long samples) {
        return Message.json(Message.FLUSHED, Map.of("samples", samples));
    }

    private static Message seal(Map<?, ?> options) {
        var request = new JsonOptions(options, SEAL_KNOWN);
        CollectSealer.Result result = CollectSealer.run(
                request.path("path"),
                request.choice("order", CollectSealer.Order.class),
                request.require("salvage", Boolean.class));
        var answer = new LinkedHashMap<String, Object>();
        answer.put("samples", result.samples());
        answer.put("bytes", result.bytes());
        answer.put("missing", result.missing());
        return Message.json(Message.SEALED, answer);
    }

    private void closeFeed() {
        if (feed != null) {
            feed.close();
            feed = null;
        }
    }

    @Override
    public void close() {
        closeFeed();
        datasets.forEach(reader.datasets()::release);
        if (intake != null) {
            intake.abandon();
        }
        socket.close();
    }
}
