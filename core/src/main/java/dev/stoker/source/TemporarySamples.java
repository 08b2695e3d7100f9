package dev.stoker.source;

import dev.stoker.os.FileStamp;
import dev.stoker.sample.FilterSamples;
import dev.stoker.sample.Samples;
import java.util.List;

/** Samples of a file that was made from others. */
final class TemporarySamples extends FilterSamples {
    private final List<FileStamp> seenFiles;
    private final Runnable closed;

    /**
     * Wraps samples.
     *
     * @param seenFiles those others
     * @param closed what to do after they are closed
     */
    TemporarySamples(Samples samples, List<FileStamp> seenFiles, Runnable closed) {
        super(samples);
        this.seenFiles = List.copyOf(seenFiles);
        this.closed = closed;
    }

    @Override
    public List<FileStamp> seenFiles() {
        return seenFiles;
    }

    @Override
    public void close() {
        super.close();
        closed.run();
    }
}
