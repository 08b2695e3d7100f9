package dev.stoker.stage;

import dev.stoker.memory.MappedFile;
import java.lang.foreign.MemorySegment;

/** A file whose copy is mapped, as of an archive that was fetched to be looked through. */
record FetchedFile(MappedFile file) implements Source {
    @Override
    public Copying.Reader open(long offset, long length) {
        return (from, to) -> MemorySegment.copy(file.bytes(), from, to, 0, to.byteSize());
    }

    @Override
    public void close() {
        file.close();
    }
}
