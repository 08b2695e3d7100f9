package dev.stoker.container;

import dev.stoker.CorruptContainerException;
import dev.stoker.block.BlockTable;
import dev.stoker.block.UncompressedBlocks;
import dev.stoker.index.Column;
import dev.stoker.index.Index;
import dev.stoker.io.ByteSource;
import dev.stoker.io.InputFile;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FolderBoundary;
import dev.stoker.os.RegularFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Which file on this machine holds a value, and where; for those who read or write past the mapping. */
final class ValueLocator {
    /** A file of its own that is larger than this is mapped, not read. */
    private static final long MOST_READ = 64 << 20;

    private final Path path;
    private final FolderBoundary folder;
    private final Index index;
    private final Column[] columns;
    private final LongFunction<String> keys;

    /** @param keys the samples' keys, by which files of their own are found */
    ValueLocator(Path path, Index index, Column[] columns, LongFunction<String> keys) {
        this.path = path;
        this.folder = new FolderBoundary(path);
        this.index = index;
        this.columns = columns;
        this.keys = keys;
    }

    /**
     * The bytes that a field's offsets count in, to be closed by the caller; null where values are decoded or files of
     * their own.
     */
    @Nullable
    ByteSource stored(int field) {
        Path indexFile = index.path();
        return switch (index.placement(field).place()) {
            case FILE -> InputFile.open(path);
            case INDEX -> indexFile == null ? null : InputFile.open(indexFile);
            case BLOCKS -> plainBlocks();
            case TREE -> null;
        };
    }

    private @Nullable UncompressedBlocks plainBlocks() {
        BlockTable table = index.blocks();
        return UncompressedBlocks.are(table) ? new UncompressedBlocks(table, number -> blockFile(table, number)) : null;
    }

    private Path blockFile(BlockTable table, int number) {
        return number == 0 ? path : BlockFiles.stored(folder, table.files().get(number - 1));
    }

    /** Where the rest of a value is stored, as it is; null where it is compressed. */
    @Nullable
    ValueLocation place(long sample, int field, long from) {
        long offset = columns[field].offset(sample) + from;
        long length = columns[field].length(sample) - from;
        Path indexFile = index.path();
        return switch (index.placement(field).place()) {
            case FILE -> new ValueLocation(path, offset, length);
            case INDEX -> indexFile == null ? null : new ValueLocation(indexFile, offset, length);
            case TREE -> new ValueLocation(member(sample), offset, length);
            case BLOCKS -> {
                BlockTable table = index.blocks();
                UncompressedBlocks plain = plainBlocks();
                if (plain == null) {
                    yield null;
                }
                UncompressedBlocks.Place at = plain.place(offset);
                yield new ValueLocation(blockFile(table, at.file()), at.offset(), Math.min(length, at.length()));
            }
        };
    }

    /** A value that is a file of its own. Few are mapped: a process may have some ten thousand mappings at most. */
    MemorySegment value(long sample, int field) {
        long length = columns[field].length(sample);
        if (length > MOST_READ) {
            return map(sample, field);
        }
        MemorySegment value = Arena.ofAuto().allocate(length);
        read(sample, field, 0, value);
        return value;
    }

    private MemorySegment map(long sample, int field) {
        Path member = member(sample);
        try (var channel = RegularFile.open(member)) {
            requireSize(member, sample, field, channel.size());
            long offset = columns[field].offset(sample);
            return channel.map(FileChannel.MapMode.READ_ONLY, offset, columns[field].length(sample), Arena.ofAuto());
        } catch (IOException e) {
            throw FileErrors.cannotRead(member, e);
        }
    }

    /** Reads a part of a value that is a file of its own. */
    void read(long sample, int field, long from, MemorySegment to) {
        Objects.checkFromIndexSize(from, to.byteSize(), columns[field].length(sample));
        try (InputFile member = InputFile.open(member(sample))) {
            requireSize(member.path(), sample, field, member.size());
            member.readFully(columns[field].offset(sample) + from, to);
        } catch (CorruptContainerException e) {
            throw e.at(sample);
        }
    }

    private void requireSize(Path member, long sample, int field, long size) {
        long expected = columns[field].offset(sample) + columns[field].length(sample);
        if (size != expected) {
            throw new CorruptContainerException(
                    member.toString(),
                    sample,
                    CorruptContainerException.NOWHERE,
                    "it should have " + expected + " bytes but has " + size);
        }
    }

    private Path member(long sample) {
        try {
            return BlockFiles.member(path, keys.apply(sample));
        } catch (CorruptContainerException e) {
            throw e.at(sample);
        }
    }
}
