package dev.stoker.format;

import dev.stoker.index.BlockMeta;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.sample.Samples;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Samples that were compressed before there is a plan: only then are the sizes known that a plan needs. */
public interface CompressedBlocks {
    BlockPlan cut();

    /** Bytes of a block as it is stored. */
    long stored(int block);

    /** Bytes of a block when it is decoded. */
    long decoded(int block);

    /** Whether a block is stored as it is. */
    boolean isPlain(int block);

    /** Bytes of all blocks as they are stored. */
    default long stored() {
        long sum = 0;
        for (int b = 0; b < cut().blocks(); b++) {
            sum += stored(b);
        }
        return sum;
    }

    /** The sidecar of a container that holds samples in such blocks; in none, if they are null. */
    static IndexLayout sidecar(
            String format, Samples samples, List<Placement> placements, @Nullable CompressedBlocks blocks) {
        if (blocks == null) {
            return IndexLayout.sidecar(new IndexMeta(format, samples.schema(), samples.splits(), placements), samples);
        }
        BlockMeta how = BlockMeta.of(blocks.cut().codec());
        var meta = new IndexMeta(format, samples.schema(), samples.splits(), placements, how);
        long[] indexed = IndexLayout.indexedBytes(samples, placements);
        return IndexLayout.sidecar(meta, samples.count(), indexed, blocks.cut().blocks(), 0);
    }
}
