package dev.stoker.stage;

import dev.stoker.memory.MappedFile;
import java.lang.foreign.MemorySegment;

/** A file whose copy is mapped, as of an archive that was fetched or decompressed to be looked through; not closed with this. */
record FetchedFile(MappedFile file) implements Source {
    @Override
    public Copying.Reader open(long offset, long length) {
        return (from, to) -> MemorySegment.copy(file.bytes(), from, to, 0, to.byteSize());
    }

    @Override
    public void close() {}
}
