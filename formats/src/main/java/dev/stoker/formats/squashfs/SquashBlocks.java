package dev.stoker.formats.squashfs;

import dev.stoker.StokerException;
import dev.stoker.block.CodecPipeline;
import dev.stoker.index.BlockRows;
import dev.stoker.io.MappedFile;
import java.util.HashMap;
import java.util.Map;

/** Gives the files of an image with compressed data their places among the decoded bytes. */
final class SquashBlocks {
    private static final Map<String, String> CODECS = Map.of("gzip", "zlib", "zstd", "zstd", "lz4", "lz4", "xz", "xz");
    private static final CodecPipeline ZEROS = CodecPipeline.of("zeros");

    private final MappedFile file;
    private final SquashInodes inodes;
    private final int blockSize;
    private final String compressor;
    private final BlockRows rows;
    /** How many bytes a fragment has when it is decoded, as far as files are in it; nothing else tells. */
    private final Map<Long, Long> fragmentBytes = new HashMap<>();

    private final Map<Long, Long> fragmentPlaces = new HashMap<>();

    SquashBlocks(MappedFile file, SquashInodes inodes, int blockSize, String compressor, BlockRows rows) {
        this.file = file;
        this.inodes = inodes;
        this.blockSize = blockSize;
        this.compressor = compressor;
        this.rows = rows;
    }

    /** To be called for all files before the first is placed. */
    void see(FileData data) {
        if (data.hasTail()) {
            fragmentBytes.merge(data.fragment(), data.fragmentOffset() + data.tail(blockSize), Math::max);
        }
    }

    /** Where a file begins among the decoded bytes. */
    long place(FileData data) {
        if (data.length() == 0) {
            return 0;
        }
        if (data.blocks().length == 0) {
            // Files of one fragment share its block, so that it is decoded once for all.
            return fragmentPlaces.computeIfAbsent(data.fragment(), this::addFragment) + data.fragmentOffset();
        }
        long first = data.hasStoredBlocks() ? addStored(data) : addBlocks(data);
        if (data.hasTail()) {
            addTail(data);
        }
        return first;
    }

    private long addFragment(long number) {
        Fragments.Fragment fragment = inodes.fragment(number);
        return rows.add(
                0, fragment.offset(), fragment.size().stored(), decoded(fragment, number), pipeline(fragment.size()));
    }

    private void addTail(FileData data) {
        Fragments.Fragment fragment = inodes.fragment(data.fragment());
        rows.addPart(
                0,
                fragment.offset(),
                fragment.size().stored(),
                decoded(fragment, data.fragment()),
                data.fragmentOffset(),
                data.tail(blockSize),
                pipeline(fragment.size()));
    }

    private long decoded(Fragments.Fragment fragment, long number) {
        return fragment.size().isCompressed()
                ? fragmentBytes.getOrDefault(number, 0L)
                : fragment.size().stored();
    }

    private long addStored(FileData data) {
        long bytes = data.length() - data.tail(blockSize);
        return rows.add(0, data.start(), bytes, bytes, CodecPipeline.NONE);
    }

    private long addBlocks(FileData data) {
        long first = -1;
        long at = data.start();
        long left = data.length() - data.tail(blockSize);
        for (DataBlock block : data.blocks()) {
            long address = rows.add(0, at, block.stored(), Math.min(left, blockSize), pipeline(block));
            first = first < 0 ? address : first;
            at += block.stored();
            left -= blockSize;
        }
        return first;
    }

    private CodecPipeline pipeline(DataBlock block) {
        if (block.isSparse()) {
            return ZEROS;
        }
        if (!block.isCompressed()) {
            return CodecPipeline.NONE;
        }
        String codec = CODECS.get(compressor);
        if (codec == null) {
            throw new StokerException(
                    file.path(),
                    "has data that is compressed with " + compressor
                            + ", which cannot be read; make the image again with mksquashfs -comp zstd, gzip, lz4 or xz, or mount it"
                            + " and pack the folder");
        }
        return CodecPipeline.of(codec);
    }
}
