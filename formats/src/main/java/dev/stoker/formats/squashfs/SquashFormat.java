package dev.stoker.formats.squashfs;

import dev.stoker.format.Ability;
import dev.stoker.format.Format;
import dev.stoker.format.Options;
import dev.stoker.format.Plan;
import dev.stoker.format.TreeFields;
import dev.stoker.index.IndexBuilder;
import dev.stoker.memory.Layouts;
import dev.stoker.memory.MappedFile;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

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
 * <p>Reading. Images of version 4.0 by any program, compressed by gzip, zstd, lz4 or xz or not at all. If every file lies
 * in one piece, in blocks that are stored or in one stored fragment, it is read where it lies; else all are read as
 * blocks. Samples come in the order of the inode numbers. Symbolic links are passed over, as folders are. Refused by name:
 * images compressed by lzo or lzma, devices and the like.
 */
public final class SquashFormat implements Format {
    static final String NAME = "squashfs";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<String> extensions() {
        return List.of("sqsh", "squashfs");
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(Ability.WRITE, Ability.PARALLEL_FILL, Ability.SINGLE_FILE, Ability.SPECIFIED);
    }

    @Override
    public boolean matches(Path path, MemorySegment head) {
        return head.byteSize() >= Superblock.BYTES && head.get(Layouts.U32, 0) == Superblock.MAGIC;
    }

    @Override
    public Plan plan(Samples samples, Options options) {
        options.requireOnly(name(), settings());
        return new SquashPlan(samples, TreeFields.require(NAME, samples, options));
    }

    @Override
    public IndexBuilder derive(MappedFile file) {
        return new SquashReader(file).derive();
    }
}
