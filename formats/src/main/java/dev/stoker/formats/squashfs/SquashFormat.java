package dev.stoker.formats.squashfs;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.format.AbstractFormat;
import dev.stoker.format.Capability;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.format.TreeFields;
import dev.stoker.index.IndexBuilder;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Samples;
import dev.stoker.text.Spelling;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * A SquashFS 4.0 image that holds exactly the source tree: one file for each sample, its field {@code data} under its
 * key. All other fields are in the sidecar. Nothing is compressed, so every place follows from names and sizes.
 *
 * <pre>
 *   superblock          96 bytes
 *   data                file after file, in the order of the samples, without gaps; blocks of 128 KiB, the last one shorter
 *   inode table         the files in the order of the samples, then the folders, each behind those in it; the root last
 *   directory table     for each folder its names, sorted by their bytes
 *   id table            one id, 0
 *   zeros               up to a multiple of 4096
 * </pre>
 *
 * The tables are metadata blocks: 2 bytes (0x8000 + length), up to 8192 bytes. Files have mode 0644, folders 0755, all
 * belong to root and have time 0; inode number n + 1 is sample n. There are no fragments, extended attributes, or table
 * for export over NFS. A folder whose names fill several metadata blocks has an index of them.
 *
 * <p>With {@code --compression} the program sqfstar of squashfs-tools (4.5 or newer) makes the image from a tar that is
 * streamed to it, so nothing is unpacked on the way; blocks, fragments and tables are then its own.
 *
 * <p>Reading. Images of version 4.0 by any program, compressed by gzip, zstd, lz4 or xz or not at all. If every file lies
 * in one piece, in blocks that are stored or in one stored fragment, it is read where it lies; else all are read as
 * blocks. Samples come in the order of the inode numbers. Only regular files are samples. Symbolic links, devices, and in images by
 * other programs what desktops leave behind ({@link dev.stoker.sample.JunkNames}), are left out and counted. Refused by name: images compressed by lzo or lzma.
 */
public final class SquashFormat extends AbstractFormat {
    static final String NAME = "squashfs";

    private static final String COMPRESSION = "compression";
    private static final List<String> COMPRESSIONS = List.of("zstd", "gzip", "lz4", "xz");

    public SquashFormat() {
        super(
                NAME,
                List.of("sqsh", "squashfs"),
                EnumSet.of(
                        Capability.WRITE,
                        Capability.PARALLEL_FILL,
                        Capability.SINGLE_FILE,
                        Capability.VARIABLE_LENGTH,
                        Capability.IN_PLACE,
                        Capability.SPECIFIED));
    }

    @Override
    public boolean matches(Path path, MemorySegment head) {
        return head.byteSize() >= Superblock.BYTES && head.get(LittleEndian.U32, 0) == Superblock.MAGIC;
    }

    @Override
    public Set<String> settings() {
        return Set.of(COMPRESSION);
    }

    @Override
    public boolean isMade(FormatOptions options) {
        return options.setting(COMPRESSION) != null;
    }

    @Override
    public void make(Samples samples, FormatOptions options, Path to, LongConsumer done) {
        options.requireOnly(name(), settings());
        String compression = options.setting(COMPRESSION);
        if (compression == null || !COMPRESSIONS.contains(compression)) {
            throw new UsageException("format squashfs has no --compression '" + compression + "'; it has "
                    + String.join(", ", COMPRESSIONS)
                    + (compression == null ? "" : Spelling.hint(compression, COMPRESSIONS)));
        }
        TreeFields fields = TreeFields.require(NAME, samples, options);
        new SquashMaker(samples, fields).make(compression, to, done);
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options) {
        if (isMade(options)) {
            throw new StokerException("a compressed image cannot be planned; leave out --dry-run, or --compression");
        }
        return new SquashPlan(samples, TreeFields.require(NAME, samples, options));
    }

    @Override
    public IndexBuilder derive(MappedFile file) {
        return new SquashReader(file).derive();
    }
}
