package dev.stoker.formats.hdf5.write;

import dev.stoker.StokerException;
import dev.stoker.format.RunWriter;
import dev.stoker.format.SmallValues;
import dev.stoker.formats.hdf5.structure.GlobalHeap;
import dev.stoker.formats.shared.array.TableArea.Numbers;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;

/** Lists of texts: an object for each text that is not empty, and behind them one of the references to them. */
record TextsObjects(Samples samples, int field) implements HeapObjects {
    /** The texts of one list, as {@link dev.stoker.sample.TextList} has them. */
    private record Texts(MemorySegment value, int count) {
        int start(int text) {
            return text == 0 ? 0 : value.get(LittleEndian.U32, 4L * text);
        }

        int length(int text) {
            return value.get(LittleEndian.U32, 4L + 4L * text) - start(text);
        }

        MemorySegment bytes(int text) {
            return value.asSlice(4 + 4L * count + start(text), length(text));
        }
    }

    private Texts texts(long sample) {
        MemorySegment value = MemorySegment.ofArray(SmallValues.read(samples, sample, field));
        int count = value.byteSize() < 4 ? -1 : value.get(LittleEndian.U32, 0);
        boolean isList = count >= 0 && count <= (value.byteSize() - 4) / 4;
        long room = value.byteSize() - 4 - 4L * count;
        var texts = new Texts(value, count);
        for (int t = 0; isList && t < count; t++) {
            isList = texts.length(t) >= 0 && texts.start(t) <= room - texts.length(t);
        }
        if (!isList) {
            throw new StokerException(samples.describe(sample) + ": field '" + name() + "' holds no list of texts");
        }
        return texts;
    }

    private String name() {
        return samples.schema().fields().get(field).name();
    }

    @Override
    public Size size(long sample) {
        Texts texts = texts(sample);
        int objects = texts.count == 0 ? 0 : 1;
        long bytes = texts.count == 0 ? 0 : HeapObjects.bytes((long) GlobalHeap.REFERENCE_BYTES * texts.count);
        for (int t = 0; t < texts.count; t++) {
            if (texts.length(t) > 0) {
                objects++;
                bytes += HeapObjects.bytes(texts.length(t));
            }
        }
        if (objects > HeapArea.MAX_OBJECTS) {
            throw new StokerException(samples.describe(sample) + ": field '" + name() + "' has " + texts.count
                    + " texts, but format hdf5 holds at most " + (HeapArea.MAX_OBJECTS - 1) + " for one sample");
        }
        return new Size(objects, bytes);
    }

    @Override
    public void put(long sample, long collection, int first, RunWriter out) {
        Texts texts = texts(sample);
        int number = first;
        for (int t = 0; t < texts.count; t++) {
            if (texts.length(t) > 0) {
                out.put(HeapObjects.head(number++, texts.length(t)));
                out.put(texts.bytes(t));
                out.align(8);
            }
        }
        if (texts.count > 0) {
            out.put(HeapObjects.head(number, (long) GlobalHeap.REFERENCE_BYTES * texts.count));
            putReferences(texts, collection, first, out);
        }
    }

    private static void putReferences(Texts texts, long collection, int first, RunWriter out) {
        var numbers = new Numbers(out);
        int number = first;
        for (int t = 0; t < texts.count; t++) {
            if (texts.length(t) > 0) {
                HeapObjects.reference(texts.length(t), collection, number++, numbers);
            } else {
                HeapObjects.noReference(numbers);
            }
        }
        numbers.flush();
    }

    @Override
    public void refer(long sample, long collection, int first, Numbers out) {
        int count = texts(sample).count;
        if (count == 0) {
            HeapObjects.noReference(out);
        } else {
            HeapObjects.reference(count, collection, first + size(sample).objects() - 1, out);
        }
    }
}
