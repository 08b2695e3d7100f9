package dev.stoker.order;

import java.util.Objects;

/**
 * Runs of consecutive samples in shuffled order; the samples of every {@code window} runs that follow each other are
 * shuffled among themselves. The runs begin at another sample in every epoch (the numbering is turned round by {@code
 * shift}), so that the same samples do not share a run for ever.
 *
 * <p>The last run may be short by {@code deficit} samples. It stands at any place of the shuffled order, so the windows
 * after its own begin {@code deficit} positions earlier than full runs would make them.
 */
final class BlockPermutation implements Permutation {
    private final long size;
    private final long run;
    private final long windowSamples;
    private final long shift;
    private final long deficit;
    private final long shortSlot;
    private final long shortWindow;
    private final long key;
    private final Permutation runs;
    // Building a small window costs more than one look-up; a record of final fields may be shared without a lock.
    private Window lastWindow;

    private record Window(long number, Permutation samples) {}

    BlockPermutation(long size, long run, long window, long key) {
        this.size = size;
        this.run = run;
        this.key = key;
        long runCount = (size - 1) / run + 1;
        long perWindow = Math.min(window, runCount);
        this.windowSamples = perWindow * run;
        this.deficit = runCount * run - size;
        // The modulo favours no sample by more than size / 2^64.
        this.shift = Long.remainderUnsigned(SplitMix64.subkey(key, 0), size);
        this.runs = Permutation.keyed(runCount, SplitMix64.subkey(key, 1));
        this.shortSlot = runs.positionOf(runCount - 1);
        this.shortWindow = shortSlot / perWindow;
        this.lastWindow = makeWindow(0);
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public long at(long position) {
        Objects.checkIndex(position, size);
        long number = (position < endOf(shortWindow) ? position : position + deficit) / windowSamples;
        long start = startOf(number);
        long place = start + window(number).at(position - start);
        long slotPlace = place < shortEnd() ? place : place + deficit;
        long turned = runs.at(slotPlace / run) * run + slotPlace % run;
        return turned < size - shift ? turned + shift : turned - (size - shift);
    }

    @Override
    public long positionOf(long sample) {
        Objects.checkIndex(sample, size);
        long turned = sample >= shift ? sample - shift : sample + (size - shift);
        long slot = runs.positionOf(turned / run);
        long slotPlace = slot * run + turned % run;
        long place = slot <= shortSlot ? slotPlace : slotPlace - deficit;
        long number = slotPlace / windowSamples;
        long start = startOf(number);
        return start + window(number).positionOf(place - start);
    }

    /** The position behind the short run. */
    private long shortEnd() {
        return (shortSlot + 1) * run - deficit;
    }

    private long startOf(long window) {
        return window * windowSamples - (window > shortWindow ? deficit : 0);
    }

    private long endOf(long window) {
        return Math.min(startOf(window + 1), size);
    }

    private Permutation window(long number) {
        Window window = lastWindow;
        if (window.number != number) {
            window = makeWindow(number);
            lastWindow = window;
        }
        return window.samples;
    }

    private Window makeWindow(long number) {
        return new Window(
                number, Permutation.keyed(endOf(number) - startOf(number), SplitMix64.subkey(key, number + 2)));
    }
}
