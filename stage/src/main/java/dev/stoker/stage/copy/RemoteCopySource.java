package dev.stoker.stage.copy;

import dev.stoker.remote.RemoteObject;
import dev.stoker.remote.RemotePath;
import java.lang.foreign.MemorySegment;

/** An object on remote storage: each part is one request. */
record RemoteCopySource(RemotePath path, RemoteObject object) implements CopySource {
    @Override
    public RangeCopy.Reader open(long offset, long length) {
        RemotePath.Reader reader = path.open(object, offset, length);
        return new RangeCopy.Reader() {
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
