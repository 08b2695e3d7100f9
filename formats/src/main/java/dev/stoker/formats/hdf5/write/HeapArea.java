package dev.stoker.formats.hdf5.write;

import dev.stoker.format.Run;
import dev.stoker.format.RunPlanner;
import dev.stoker.format.RunWriter;
import dev.stoker.formats.hdf5.structure.GlobalHeap;
import dev.stoker.formats.shared.array.Area;
import dev.stoker.formats.shared.array.Part;
import dev.stoker.formats.shared.array.TableArea;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The global heap collections of one dataset. A collection holds the objects of consecutive samples: many small ones,
 * or a single large one, since the HDF5 library reads a collection whole to get at one object.
 */
final class HeapArea extends Area {
    static final int MAX_OBJECTS = 0xffff;
    private static final int HEAD_BYTES = 16;
    private static final long SMALLEST = 4096;
    private static final long USUAL = 64 << 10;

    private final HeapObjects objects;
    private final Part part;
    private final boolean stored;
    private int collections;
    /** The first sample of each collection. */
    private long[] firsts = new long[16];
    /** Where each collection begins, counted from the area's first byte. */
    private long[] starts = new long[16];

    private long length;

    /** @param stored whether the Index knows the values by their places here; if not, the runs belong to no sample */
    HeapArea(HeapObjects objects, Part part, boolean stored) {
        this.objects = objects;
        this.part = part;
        this.stored = stored;
        cut();
    }

    private void cut() {
        long used = HEAD_BYTES;
        int count = 0;
        for (long i = part.first(); i < part.end(); i++) {
            HeapObjects.Size size = objects.size(i);
            boolean isFull = used > HEAD_BYTES && used + size.bytes() > USUAL;
            boolean hasMany = count > MAX_OBJECTS - size.objects() || samplesOfLast(i) >= MAX_OBJECTS;
            if (collections == 0 || isFull || hasMany) {
                length += collections == 0 ? 0 : collectionBytes(used);
                begin(i);
                used = HEAD_BYTES;
                count = 0;
            }
            used = Math.addExact(used, size.bytes());
            count += size.objects();
        }
        length += collections == 0 ? 0 : collectionBytes(used);
        firsts = Arrays.copyOf(firsts, collections);
        starts = Arrays.copyOf(starts, collections);
    }

    /** Empty values need no object, but a run of millions of them would keep one writer busy. */
    private long samplesOfLast(long next) {
        return collections == 0 ? 0 : next - firsts[collections - 1];
    }

    private void begin(long sample) {
        if (collections == firsts.length) {
            firsts = Arrays.copyOf(firsts, 2 * collections);
            starts = Arrays.copyOf(starts, 2 * collections);
        }
        firsts[collections] = sample;
        starts[collections++] = length;
    }

    /** Large enough, and with no rest that is too small to be an object. */
    private static long collectionBytes(long used) {
        long rest = SMALLEST - used;
        return rest <= 0 ? used : rest < HeapObjects.HEAD_BYTES ? used + HeapObjects.HEAD_BYTES : SMALLEST;
    }

    @Override
    public long length() {
        return length;
    }

    private long end(int collection) {
        return collection + 1 < collections ? starts[collection + 1] : length;
    }

    private long endSample(int collection) {
        return collection + 1 < collections ? firsts[collection + 1] : part.end();
    }

    @Override
    public List<Run> runs() {
        var cut = new RunPlanner(offset());
        for (int c = 0; c < collections; c++) {
            cut.samples(endSample(c) - firsts[c], offset() + end(c));
        }
        var runs = new ArrayList<Run>();
        for (Run run : cut.finish()) {
            long first = part.first() + run.first();
            runs.add(
                    stored
                            ? new Run(first, first + run.samples(), run.offset(), run.length())
                            : Run.frame(run.offset(), run.length()));
        }
        return runs;
    }

    @Override
    public void fill(Run run, RunWriter out) {
        long end = run.offset() + run.length();
        for (int c = Arrays.binarySearch(starts, run.offset() - offset()); out.position() < end; c++) {
            fillCollection(c, out);
        }
    }

    private void fillCollection(int collection, RunWriter out) {
        long address = offset() + starts[collection];
        long bytes = end(collection) - starts[collection];
        out.put(ByteBuffer.allocate(HEAD_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put("GCOL".getBytes(StandardCharsets.US_ASCII))
                .putInt(1)
                .putLong(bytes)
                .array());
        int number = 1;
        for (long i = firsts[collection]; i < endSample(collection); i++) {
            objects.put(i, address, number, out);
            number += objects.size(i).objects();
        }
        long rest = address + bytes - out.position();
        if (rest > 0) {
            out.put(HeapObjects.head(0, rest));
            out.zeros(rest - HeapObjects.HEAD_BYTES);
        }
    }

    /** The references to the samples {@code from … to - 1}. */
    TableArea references() {
        return new TableArea(part.count(), GlobalHeap.REFERENCE_BYTES) {
            @Override
            protected void rows(long from, long to, Numbers out) {
                refer(part.first() + from, part.first() + to, out);
            }
        };
    }

    private void refer(long from, long to, TableArea.Numbers out) {
        int found = Arrays.binarySearch(firsts, from);
        int collection = found >= 0 ? found : -found - 2;
        int number = 1;
        for (long i = firsts[collection]; i < to; i++) {
            if (i == endSample(collection)) {
                collection++;
                number = 1;
            }
            if (i >= from) {
                objects.refer(i, offset() + starts[collection], number, out);
            }
            number += objects.size(i).objects();
        }
    }
}
