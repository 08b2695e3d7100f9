package dev.stoker.formats.hdf5.structure;

import dev.stoker.formats.shared.array.Span;
import dev.stoker.formats.shared.array.StokerAttribute;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the attributes of an object, in its header or, where there are many, in a heap of their own. */
public final class AttributeReader {
    private static final int BY_NAME = 8;
    private static final int HEAP_ID_BYTES = 8;
    /** At most this many numbers of an attribute are shown. */
    private static final int MAX_NUMBERS = 4;

    private AttributeReader() {}

    /** The text of an attribute as UTF-8, or null if there is none of that name. */
    public static byte @Nullable [] text(FileBytes file, ObjectHeader header, String name, GlobalHeap heap) {
        for (ObjectHeader.Message message : all(file, header)) {
            Attribute attribute = Attribute.of(file, message);
            if (attribute.isWhole() && attribute.name(file).equals(name)) {
                return text(file, attribute.type(file), attribute.valueAt, attribute.end, heap);
            }
        }
        return null;
    }

    /** Those of an object's attributes that have these names, as people write them; as nothing what has no such form. */
    static Map<String, String> shown(FileBytes file, ObjectHeader header, List<String> names, GlobalHeap heap) {
        var shown = new LinkedHashMap<String, String>();
        for (ObjectHeader.Message message : all(file, header)) {
            Attribute attribute = Attribute.of(file, message);
            if (attribute.isWhole() && names.contains(attribute.name(file))) {
                shown.put(attribute.name(file), attribute.shown(file, heap));
            }
        }
        return shown;
    }

    /** The places of the parts of an attribute. */
    private record Attribute(long nameAt, long typeAt, long spaceAt, long valueAt, long end, boolean isShared) {
        static Attribute of(FileBytes file, ObjectHeader.Message message) {
            int version = file.u8(message.at());
            long nameAt = message.at() + (version == 3 ? 9 : 8);
            long typeAt = nameAt + padded(file.u16(message.at() + 2), version);
            long spaceAt = typeAt + padded(file.u16(message.at() + 4), version);
            long valueAt = spaceAt + padded(file.u16(message.at() + 6), version);
            boolean isShared = version > 1 && file.u8(message.at() + 1) != 0;
            return new Attribute(nameAt, typeAt, spaceAt, valueAt, message.end(), isShared);
        }

        boolean isWhole() {
            return valueAt <= end;
        }

        String name(FileBytes file) {
            return file.textTo(nameAt, typeAt);
        }

        Datatype type(FileBytes file) {
            return DatatypeReader.read(file, typeAt, spaceAt);
        }

        String shown(FileBytes file, GlobalHeap heap) {
            if (isShared) {
                return "";
            }
            Datatype type = type(file);
            if (type instanceof Datatype.Number number) {
                return numbers(file, number);
            }
            byte[] text = text(file, type, valueAt, end, heap);
            return text == null ? "" : new String(text, StandardCharsets.UTF_8).replace("\0", "");
        }

        private String numbers(FileBytes file, Datatype.Number number) {
            var shown = new ArrayList<String>();
            long at = valueAt;
            for (long left = elements(file); left > 0 && at + number.bytes() <= end; left--) {
                if (shown.size() == MAX_NUMBERS) {
                    shown.add("…");
                    break;
                }
                shown.add(Numbers.shown(file, number, at));
                at += number.bytes();
            }
            return shown.size() == 1 ? shown.getFirst() : shown.toString();
        }

        private long elements(FileBytes file) {
            int rank = file.u8(spaceAt + 1);
            long dimensions = spaceAt + (file.u8(spaceAt) == 1 ? 8 : 4);
            long elements = 1;
            for (int d = 0; d < rank && elements <= MAX_NUMBERS; d++) {
                elements = Math.multiplyExact(elements, file.length(dimensions + (long) d * file.lengthBytes()));
            }
            return elements;
        }
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
