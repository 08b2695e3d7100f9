package dev.stoker.formats.tar;

import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the samples of an archive that another program wrote. Which members make a sample is for {@link MemberGroups}
 * to say; of each:
 *
 * <pre>
 *   key      the name of its main file, without a leading "./"; if it has no main file, the stem of its first member
 *   data     the main file: the one that is not .cls, .json, .txt or .npy (if all are, the last of these that there is)
 *   label    .cls, if it is a number in every sample that has one; -1 in the others
 *   ...      the values in .json, see {@link JsonPart}
 *   EXT      each further member by its extension: bytes, or an array if it is .npy, see {@link StoredPart}
 * </pre>
 */
final class ForeignTar {
    private final MappedFile file;
    private final TarMembers members;

    ForeignTar(MappedFile file, TarMembers members) {
        this.file = file;
        this.members = members;
    }

    /** A part, and the extensions of its members. */
    private record Source(ForeignPart part, BitSet extensions) {}

    IndexBuilder derive() {
        try (MemberGroups groups = MemberGroups.of(file.name(), members)) {
            BitSet mains = groups.mains();
            List<Source> sources = sources(groups, mains);
            var fields = new ArrayList<Field>();
            var placements = new ArrayList<Placement>();
            fields.add(new Field(Field.KEY, new FieldType.Text()));
            placements.add(Placement.indexed(false));
            for (Source source : sources) {
                for (Field field : source.part().fields()) {
                    fields.add(field);
                    placements.add(source.part().placement(field));
                }
            }
            return new IndexBuilder(new Schema(fields), placements)
                    .filledBy(builder -> build(groups, mains, sources, builder));
        }
    }

    private void build(MemberGroups groups, BitSet mains, List<Source> sources, IndexBuilder builder) {
        for (long g = 0; g < groups.count(); g++) {
            builder.value(0, MemorySegment.ofArray(key(groups, g, mains)));
            int field = 1;
            for (Source source : sources) {
                source.part().add(groups.find(g, source.extensions()), builder, field);
                field += source.part().fields().size();
            }
        }
    }

    private byte[] key(MemberGroups groups, long group, BitSet mains) {
        long main = groups.find(group, mains);
        byte[] name = members.name(main >= 0 ? main : groups.first(group));
        int end = main >= 0 ? name.length : TarNames.stemLength(name);
        int start = 0;
        while (start + 2 < end && name[start] == '.' && name[start + 1] == '/') {
            start += 2;
        }
        return Arrays.copyOfRange(name, start, end);
    }

    private List<Source> sources(MemberGroups groups, BitSet mains) {
        var sources = new ArrayList<Source>();
        var taken = new HashSet<String>(List.of(Field.KEY, Field.DATA));
        sources.add(new Source(StoredPart.of(file, members, groups, mains, Field.DATA), mains));
        var further = new ArrayList<Source>();
        BitSet json = null;
        for (int e = 0; e < groups.extensions().size(); e++) {
            var extension = new BitSet();
            extension.set(e);
            String name = groups.extensions().get(e);
            LabelPart label = null;
            if (mains.get(e)) {
                continue;
            }
            if (name.equals(TarLayout.CLASS_SUFFIX)) {
                label = LabelPart.of(file, members, groups, extension);
            }
            if (label != null) {
                sources.add(new Source(label, extension));
                taken.add(Field.LABEL);
            } else if (name.equals(TarLayout.JSON_SUFFIX)) {
                json = extension;
            } else {
                further.add(new Source(further(groups, extension, name, taken), extension));
            }
        }
        if (json != null) {
            sources.add(new Source(JsonPart.of(file, members, groups, json, taken), json));
        }
        sources.addAll(further);
        return sources;
    }

    private ForeignPart further(MemberGroups groups, BitSet extension, String name, Set<String> taken) {
        String ending = "." + TarLayout.NPY_SUFFIX;
        String field = name.endsWith(ending) ? name.substring(0, name.length() - ending.length()) : name;
        // A label and the whole of .json get their names whatever else there is.
        boolean reserved = field.isEmpty() || field.equals(Field.LABEL) || field.equals(TarLayout.JSON_SUFFIX);
        String free = reserved || taken.contains(field) ? "member." + name : field;
        taken.add(free);
        return StoredPart.of(file, members, groups, extension, free);
    }
}
