package dev.stoker.image.sheet;

import dev.stoker.dataset.Dataset;
import dev.stoker.feed.Batch;
import dev.stoker.feed.Feed;
import dev.stoker.image.ImageException;
import dev.stoker.image.ImagePipeline;
import dev.stoker.image.PictureReader;
import dev.stoker.image.PipelineWorker;
import dev.stoker.io.LittleEndian;
import dev.stoker.order.Order;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.sample.TextList;
import java.awt.image.BufferedImage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes the first samples that a feed would deliver, and makes tiles of them. A bad picture becomes a tile that says so. */
public final class TileReader {
    private static final int BATCH = 8;

    private final Dataset dataset;
    private final @Nullable ImagePipeline pipeline;
    private final @Nullable PipelineWorker worker;
    private final PictureReader reader = new PictureReader();
    private final int pictures;
    private final int label;
    private final int caption;

    /**
     * Reads from a dataset.
     *
     * @param field the field with the pictures
     * @param pipeline what training does with the pictures, in uint8 and HWC; null for the pictures as they are stored
     */
    public TileReader(Dataset dataset, String field, @Nullable ImagePipeline pipeline) {
        this.dataset = dataset;
        this.pipeline = pipeline;
        this.worker = pipeline == null ? null : pipeline.worker();
        Schema schema = dataset.schema();
        this.pictures = schema.place(field);
        int found = schema.find(Field.LABEL);
        this.label = found >= 0 && schema.type(found) instanceof FieldType.Scalar(var dtype) && dtype.bytes() == 8
                ? found
                : -1;
        this.caption = caption(schema);
    }

    /** The first field of text that is not the key, or -1. */
    private static int caption(Schema schema) {
        for (int f = 0; f < schema.size(); f++) {
            boolean isText = schema.type(f) instanceof FieldType.Text || schema.type(f) instanceof FieldType.Texts;
            if (isText && !schema.fields().get(f).name().equals(Field.KEY)) {
                return f;
            }
        }
        return -1;
    }

    /** The first samples of epoch 0, in the feed's order and with the feed's randomness for this seed. */
    public List<Tile> read(int count, String order, long seed) {
        var tiles = new ArrayList<Tile>();
        try (Feed feed = Feed.of(dataset)
                .order(samples -> Order.parse(order, samples))
                .seed(seed)
                .batch(BATCH)
                .stopAfter(count)
                .start()) {
            for (Batch batch : feed) {
                for (int i = 0; i < batch.size(); i++) {
                    tiles.add(tile(batch, i, seed));
                }
            }
        }
        return tiles;
    }

    private Tile tile(Batch batch, int i, long seed) {
        int key = batch.schema().find(Field.KEY);
        String note = key >= 0 ? batch.text(i, key) : "sample " + batch.sample(i);
        try {
            MemorySegment encoded = batch.value(i, pictures);
            return new Tile(title(batch, i), note, picture(encoded, seed, batch.sample(i)), "");
        } catch (ImageException e) {
            return new Tile(title(batch, i), note, null, e.reason());
        }
    }

    private BufferedImage picture(MemorySegment encoded, long seed, long sample) {
        if (pipeline == null || worker == null) {
            return reader.read(encoded);
        }
        int[] shape = pipeline.outputShape();
        byte[] pixels = new byte[Math.toIntExact(pipeline.outputBytes())];
        worker.run(encoded, MemorySegment.ofArray(pixels), 0, seed, 0, sample);
        return PictureReader.image(pixels, shape[0], shape[1], shape[2]);
    }

    private String title(Batch batch, int i) {
        if (caption >= 0) {
            boolean isList = batch.schema().type(caption) instanceof FieldType.Texts;
            return isList ? String.join(" · ", TextList.decode(batch.value(i, caption))) : batch.text(i, caption);
        }
        if (label < 0) {
            return "";
        }
        long number = batch.value(i, label).get(LittleEndian.U64, 0);
        List<String> classes = batch.schema().classes();
        if (number >= 0 && number < classes.size()) {
            return classes.get((int) number);
        }
        return number == Field.NO_LABEL ? "" : "label " + number;
    }
}
