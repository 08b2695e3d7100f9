package dev.stoker.stage;

import dev.stoker.memory.RemoteObject;
import dev.stoker.memory.RemotePath;
import java.lang.foreign.MemorySegment;

/** An object on remote storage: each part is one request. */
record RemoteSource(RemotePath path, RemoteObject object) implements Source {
    @Override
    public Copying.Reader open(long offset, long length) {
        RemotePath.Reader reader = path.open(object, offset, length);
        return new Copying.Reader() {
            @Override
            public void read(long from, MemorySegment to) {
                reader.read(to);
            }

            @Override
            public void close() {
                reader.close();
            }
        };
    }

    @Override
    public void close() {}
}
