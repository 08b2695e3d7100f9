package dev.stoker.formats.zarr.codec;

import dev.stoker.block.Codec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.DataFormatException;

/** A codec of blocks that decodes on the heap. */
public abstract class HeapCodec implements Codec {
    private final String name;
    private final Decoding decoding;

    /** Decodes to at most so many bytes. */
    public interface Decoding {
        byte[] decode(byte[] stored, int limit) throws DataFormatException;
    }

    HeapCodec(String name, Decoding decoding) {
        this.name = name;
        this.decoding = decoding;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final void decode(MemorySegment stored, MemorySegment to, long[] numbers) throws IOException {
        try {
            byte[] made = decoding.decode(stored.toArray(ValueLayout.JAVA_BYTE), Math.toIntExact(to.byteSize()));
            if (made.length != to.byteSize()) {
                throw new IOException("it should make " + to.byteSize() + " bytes but makes " + made.length);
            }
            MemorySegment.copy(made, 0, to, ValueLayout.JAVA_BYTE, 0, made.length);
        } catch (DataFormatException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
