package dev.stoker.block;

import dev.stoker.StokerException;
import dev.stoker.io.ByteSource;
import dev.stoker.io.InputFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/** The decoded bytes of a container all of whose blocks are stored as they are, read from their files by place. */
public final class UncompressedBlocks implements ByteSource {
    private final BlockTable table;
    private final IntFunction<Path> paths;
    private final Map<Integer, InputFile> files = new ConcurrentHashMap<>();

    /**
     * A byte's place in its file.
     *
     * @param length how many bytes lie there in one piece
     */
    public record Place(int file, long offset, long length) {}

    /** @param paths the files by their numbers; 0 is the container */
    public UncompressedBlocks(BlockTable table, IntFunction<Path> paths) {
        this.table = table;
        this.paths = paths;
    }

    /** Whether all blocks are stored as they are. */
    public static boolean are(BlockTable table) {
        return table.pipelines().stream().allMatch(CodecPipeline::isPlain);
    }

    @Override
    public long size() {
        return table.bytes();
    }

    /** Where a decoded byte is stored. */
    public Place place(long address) {
        Block block = table.block(table.find(address));
        long from = address - block.address();
        if (from >= block.bytes()) {
            throw table.damaged("no block holds the decoded byte " + address);
        }
        return new Place(block.file(), block.offset() + block.skip() + from, block.bytes() - from);
    }

    @Override
    public long read(long address, MemorySegment to) throws IOException {
        long done = 0;
        while (done < to.byteSize() && address + done < size()) {
            Place place = place(address + done);
            long part = Math.min(place.length(), to.byteSize() - done);
            long read = file(place.file()).read(place.offset(), to.asSlice(done, part));
            done += read;
            if (read < part) {
                break;
            }
        }
        return done;
    }

    private InputFile file(int number) throws IOException {
        try {
            return files.computeIfAbsent(number, n -> InputFile.open(paths.apply(n)));
        } catch (StokerException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public String name(long address) {
        return address < size() ? paths.apply(place(address).file()).toString() : table.file();
    }

    @Override
    public void close() {
        files.values().forEach(InputFile::close);
    }
}
