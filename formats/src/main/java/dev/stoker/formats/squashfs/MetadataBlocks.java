package dev.stoker.formats.squashfs;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.tukaani.xz.SingleXZInputStream;

/**
 * The metadata blocks of an image by their places. One that is stored is a slice of the file; of those that had to be
 * decompressed, the latest are kept, so a small memory is enough for any image.
 */
final class MetadataBlocks {
    private static final int KEPT = 512;
    /** More than the dictionary of any block needs; a stream that asks for more is hostile. */
    private static final int XZ_MEMORY_KIB = 32 << 10;

    private static final Map<Integer, String> COMPRESSORS =
            Map.of(1, "gzip", 2, "lzma", 3, "lzo", 4, "xz", 5, "lz4", 6, "zstd");

    private final MappedFile file;
    private final int compressor;
    private final long end;
    private final Map<Long, Block> kept = new LinkedHashMap<>(KEPT, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Block> eldest) {
            return size() > KEPT;
        }
    };

    /**
     * A block's bytes as they are meant.
     *
     * @param next where the block behind it begins
     */
    record Block(MemorySegment bytes, long next) {}

    MetadataBlocks(MappedFile file, int compressor, long end) {
        this.file = file;
        this.compressor = compressor;
        this.end = end;
    }

    MappedFile file() {
        return file;
    }

    /** The name of the image's compressor. */
    String compressor() {
        return COMPRESSORS.getOrDefault(compressor, "compressor " + compressor);
    }

    Block at(long place) {
        if (place < Superblock.BYTES || place > end - MetadataStream.HEADER) {
            throw new CorruptContainerException(
                    file.name(), place, "a metadata block should be here, but the image ends at byte " + end);
        }
        int header = Short.toUnsignedInt(file.bytes().get(LittleEndian.U16, place));
        int length = header & (MetadataStream.UNCOMPRESSED - 1);
        long start = place + MetadataStream.HEADER;
        if (length == 0 || length > MetadataStream.BLOCK || length > end - start) {
            throw new CorruptContainerException(
                    file.name(), place, "a metadata block should have 1 to 8192 bytes but has " + length);
        }
        MemorySegment stored = file.bytes().asSlice(start, length);
        if ((header & MetadataStream.UNCOMPRESSED) != 0) {
            return new Block(stored, start + length);
        }
        Block block = kept.get(place);
        if (block == null) {
            block = new Block(decompressed(place, stored.toArray(ValueLayout.JAVA_BYTE)), start + length);
            kept.put(place, block);
        }
        return block;
    }

    private MemorySegment decompressed(long place, byte[] stored) {
        var bytes = new byte[MetadataStream.BLOCK];
        int length;
        try {
            length = switch (compressor()) {
                case "gzip" -> inflate(stored, bytes);
                case "zstd" -> new ZstdJavaDecompressor().decompress(stored, 0, stored.length, bytes, 0, bytes.length);
                case "lz4" -> new Lz4JavaDecompressor().decompress(stored, 0, stored.length, bytes, 0, bytes.length);
                case "xz" -> unpackXz(stored, bytes);
                default ->
                    throw new StokerException(
                            file.path(),
                            "has metadata that is compressed with "
                                    + compressor()
                                    + ", which cannot be read; make the image again with mksquashfs -noI, or"
                                    + " with -comp zstd, gzip, lz4 or xz");
            };
        } catch (DataFormatException
                | IOException
                | MalformedInputException
                | IllegalStateException
                | IllegalArgumentException
                | IndexOutOfBoundsException e) {
            var failure = new CorruptContainerException(
                    file.name(),
                    place,
                    "a metadata block cannot be decompressed as " + compressor() + " to at most 8192" + " bytes: "
                            + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
        return MemorySegment.ofArray(bytes).asSlice(0, length);
    }

    private static int unpackXz(byte[] stored, byte[] bytes) throws IOException {
        try (var in = new SingleXZInputStream(new ByteArrayInputStream(stored), XZ_MEMORY_KIB)) {
            int length = in.readNBytes(bytes, 0, bytes.length);
            if (in.read() >= 0) {
                throw new IOException("it does not end where it should");
            }
            return length;
        }
    }

    private static int inflate(byte[] stored, byte[] bytes) throws DataFormatException {
        var inflater = new Inflater();
        try {
            inflater.setInput(stored);
            int length = inflater.inflate(bytes);
            if (!inflater.finished()) {
                throw new DataFormatException("it does not end where it should");
            }
            return length;
        } finally {
            inflater.end();
        }
    }
}
