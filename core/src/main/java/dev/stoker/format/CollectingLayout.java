package dev.stoker.format;

import dev.stoker.io.OutputFile;
import dev.stoker.sample.Samples;

/**
 * How a format takes samples whose number and sizes nobody knows beforehand: batch by batch, each where there is room,
 * and the frame around them at the end. Between batches lies what the format does not look at.
 */
public interface CollectingLayout {
    /**
     * Gives the bytes of a batch. They begin at a multiple of 64, stay where they are, and hold every value of every
     * sample as {@link RunWriter#value} gave it.
     */
    void fill(Samples batch, RunWriter out);

    /** Bytes of the container's head at the most: so many are kept free at the file's beginning. */
    long headBytes();

    /** Whether samples can come back in another order than that of their batches. */
    boolean canReorder();

    /** Writes what makes the batches a container: first what stands behind them, at last the file's first bytes. */
    void seal(CollectedSamples all, OutputFile file);
}
