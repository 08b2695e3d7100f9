package dev.stoker.stage.copy;

import dev.stoker.StokerException;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.SmallValues;
import dev.stoker.format.TreeFields;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;

/** The files of a folder, or those that a container was packed from: key and data. */
final class SampleFiles implements LooseFiles {
    private final Samples samples;
    private final TreeFields fields;
    private final int count;
    private final Runnable closing;

    /**
     * Looks whether they can be files of one tree.
     *
     * @param closing closes the samples, if they are this one's own
     */
    SampleFiles(Samples samples, String source, Runnable closing) {
        this.samples = samples;
        this.closing = closing;
        try {
            if (samples.count() > Integer.MAX_VALUE) {
                throw new StokerException(
                        source,
                        "has " + samples.count() + " samples; at most 2,147,483,647 can be loose files on a node");
            }
            this.count = (int) samples.count();
            this.fields = TreeFields.require("folder", samples, FormatOptions.NONE);
        } catch (RuntimeException e) {
            closing.run();
            throw e;
        }
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public byte[] name(int file) {
        return SmallValues.read(samples, file, fields.key());
    }

    @Override
    public long size(int file) {
        return samples.length(file, fields.data());
    }

    @Override
    public void read(int file, long from, MemorySegment to) {
        samples.read(file, fields.data(), from, to);
    }

    @Override
    public void close() {
        closing.run();
    }
}
