package dev.stoker.write;

import dev.stoker.StokerException;
import dev.stoker.block.Block;
import dev.stoker.block.BlockTable;
import dev.stoker.concurrent.Progress;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.SmallValues;
import dev.stoker.index.Column;
import dev.stoker.index.ContainerIdentity;
import dev.stoker.index.Index;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;

/**
 * A container that another program makes as a whole, since its bytes cannot be planned. When it is there, it is looked
 * through as any other by that program; its samples are found again by their keys, and each is decoded and compared with
 * the checksum of what was read from the source. So the sidecar is worth as much as that of a planned container.
 */
final class ExternalContainer {
    private final ChecksummedSamples samples;
    private final Format format;
    private final int key;
    private final int data;

    ExternalContainer(Samples samples, Format format) {
        this.key = samples.schema().place(Field.KEY);
        this.data = samples.schema().place(Field.DATA);
        this.samples = new ChecksummedSamples(samples, data);
        this.format = format;
    }

    /** Bytes of all samples together. */
    long bytes() {
        long bytes = 0;
        for (long i = 0; i < samples.count(); i++) {
            bytes += samples.length(i, data);
        }
        return bytes;
    }

    /** Makes the container, and its sidecar, under these names. */
    void make(FormatOptions options, Path container, Path sidecar, Progress progress) {
        format.make(samples, options, container, sample -> progress.add(1, samples.length(sample, data)));
        progress.phase("checking");
        ContainerIdentity identity = ContainerIdentity.of(container);
        try (var file = MappedFile.open(container);
                IndexBuilder derived = format.derive(file)) {
            Index found = derived.toMemory(file.name(), format.name(), null, identity);
            try (IndexBuilder whole = whole(found, file)) {
                whole.packed();
                whole.toFile(sidecar, true, format.name(), file.bytes(), identity, null);
            }
            requireSame(sidecar, file);
        }
    }

    /** The samples in their own order, with all their fields. */
    private IndexBuilder whole(Index found, MappedFile file) {
        Map<ByteBuffer, Long> rows = rows(found, file.bytes());
        int foundData = found.schema().place(Field.DATA);
        var placements = new ArrayList<Placement>();
        for (int f = 0; f < samples.schema().size(); f++) {
            boolean inBlocks = found.placement(foundData).place() == Placement.Place.BLOCKS;
            Placement ofData = inBlocks ? Placement.blocks() : Placement.stored();
            placements.add(
                    f == data
                            ? ofData
                            : Placement.indexed(samples.schema().type(f).isFixed()));
        }
        return new IndexBuilder(samples.schema(), placements).filledBy(builder -> {
            copyBlocks(found, builder);
            Column column = found.column(foundData, file.bytes());
            for (long i = 0; i < samples.count(); i++) {
                Long row = rows.get(ByteBuffer.wrap(SmallValues.read(samples, i, key)));
                if (row == null || column.length(row) != samples.length(i, data)) {
                    throw wrong(file, i, row == null ? "it is missing" : "it has " + column.length(row) + " bytes");
                }
                add(builder, i, column, row);
            }
            builder.splits(samples.splits());
        });
    }

    private void add(IndexBuilder builder, long sample, Column column, long row) {
        for (int f = 0; f < samples.schema().size(); f++) {
            if (f == data) {
                builder.stored(f, column.offset(row), column.length(row));
            } else {
                builder.value(f, MemorySegment.ofArray(SmallValues.read(samples, sample, f)));
            }
        }
    }

    private Map<ByteBuffer, Long> rows(Index found, MemorySegment container) {
        Column keys = found.column(found.schema().place(Field.KEY), container);
        var rows = new HashMap<ByteBuffer, Long>();
        for (long row = 0; row < found.samples(); row++) {
            rows.put(ByteBuffer.wrap(keys.slice(row).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)), row);
        }
        return rows;
    }

    private static void copyBlocks(Index found, IndexBuilder to) {
        if (!found.hasBlocks()) {
            return;
        }
        BlockTable table = found.blocks();
        for (long number = 0; number < table.count(); number++) {
            Block b = table.block(number);
            to.blocks().addPart(b.file(), b.offset(), b.stored(), b.decoded(), b.skip(), b.bytes(), table.pipeline(b));
        }
    }

    private void requireSame(Path sidecar, MappedFile file) {
        try (Index made = Index.open(sidecar)) {
            Column column = made.column(data, file.bytes());
            for (long i = 0; i < samples.count(); i++) {
                if (column.checksum(i) != samples.checksum(i)) {
                    throw wrong(file, i, "its bytes differ");
                }
            }
        }
    }

    private StokerException wrong(MappedFile file, long sample, String how) {
        return new StokerException(
                file.path(),
                "does not hold " + samples.describe(sample)
                        + " as it was read: " + how
                        + "; the source changed meanwhile, or the program that made the container is at"
                        + " fault");
    }
}
