package dev.stoker.formats.codec;

import dev.stoker.block.Codec;
import io.airlift.compress.v3.Compressor;
import io.airlift.compress.v3.Decompressor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/** A codec of the library; its decompressors have state, so each call makes its own. */
abstract class LibraryCodec implements Codec {
    private final String name;
    private final Supplier<Decompressor> decompressor;
    private final Supplier<Compressor> compressor;
    private final long ratio;

    /** @param ratio how many bytes one stored byte can make at most */
    LibraryCodec(String name, long ratio, Supplier<Decompressor> decompressor, Supplier<Compressor> compressor) {
        this.name = name;
        this.ratio = ratio;
        this.decompressor = decompressor;
        this.compressor = compressor;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long mostBytes(long stored) {
        return (stored + 1) * ratio;
    }

    @Override
    public MemorySegment encode(MemorySegment plain) {
        Compressor stateful = compressor.get();
        var out = new byte[stateful.maxCompressedLength(Math.toIntExact(plain.byteSize()))];
        int length = stateful.compress(plain, MemorySegment.ofArray(out));
        return MemorySegment.ofArray(out).asSlice(0, length);
    }

    @Override
    public void decode(MemorySegment stored, MemorySegment to, long[] numbers) throws IOException {
        try {
            long made = decompressor.get().decompress(stored, to);
            if (made != to.byteSize()) {
                throw new IOException("it should make " + to.byteSize() + " bytes but makes " + made);
            }
        } catch (RuntimeException e) { // the library has many ways to refuse
            throw new IOException(
                    "it is damaged, or makes more than the " + to.byteSize() + " bytes that it should ("
                            + e.getMessage() + ")",
                    e);
        }
    }
}
