package dev.stoker.formats.parquet.read;

import dev.stoker.block.BlockTable;
import dev.stoker.block.CodecPipeline;
import dev.stoker.formats.parquet.read.Footer.Chunk;
import dev.stoker.formats.parquet.schema.Compression;
import dev.stoker.formats.parquet.schema.Encoding;
import dev.stoker.formats.parquet.schema.PageLocation;
import dev.stoker.formats.parquet.schema.PageType;
import dev.stoker.formats.parquet.thrift.ThriftReader;
import dev.stoker.index.BlockRows;
import dev.stoker.index.Placement;
import dev.stoker.io.Checksum;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** Reads the pages of one column of one row group, and gives a sink each of its entries. */
final class ChunkReader {
    private final String file;
    private final MemorySegment bytes;
    /** Where the footer begins: no page lies behind it. */
    private final long end;

    private final ParquetLimits limits;
    private final BlockRows blocks;

    ChunkReader(String file, MemorySegment bytes, long end, ParquetLimits limits, BlockRows blocks) {
        this.file = file;
        this.bytes = bytes;
        this.end = end;
        this.limits = limits;
        this.blocks = blocks;
    }

    void read(Chunk chunk, Leaf leaf, Placement.Place use, RowSink sink) {
        new Pages(chunk, leaf, use, sink).read();
    }

    /** The state of reading one chunk. */
    private final class Pages {
        private final Chunk chunk;
        private final Leaf leaf;
        private final Placement.Place use;
        private final RowSink sink;
        private final CodecPipeline pipeline;
        private PageLocation place;
        private @Nullable Dictionary dictionary;

        Pages(Chunk chunk, Leaf leaf, Placement.Place use, RowSink sink) {
            this.chunk = chunk;
            this.leaf = leaf;
            this.use = use;
            this.sink = sink;
            this.place = new PageLocation(file, leaf.name(), chunk.start());
            this.pipeline = Compression.of(chunk.codec(), place);
            if (chunk.type() != leaf.physical().ordinal()) {
                throw place.corrupt("its type is " + leaf.physical() + " in the schema but number " + chunk.type()
                        + " in a row group");
            }
        }

        void read() {
            long at = chunk.start();
            long left = chunk.values();
            while (left > 0) {
                place = new PageLocation(file, leaf.name(), at);
                if (at >= end) {
                    throw place.corrupt("a page should begin before byte " + end);
                }
                var from = new ThriftReader(file, bytes, at, end);
                PageHeader header = PageHeader.read(from);
                at = from.position();
                if (header.stored() > end - at) {
                    throw place.corrupt("a page of " + header.stored() + " bytes should end before byte " + end);
                }
                limits.page(Math.max(0, header.values()), place);
                switch (header.type()) {
                    case PageType.DATA, PageType.DATA_V2 -> {
                        left -= header.values();
                        if (left < 0) {
                            throw place.corrupt("a row group has more than the " + chunk.values()
                                    + " values that the footer lists");
                        }
                        checkCrc(header, at);
                        readPage(header, at);
                    }
                    case PageType.DICTIONARY -> {
                        checkCrc(header, at);
                        readDictionary(header, at);
                    }
                    default -> {
                        // Pages of other kinds may be left out.
                    }
                }
                at += header.stored();
            }
            sink.end(place);
        }

        /** Values that stay in the file are not read here, so that their pages are not checked. */
        private void checkCrc(PageHeader header, long at) {
            if (header.crc() < 0 || use == Placement.Place.FILE) {
                return;
            }
            limits.work(header.stored(), place);
            var crc = new CRC32();
            Checksum.update(crc, bytes.asSlice(at, header.stored()));
            if (crc.getValue() != header.crc()) {
                throw place.corrupt(
                        "the CRC-32 of a page should be %08x but is %08x".formatted(header.crc(), crc.getValue()));
            }
        }

        private void readDictionary(PageHeader header, long at) {
            if (dictionary != null) {
                throw place.corrupt("a row group has two dictionaries");
            }
            int encoding = header.encoding();
            if (encoding != Encoding.PLAIN.number() && encoding != Encoding.PLAIN_DICTIONARY.number()) {
                throw place.unsupported("has a dictionary of encoding " + encoding + ", which Stoker does not know");
            }
            ByteSpan data = decoded(at, header.stored(), header.decoded(), pipeline);
            dictionary = new PageDecoder(leaf, limits, place).dictionary(data, header.values());
        }

        private void readPage(PageHeader header, long at) {
            LevelDecoder repetition;
            LevelDecoder definition;
            ByteSpan data;
            if (header.type() == PageType.DATA) {
                ByteSpan page = decoded(at, header.stored(), header.decoded(), pipeline);
                var first =
                        LevelDecoder.ofFirst(page, leaf.most(), header.repetitionEncoding(), header.values(), place);
                var second = LevelDecoder.ofFirst(
                        first.rest(), leaf.present(), header.definitionEncoding(), header.values(), place);
                repetition = first.levels();
                definition = second.levels();
                data = second.rest();
            } else {
                long levels = (long) header.repetitionBytes() + header.definitionBytes();
                if (levels > header.stored() || levels > header.decoded()) {
                    throw place.corrupt("a page of " + header.stored() + " bytes has levels of " + levels);
                }
                var whole = new ByteSpan(bytes, at, at + header.stored(), 0);
                repetition = LevelDecoder.ofSecond(whole.first(header.repetitionBytes()), leaf.most(), place);
                definition = LevelDecoder.ofSecond(
                        whole.after(header.repetitionBytes()).first(header.definitionBytes()), leaf.present(), place);
                data = decoded(
                        at + levels,
                        header.stored() - levels,
                        header.decoded() - levels,
                        header.isCompressed() ? pipeline : CodecPipeline.NONE);
            }
            var decoder = new PageDecoder(leaf, limits, place);
            ValueDecoder values = decoder.values(header.encoding(), data, header.values(), dictionary);
            for (int i = 0; i < header.values(); i++) {
                int again = repetition.next();
                int level = definition.next();
                if (level == leaf.present()) {
                    values.next();
                }
                sink.entry(again, level, values, place);
            }
        }

        private ByteSpan decoded(long at, long stored, long size, CodecPipeline steps) {
            boolean isBlock = use == Placement.Place.BLOCKS;
            if (steps.isPlain() || stored == 0) {
                long base = isBlock ? blocks.add(0, at, stored, stored, CodecPipeline.NONE) - at : 0;
                return new ByteSpan(bytes, at, at + stored, base);
            }
            if (size > BlockTable.MAX_BLOCK_BYTES) {
                throw place.unsupported("has a page of " + size + " bytes when decompressed, but at most "
                        + BlockTable.MAX_BLOCK_BYTES + " are taken at once; write the file with smaller pages");
            }
            limits.work(stored + size, place);
            try {
                MemorySegment page = steps.decode(bytes.asSlice(at, stored), size);
                long base = isBlock ? blocks.add(0, at, stored, size, steps) : ByteSpan.NOWHERE;
                return new ByteSpan(page, 0, size, base);
            } catch (IOException e) {
                var failure = place.corrupt("a page (" + steps + ") cannot be decompressed: " + e.getMessage());
                failure.initCause(e);
                throw failure;
            }
        }
    }
}
