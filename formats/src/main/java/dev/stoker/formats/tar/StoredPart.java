package dev.stoker.formats.tar;

import dev.stoker.StokerException;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Npy;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A field whose values are members as they lie. If all of them are {@code .npy} files of one dtype, in row-major order
 * and little-endian, the field is a tensor (all have one shape), an array (one number of dimensions) or a scalar (no
 * dimension); else it is bytes, empty where the member is missing.
 */
record StoredPart(MappedFile file, TarMembers members, Field field) implements ForeignPart {
    static StoredPart of(MappedFile file, TarMembers members, MemberGroups groups, BitSet extensions, String name) {
        FieldType arrays = arrayType(file, members, groups, extensions);
        return new StoredPart(file, members, new Field(name, arrays != null ? arrays : new FieldType.Bytes()));
    }

    private static @Nullable FieldType arrayType(
            MappedFile file, TarMembers members, MemberGroups groups, BitSet extensions) {
        Npy first = null;
        boolean sameShape = true;
        for (long g = 0; g < groups.count(); g++) {
            long member = groups.find(g, extensions);
            if (member < 0 || !NpyMember.isName(TarNames.extension(members.name(member)))) {
                return null;
            }
            Npy npy = NpyMember.read(file.bytes(), members.offset(member), members.size(member));
            first = first == null ? npy : first;
            if (npy == null
                    || first == null
                    || npy.dtype() != first.dtype()
                    || npy.shape().length != first.shape().length) {
                return null;
            }
            sameShape &= Arrays.equals(npy.shape(), first.shape());
        }
        return first == null ? null : arrayType(first, sameShape);
    }

    private static @Nullable FieldType arrayType(Npy first, boolean sameShape) {
        int rank = first.shape().length;
        if (rank == 0) {
            return new FieldType.Scalar(first.dtype());
        }
        try {
            return sameShape
                    ? new FieldType.Tensor(
                            first.dtype(), LongStream.of(first.shape()).boxed().toList())
                    : new FieldType.Array(first.dtype(), rank);
        } catch (StokerException e) {
            // Too many dimensions, or an empty array with enormous ones.
            return null;
        }
    }

    @Override
    public List<Field> fields() {
        return List.of(field);
    }

    @Override
    public Placement placement(Field ignored) {
        return field.type() instanceof FieldType.Scalar ? Placement.indexed(true) : Placement.stored();
    }

    @Override
    public void add(long member, IndexBuilder builder, int place) {
        if (member < 0) {
            builder.stored(place, 0, 0);
            return;
        }
        long offset = members.offset(member);
        long size = members.size(member);
        if (field.type() instanceof FieldType.Bytes || field.type() instanceof FieldType.Text) {
            builder.stored(place, offset, size);
            return;
        }
        Npy npy = Objects.requireNonNull(NpyMember.read(file.bytes(), offset, size), "it was read before");
        long start = offset + npy.dataOffset();
        switch (field.type()) {
            case FieldType.Scalar scalar -> builder.value(place, file.bytes().asSlice(start, npy.dataLength()));
            case FieldType.Array array -> {
                builder.stored(place, start, npy.dataLength());
                builder.shape(place, npy.shape());
            }
            default -> builder.stored(place, start, npy.dataLength());
        }
    }
}
