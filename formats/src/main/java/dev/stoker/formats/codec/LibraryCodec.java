package dev.stoker.formats.codec;

import dev.stoker.block.Codec;
import io.airlift.compress.v3.Decompressor;
import io.airlift.compress.v3.MalformedInputException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/** A codec of the library; its decompressors have state, so each call makes its own. */
abstract class LibraryCodec implements Codec {
    private final String name;
    private final Supplier<Decompressor> decompressor;

    LibraryCodec(String name, Supplier<Decompressor> decompressor) {
        this.name = name;
        this.decompressor = decompressor;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void decode(MemorySegment stored, MemorySegment to, long[] numbers) throws IOException {
        try {
            long made = decompressor.get().decompress(stored, to);
            if (made != to.byteSize()) {
                throw new IOException("it should make " + to.byteSize() + " bytes but makes " + made);
            }
        } catch (MalformedInputException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new IOException(
                    "it is damaged, or makes more than the " + to.byteSize() + " bytes that it should ("
                            + e.getMessage() + ")",
                    e);
        }
    }
}
