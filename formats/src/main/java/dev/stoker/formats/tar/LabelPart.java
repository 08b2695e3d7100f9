package dev.stoker.formats.tar;

import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The label of each sample, a decimal number in its member {@code .cls}. */
record LabelPart(MappedFile file, TarMembers members) implements ForeignPart {
    private static final int MAX_BYTES = 64;

    /** Null if one of them is not a number. */
    static @Nullable LabelPart of(MappedFile file, TarMembers members, MemberGroups groups, BitSet extensions) {
        var part = new LabelPart(file, members);
        for (long g = 0; g < groups.count(); g++) {
            long member = groups.find(g, extensions);
            if (member >= 0 && part.number(member) == null) {
                return null;
            }
        }
        return part;
    }

    private @Nullable Long number(long member) {
        if (members.size(member) > MAX_BYTES) {
            return null;
        }
        byte[] text = file.bytes()
                .asSlice(members.offset(member), members.size(member))
                .toArray(ValueLayout.JAVA_BYTE);
        try {
            return Long.parseLong(new String(text, StandardCharsets.UTF_8).strip());
        } catch (NumberFormatException e) {
            return null;
        }
    }

    @Override
    public List<Field> fields() {
        return List.of(new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)));
    }

    @Override
    public Placement placement(Field field) {
        return Placement.indexed(true);
    }

    @Override
    public void add(long member, IndexBuilder builder, int field) {
        Long number = member < 0 ? null : number(member);
        MemorySegment value = MemorySegment.ofArray(new byte[8]);
        value.set(LittleEndian.U64, 0, number == null ? Field.NO_LABEL : number);
        builder.value(field, value);
    }
}
