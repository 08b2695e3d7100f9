package dev.stoker.stage.copy;

import dev.stoker.io.MappedFile;
import java.lang.foreign.MemorySegment;

/** A file whose copy is mapped, as of an archive that was fetched or decompressed to be looked through; not closed with this. */
record FetchedFile(MappedFile file) implements CopySource {
    @Override
    public RangeCopy.Reader open(long offset, long length) {
        return (from, to) -> MemorySegment.copy(file.bytes(), from, to, 0, to.byteSize());
    }

    @Override
    public void close() {}
}
