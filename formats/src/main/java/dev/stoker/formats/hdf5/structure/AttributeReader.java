package dev.stoker.formats.hdf5.structure;

import dev.stoker.formats.shared.array.Span;
import dev.stoker.formats.shared.array.StokerAttribute;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the attributes of an object, in its header or, where there are many, in a heap of their own. */
public final class AttributeReader {
    private static final int BY_NAME = 8;
    private static final int HEAP_ID_BYTES = 8;

    private AttributeReader() {}

    /** The text of an attribute as UTF-8, or null if there is none of that name. */
    public static byte @Nullable [] text(FileBytes file, ObjectHeader header, String name, GlobalHeap heap) {
        for (ObjectHeader.Message message : all(file, header)) {
            int version = file.u8(message.at());
            int nameBytes = file.u16(message.at() + 2);
            int typeBytes = file.u16(message.at() + 4);
            int spaceBytes = file.u16(message.at() + 6);
            long nameAt = message.at() + (version == 3 ? 9 : 8);
            long typeAt = nameAt + padded(nameBytes, version);
            long valueAt = typeAt + padded(typeBytes, version) + padded(spaceBytes, version);
            if (valueAt <= message.end() && file.textTo(nameAt, typeAt).equals(name)) {
                Datatype type = DatatypeReader.read(file, typeAt, typeAt + typeBytes);
                return text(file, type, valueAt, message.end(), heap);
            }
        }
        return null;
    }

    private static List<ObjectHeader.Message> all(FileBytes file, ObjectHeader header) {
        var all = new ArrayList<>(header.all(HeaderMessages.ATTRIBUTE));
        ObjectHeader.Message info = header.find(HeaderMessages.ATTRIBUTE_INFO);
        long at = info == null ? 0 : info.at() + 2 + ((file.u8(info.at() + 1) & 1) != 0 ? 2 : 0);
        long address = info == null ? FileBytes.UNDEFINED : file.address(at);
        if (address != FileBytes.UNDEFINED) {
            var heap = new FractalHeap(file, address);
            new BTree2(file, file.address(at + file.offsetBytes()), BY_NAME).records((record, bytes) -> {
                Span object = heap.object(record, HEAP_ID_BYTES);
                all.add(new ObjectHeader.Message(HeaderMessages.ATTRIBUTE, object.offset(), (int) object.length()));
            });
        }
        return all;
    }

    private static long padded(int bytes, int version) {
        return version == 1 ? bytes + 7 & -8 : bytes;
    }

    private static byte @Nullable [] text(FileBytes file, Datatype type, long at, long end, GlobalHeap heap) {
        if (type.bytes() > end - at) {
            throw file.corrupt(at, "an attribute of " + type.bytes() + " bytes should end at byte " + end);
        }
        MemorySegment value = file.bytes().asSlice(at, type.bytes());
        if (type instanceof Datatype.HeapText) {
            Span span = heap.find(value, 1, "attribute '" + StokerAttribute.NAME + "'");
            value = file.bytes().asSlice(span.offset(), span.length());
        } else if (!(type instanceof Datatype.FixedText)) {
            return null;
        }
        return value.toArray(ValueLayout.JAVA_BYTE);
    }
}
