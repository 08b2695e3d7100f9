package dev.stoker.formats.tar;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.index.IndexBuilder;
import dev.stoker.io.MappedFile;
import dev.stoker.json.Json;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Npy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** Finds the samples of an archive that Stoker wrote: its comment says which members there are, in which order. */
final class PackedTar {
    private final MappedFile file;
    private final TarMembers members;
    private final TarLayout layout;
    private final long samples;
    private final List<String> suffixes;
    /** The member that comes next. */
    private long next;

    PackedTar(MappedFile file, TarMembers members, TarLayout.Comment comment) {
        this.file = file;
        this.members = members;
        this.layout = comment.layout();
        this.samples = comment.samples();
        this.suffixes = layout.suffixes();
    }

    IndexBuilder derive() {
        int each = 1 + suffixes.size();
        if (samples != members.count() / each || members.count() % each != 0) {
            throw new CorruptContainerException(
                    file.name(),
                    0,
                    "its comment says " + samples + " samples of " + each + " members each, but it has "
                            + members.count()
                            + " members; it was changed after it was packed. Extract it and pack it again");
        }
        return new IndexBuilder(layout.schema(), layout.placements()).filledBy(builder -> {
            for (long i = 0; i < samples; i++) {
                sample(i, builder);
            }
        });
    }

    private void sample(long sample, IndexBuilder builder) {
        byte[] name = members.name(next);
        if (layout.key() >= 0) {
            builder.value(layout.key(), MemorySegment.ofArray(name));
        } else {
            requireName(sample, TarNames.numbered(sample, layout.isNpy(layout.data())));
        }
        if (layout.data() >= 0) {
            stored(sample, layout.data(), builder);
        } else if (members.size(next) != 0) {
            throw corrupt(sample, "it should be empty but has " + members.size(next) + " bytes");
        }
        next++;
        if (layout.label() >= 0) {
            requireName(sample, TarNames.sibling(name, TarLayout.CLASS_SUFFIX));
            label(sample, builder);
            next++;
        }
        if (!layout.json().isEmpty()) {
            requireName(sample, TarNames.sibling(name, TarLayout.JSON_SUFFIX));
            json(sample, builder);
            next++;
        }
        for (int f : layout.members()) {
            requireName(sample, TarNames.sibling(name, layout.suffix(f)));
            stored(sample, f, builder);
            next++;
        }
    }

    private void requireName(long sample, byte[] expected) {
        if (!Arrays.equals(expected, members.name(next))) {
            throw corrupt(
                    sample,
                    "expected the member '" + TarNames.text(expected)
                            + "'; the archive was changed after it was packed. Extract it and pack it again");
        }
    }

    private void stored(long sample, int field, IndexBuilder builder) {
        long offset = members.offset(next);
        long size = members.size(next);
        if (!layout.isNpy(field)) {
            builder.stored(field, offset, size);
            return;
        }
        Npy npy = NpyMember.read(file.bytes(), offset, size);
        if (npy == null || !isOfType(npy, layout.schema().type(field))) {
            throw corrupt(
                    sample,
                    "expected a .npy file of type "
                            + layout.schema().type(field).label());
        }
        builder.stored(field, offset + npy.dataOffset(), npy.dataLength());
        if (layout.schema().type(field) instanceof FieldType.Array) {
            builder.shape(field, npy.shape());
        }
    }

    private static boolean isOfType(Npy npy, FieldType type) {
        return switch (type) {
            case FieldType.Tensor tensor ->
                npy.dtype() == tensor.dtype()
                        && LongStream.of(npy.shape()).boxed().toList().equals(tensor.shape());
            case FieldType.Array array -> npy.dtype() == array.dtype() && npy.shape().length == array.rank();
            default -> false;
        };
    }

    private void label(long sample, IndexBuilder builder) {
        byte[] value = null;
        // Twenty digits and a sign are the most that an integer of 64 bits has.
        if (members.size(next) <= 21 && layout.schema().type(layout.label()) instanceof FieldType.Scalar label) {
            value = JsonNumbers.decodeText(label.dtype(), new String(content(), StandardCharsets.UTF_8));
        }
        if (value == null) {
            throw corrupt(
                    sample,
                    "expected a number of type "
                            + layout.schema().type(layout.label()).label());
        }
        builder.value(layout.label(), MemorySegment.ofArray(value));
    }

    private void json(long sample, IndexBuilder builder) {
        if (members.size(next) > Json.DEFAULT_MAX_BYTES) {
            throw corrupt(
                    sample, "expected at most " + Json.DEFAULT_MAX_BYTES + " bytes but found " + members.size(next));
        }
        try {
            List<byte[]> values = JsonFields.decode(content(), layout);
            for (int j = 0; j < values.size(); j++) {
                builder.value(layout.json().get(j), MemorySegment.ofArray(values.get(j)));
            }
        } catch (StokerException e) {
            throw corrupt(sample, "the values do not fit: " + e.getMessage());
        }
    }

    private byte[] content() {
        return file.bytes().asSlice(members.offset(next), members.size(next)).toArray(ValueLayout.JAVA_BYTE);
    }

    private CorruptContainerException corrupt(long sample, String reason) {
        return new CorruptContainerException(
                file.name(),
                sample,
                members.offset(next),
                "member '" + TarNames.text(members.name(next)) + "': " + reason);
    }
}
