package dev.stoker.io;

import java.lang.foreign.MemorySegment;

/** What is written goes to a patch, and is read from there. */
final class PatchFile extends OutputFile {
    private final FilePatches patches;
    private final FilePatch patch;

    PatchFile(FilePatches patches, FilePatch patch) {
        super(patch.path());
        this.patches = patches;
        this.patch = patch;
    }

    @Override
    public void write(long offset, MemorySegment bytes) {
        patch.write(offset, bytes);
    }

    @Override
    public boolean read(long offset, MemorySegment to) {
        return patch.read(offset, to);
    }

    @Override
    public long size() {
        return patch.size();
    }

    @Override
    public void resize(long size) {
        patch.resize(size);
    }

    @Override
    public void sync() {}

    @Override
    public void close() {
        patches.done(patch);
    }
}
