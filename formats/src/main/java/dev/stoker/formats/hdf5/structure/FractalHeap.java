package dev.stoker.formats.hdf5.structure;

import dev.stoker.formats.shared.array.Span;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A fractal heap, as far as links and attributes need it: objects in its direct blocks and those on their own. */
final class FractalHeap {
    /** The kind of B-tree that lists objects too long for a block. */
    private static final int HUGE = 1;

    private final FileBytes file;
    private final int idBytes;
    private final int offsetBytes;
    private final int lengthBytes;
    private final int width;
    private final long startBytes;
    private final long maxDirectBytes;
    private final boolean filtered;
    private final long root;
    private final int rootRows;
    private final long hugeTree;
    /** Objects too long for a block, by their numbers; found when the first is asked for. */
    private @Nullable Map<Long, Span> huge;

    FractalHeap(FileBytes file, long header) {
        this.file = file;
        file.signature(header, "FRHP");
        this.idBytes = file.u16(header + 5);
        this.filtered = file.u16(header + 7) != 0;
        long maxObject = file.u32(header + 10);
        int o = file.offsetBytes();
        int l = file.lengthBytes();
        this.hugeTree = file.address(header + 14 + l);
        // Next huge number, tree of huge objects, free space, its manager, and eight counts.
        long table = header + 14 + 10L * l + 2L * o;
        this.width = file.u16(table);
        this.startBytes = file.length(table + 2);
        this.maxDirectBytes = file.length(table + 2 + l);
        int maxBits = file.u16(table + 2 + 2L * l);
        this.root = file.address(table + 6 + 2L * l);
        this.rootRows = file.u16(table + 6 + 2L * l + o);
        this.offsetBytes = (maxBits + 7) / 8;
        this.lengthBytes = Math.min((70 - Long.numberOfLeadingZeros(maxDirectBytes)) / 8, bytesFor(maxObject));
        file.checksum(header, table + 8 + 2L * l + o - header, "the header of a heap");
        if (width == 0 || startBytes == 0 || Long.bitCount(startBytes) != 1 || maxDirectBytes < startBytes) {
            throw file.corrupt(
                    header,
                    "a heap has " + width + " blocks in a row, the first of " + startBytes + " bytes, the longest of "
                            + maxDirectBytes + ", which cannot be");
        }
        if (offsetBytes > 8 || lengthBytes > 8) {
            throw file.corrupt(header, "a heap has offsets of " + offsetBytes + " bytes");
        }
    }

    private static int bytesFor(long limit) {
        return (63 - Long.numberOfLeadingZeros(Math.max(1, limit))) / 8 + 1;
    }

    /** The place in the file of an object, by its number. */
    Span object(long id, int bytes) {
        int kind = file.u8(id) >> 4;
        if (kind > 1 || filtered || bytes < idBytes || idBytes < 1 + offsetBytes + lengthBytes) {
            throw file.unsupported("a group keeps links or attributes in a heap "
                    + (filtered ? "that is compressed" : "as objects of kind " + kind)
                    + ", which Stoker does not read; copy the file with h5repack");
        }
        if (kind == 1) {
            return hugeObject(id);
        }
        long offset = file.uint(id + 1, offsetBytes);
        long length = file.uint(id + 1 + offsetBytes, lengthBytes);
        long place = rootRows == 0 ? inDirect(root, offset, length, startBytes) : find(offset, length);
        file.require(place, length, "an object of a heap");
        return new Span(place, length);
    }

    private Span hugeObject(long id) {
        if (idBytes > file.offsetBytes() + file.lengthBytes()) {
            var place = new Span(file.address(id + 1), file.length(id + 1 + file.offsetBytes()));
            file.require(place.offset(), place.length(), "an object of a heap");
            return place;
        }
        if (huge == null) {
            var found = new HashMap<Long, Span>();
            int number = file.offsetBytes() + file.lengthBytes();
            new BTree2(file, hugeTree, HUGE).records((record, bytes) -> {
                var place = new Span(file.address(record), file.length(record + file.offsetBytes()));
                file.require(place.offset(), place.length(), "an object of a heap");
                found.put(file.uint(record + number, file.lengthBytes()), place);
            });
            huge = found;
        }
        Span place = huge.get(file.uint(id + 1, Math.min(idBytes - 1, file.lengthBytes())));
        if (place == null) {
            throw file.corrupt(id, "a heap has no object of this number");
        }
        return place;
    }

    private long inDirect(long block, long offset, long length, long blockBytes) {
        if (offset < 0 || length < 0 || offset > blockBytes - length) {
            throw file.corrupt(block, "an object of a heap leaves its block of " + blockBytes + " bytes");
        }
        file.signature(block, "FHDB");
        return block + offset;
    }

    /** Goes down the indirect blocks: rows of blocks that double in size from the third row on. */
    private long find(long offset, long length) {
        long block = root;
        int rows = rootRows;
        long rest = offset;
        while (true) {
            file.signature(block, "FHIB");
            int row = 0;
            long rowStart = 0;
            while (row < rows && rest - rowStart >= Math.multiplyExact(width, blockBytes(row))) {
                rowStart += width * blockBytes(row);
                row++;
            }
            if (row >= rows || rest < 0) {
                throw file.corrupt(block, "an object of a heap lies behind its " + rows + " rows of blocks");
            }
            long size = blockBytes(row);
            long entry = row * (long) width + (rest - rowStart) / size;
            long child = file.address(block + 5 + file.offsetBytes() + offsetBytes + entry * file.offsetBytes());
            rest = (rest - rowStart) % size;
            if (size <= maxDirectBytes) {
                return inDirect(child, rest, length, size);
            }
            // Fewer rows than here, so this ends.
            rows = Long.numberOfTrailingZeros(size) - Long.numberOfTrailingZeros(startBytes * width) + 1;
            block = child;
        }
    }

    private long blockBytes(int row) {
        if (row > 62 - Long.numberOfTrailingZeros(startBytes)) {
            throw file.corrupt(root, "a heap has too many rows of blocks");
        }
        return row < 2 ? startBytes : startBytes << (row - 1);
    }
}
