package dev.stoker.formats.zarr.write;

import dev.stoker.format.Run;
import dev.stoker.format.RunWriter;
import dev.stoker.formats.shared.array.Area;
import java.util.List;

/** Bytes that are known when planning. */
final class BytesArea extends Area {
    private final byte[] bytes;

    BytesArea(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public long length() {
        return bytes.length;
    }

    @Override
    public List<Run> runs() {
        return List.of(Run.frame(offset(), bytes.length));
    }

    @Override
    public void fill(Run run, RunWriter out) {
        out.put(bytes);
    }
}
