package dev.stoker.djl;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.translate.Batchifier;
import ai.djl.util.Progress;
import dev.stoker.feed.Feed;
import dev.stoker.feed.FeedBuilder;
import dev.stoker.order.Position;
import dev.stoker.order.RangeSet;
import java.util.Iterator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A feed as DJL's dataset. Every call of {@link #getData} is the next epoch, in its own order; threads of the feed read
 * ahead while the model trains.
 *
 * <pre>{@code
 * try (var data = dev.stoker.dataset.Dataset.open(path)) {
 *     var training = new FeedDataset(() -> Feed.of(data).batch(64).shuffle(7), "features", "label");
 *     EasyTrain.fit(trainer, 10, training, null);
 * }
 * }</pre>
 *
 * The feed of an epoch is closed when its last batch has been asked for, or the next epoch begins. Used by one thread.
 */
public final class FeedDataset implements Dataset, AutoCloseable {
    private final Supplier<FeedBuilder> feeds;
    private final String data;
    private final String label;
    private long epoch;
    private @Nullable Feed open;

    /**
     * A dataset whose batches have one array of data and one of labels.
     *
     * @param feeds makes the feed of an epoch; always with the same settings
     */
    public FeedDataset(Supplier<FeedBuilder> feeds, String data, String label) {
        this.feeds = feeds;
        this.data = data;
        this.label = label;
    }

    /** The epoch that begins with the next {@link #getData}. */
    public FeedDataset epoch(long next) {
        epoch = next;
        return this;
    }

    @Override
    public Iterable<Batch> getData(NDManager manager) {
        close();
        FeedBuilder builder = feeds.get();
        Position start = new Position(builder.identity(), epoch++, 0, RangeSet.EMPTY);
        Feed feed = builder.from(start).epochs(epoch).start();
        open = feed;
        return () -> new Batches(feed, manager);
    }

    @Override
    public void prepare(@Nullable Progress progress) {}

    /** Ends the feed of the epoch that is under way. */
    @Override
    public void close() {
        if (open != null) {
            open.close();
            open = null;
        }
    }

    private final class Batches implements Iterator<Batch> {
        private final Feed feed;
        private final NDManager manager;
        private final int dataField;
        private final int labelField;
        private long delivered;

        Batches(Feed feed, NDManager manager) {
            this.feed = feed;
            this.manager = manager;
            this.dataField = feed.schema().place(data);
            this.labelField = feed.schema().place(label);
        }

        @Override
        public boolean hasNext() {
            return feed.hasNext();
        }

        @Override
        public Batch next() {
            dev.stoker.feed.Batch batch = feed.next();
            NDManager own = manager.newSubManager();
            NDList values = new NDList(Arrays.of(batch, dataField, own));
            NDList labels = new NDList(Arrays.of(batch, labelField, own));
            delivered += batch.size();
            return new Batch(
                    own,
                    values,
                    labels,
                    batch.size(),
                    Batchifier.STACK,
                    Batchifier.STACK,
                    delivered,
                    feed.position().identity().size());
        }
    }
}
