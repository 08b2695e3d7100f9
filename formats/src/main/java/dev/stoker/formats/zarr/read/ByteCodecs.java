package dev.stoker.formats.zarr.read;

import dev.stoker.formats.shared.zstd.ZstdFrames;
import dev.stoker.formats.zarr.codec.BloscCodec;
import dev.stoker.formats.zarr.codec.BloscFrame;
import dev.stoker.formats.zarr.codec.HeapCodec;
import dev.stoker.formats.zarr.codec.SizedLz4Codec;
import dev.stoker.formats.zarr.read.ChunkCodecs.ByteCodec;
import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/** The codecs that turn bytes into bytes, by the names that they have in metadata. */
public final class ByteCodecs {
    static final String NAMES = "gzip, zlib, zstd, lz4, crc32c, and blosc with lz4, zlib or zstd";

    private ByteCodecs() {}

    private record Named(String name, String step, HeapCodec.Decoding decoding) implements ByteCodec {
        @Override
        public byte[] decode(byte[] stored, int limit) throws DataFormatException {
            return decoding.decode(stored, limit);
        }
    }

    /**
     * The codecs of an array, which are refused by name if Stoker does not have them.
     *
     * @param label the array's
     */
    static ByteCodec of(String label, String name, MetadataObject settings) {
        ByteCodec codec = named(name);
        String inner = settings.get("cname") instanceof String cname ? cname : "";
        if (codec == null || inner.equals("blosclz") || inner.equals("snappy")) {
            throw settings.store()
                    .unsupported(label + " is stored with codec '" + name
                            + (codec == null ? "" : "' of '" + inner) + "', which Stoker does not read; it reads "
                            + NAMES);
        }
        return codec;
    }

    /** Bytes that were compressed more than once cannot be decoded to a length that is known. */
    static List<ByteCodec> checked(ZarrStore store, String label, List<ByteCodec> codecs) {
        if (codecs.stream().filter(codec -> !codec.step().equals("crc32c")).count() > 1) {
            throw store.unsupported(label + " was compressed more than once, which Stoker does not read");
        }
        return codecs;
    }

    private static @Nullable ByteCodec named(String name) {
        return switch (name) {
            case "gzip" -> new Named(name, "gzip", ByteCodecs::gzip);
            case "zlib", "numcodecs.zlib" -> new Named(name, "zlib", ByteCodecs::zlib);
            case "zstd" -> new Named(name, "zstd", ByteCodecs::zstd);
            case "lz4", "numcodecs.lz4" -> new Named(name, SizedLz4Codec.NAME, ByteCodecs::lz4);
            case "blosc" -> new Named(name, BloscCodec.NAME, BloscFrame::decode);
            case "crc32c" -> new Named(name, "crc32c", (stored, limit) -> crc32c(stored));
            default -> null;
        };
    }

    private interface Stream {
        InputStream over(InputStream in) throws IOException;
    }

    private static byte[] read(byte[] stored, int limit, Stream stream) throws DataFormatException {
        try (InputStream in = stream.over(new ByteArrayInputStream(stored))) {
            byte[] bytes = in.readNBytes(limit + 1);
            if (bytes.length > limit) {
                throw new DataFormatException("it decodes to more than " + limit + " bytes");
            }
            return bytes;
        } catch (IOException | RuntimeException e) {
            throw new DataFormatException(String.valueOf(e.getMessage()));
        }
    }

    private static byte[] gzip(byte[] stored, int limit) throws DataFormatException {
        return read(stored, limit, GZIPInputStream::new);
    }

    public static byte[] zlib(byte[] stored, int limit) throws DataFormatException {
        return read(stored, limit, InflaterInputStream::new);
    }

    public static byte[] zstd(byte[] stored, int limit) throws DataFormatException {
        var frames = new ZstdFrames();
        frames.follow(stored, 0, stored.length);
        // At once, where what was made is the window: a stream would get memory for any window that a frame asks for.
        byte[] bytes = new byte[(int) Math.min(limit, frames.mostBytes())];
        try {
            int made = new ZstdJavaDecompressor().decompress(stored, 0, stored.length, bytes, 0, bytes.length);
            return made == bytes.length ? bytes : Arrays.copyOf(bytes, made);
        } catch (RuntimeException e) { // the library has many ways to refuse
            var failure = new DataFormatException(
                    "zstd is damaged, or decodes to more than " + limit + " bytes: " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    /** As numcodecs has it: {@code u32} decoded length, then a block. */
    public static byte[] lz4(byte[] stored, int limit) throws DataFormatException {
        int length = stored.length < 4 ? -1 : MemorySegment.ofArray(stored).get(LittleEndian.U32, 0);
        if (length < 0 || length > limit) {
            throw new DataFormatException(
                    "it should decode to at most " + limit + " bytes but says " + Integer.toUnsignedString(length));
        }
        byte[] bytes = new byte[length];
        lz4(stored, 4, stored.length - 4, bytes, 0, length);
        return bytes;
    }

    /** Decodes a bare block of LZ4 to exactly so many bytes. */
    public static void lz4(byte[] in, int from, int stored, byte[] to, int at, int length) throws DataFormatException {
        try {
            int made = new Lz4JavaDecompressor().decompress(in, from, stored, to, at, length);
            if (made != length) {
                throw new DataFormatException("a block of LZ4 should make " + length + " bytes but makes " + made);
            }
        } catch (RuntimeException e) { // the library has many ways to refuse
            var failure = new DataFormatException("a block of LZ4 is damaged: " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    private static byte[] crc32c(byte[] stored) throws DataFormatException {
        if (stored.length < 4) {
            throw new DataFormatException("it has " + stored.length + " bytes, too few for a checksum");
        }
        int end = stored.length - 4;
        MemorySegment bytes = MemorySegment.ofArray(stored);
        if (Checksum.of(bytes.asSlice(0, end)) != bytes.get(LittleEndian.U32, end)) {
            throw new DataFormatException("the checksum does not match");
        }
        return Arrays.copyOf(stored, end);
    }
}
