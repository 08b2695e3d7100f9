package dev.stoker.formats.zip;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.block.CodecPipeline;
import dev.stoker.format.NpyArray;
import dev.stoker.formats.shared.array.ArrayChoice;
import dev.stoker.formats.shared.array.ArrayGroup;
import dev.stoker.formats.shared.array.SampleArray;
import dev.stoker.formats.shared.zip.ZipArchive;
import dev.stoker.formats.shared.zip.ZipMember;
import dev.stoker.index.BlockRows;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Npy;
import dev.stoker.sample.Omissions;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Finds the arrays of an {@code .npz}, whoever wrote it. */
final class NpzReader {
    static final String ENDING = ".npy";
    /** A longer header is refused by its parser. */
    private static final int HEAD_BYTES = (1 << 16) + 16;
    /** A stored array is cut, so that it may be as large as it likes. */
    private static final long PIECE_BYTES = 1 << 28;

    private static final CodecPipeline INFLATE = CodecPipeline.of("deflate");

    private final MappedFile file;
    private final ZipArchive zip;
    private final Map<String, Array> arrays = new LinkedHashMap<>();
    private final Omissions omissions = new Omissions();

    private record Array(ZipMember member, long data, Npy npy, NpyArray array) implements SampleArray {
        boolean isDeflated() {
            return member.isDeflated();
        }

        @Override
        public FieldType type() {
            return array.type();
        }

        @Override
        public long count() {
            return array.samples();
        }
    }

    NpzReader(MappedFile file) {
        this.file = file;
        this.zip = new ZipArchive(file);
        zip.read(this::add);
        zip.leftOut().tell(omissions);
        if (arrays.isEmpty()) {
            throw new StokerException(
                    file.path(),
                    omissions.isEmpty() ? "holds no array (NAME.npy)" : "holds no array of samples; " + omissions);
        }
    }

    private void add(ZipMember member, long data) {
        String name = new String(zip.name(member), StandardCharsets.UTF_8);
        if (!name.endsWith(ENDING) || name.length() == ENDING.length()) {
            throw zip.refused(member, "is not an array (NAME.npy), as every member of an .npz should be");
        }
        String array = name.substring(0, name.length() - ENDING.length());
        Npy npy;
        try {
            npy = Npy.parse(head(member, data), name);
        } catch (Npy.TypeException e) {
            omissions.add(array, "member '" + name + "'", String.valueOf(e.getMessage()));
            return;
        } catch (StokerException e) {
            throw zip.refused(member, "cannot be read: " + e.getMessage());
        }
        if (npy.fileLength() != member.length()) {
            throw new CorruptContainerException(
                    file.name(),
                    data,
                    "'" + name + "' should have " + npy.fileLength() + " bytes but has " + member.length());
        }
        try {
            arrays.put(array, new Array(member, data, npy, NpyArray.of(npy, "'" + name + "'")));
        } catch (StokerException e) {
            omissions.add(array, "array of type " + npy.dtype().label(), String.valueOf(e.getMessage()));
        }
    }

    private MemorySegment head(ZipMember member, long data) {
        MemorySegment stored = file.bytes().asSlice(data, member.storedLength());
        if (!member.isDeflated()) {
            return stored;
        }
        ByteBuffer head = ByteBuffer.wrap(new byte[(int) Math.min(HEAD_BYTES, member.length())]);
        try (var inflater = new Inflater(true)) {
            // Copied piece by piece: a mapped page that cannot be read would end the JVM in zlib.
            for (long at = 0; head.hasRemaining() && !inflater.finished() && at < stored.byteSize(); at += HEAD_BYTES) {
                long length = Math.min(HEAD_BYTES, stored.byteSize() - at);
                inflater.setInput(stored.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
                while (head.hasRemaining() && inflater.inflate(head) > 0) {
                    // Until the head is full, or more input is needed.
                }
            }
        } catch (DataFormatException e) {
            throw new CorruptContainerException(file.name(), data, "this is not deflated data: " + e.getMessage());
        }
        return MemorySegment.ofBuffer(head.flip());
    }

    IndexBuilder derive() {
        var root = new ArrayGroup<>("", arrays);
        var chosen = new ArrayChoice<Array>(reason -> new StokerException(file.path(), reason), omissions)
                .of(root, List.of());
        IndexBuilder builder = chosen.areSplits()
                ? splits(chosen.groups())
                : whole(chosen.groups().getFirst());
        return builder.omit(omissions);
    }

    private IndexBuilder whole(ArrayGroup<Array> group) {
        var fields = new ArrayList<Field>();
        var placements = new ArrayList<Placement>();
        long decoded = 0;
        for (Map.Entry<String, Array> entry : group.arrays().entrySet()) {
            Array array = entry.getValue();
            fields.add(new Field(entry.getKey(), array.type()));
            placements.add(
                    array.isDeflated()
                            ? Placement.blocksFrom(decoded + array.npy.dataOffset())
                            : Placement.storedFrom(array.data + array.npy.dataOffset()));
            decoded += array.isDeflated() ? array.member.length() : 0;
        }
        return new IndexBuilder(new Schema(fields), placements).filledBy(builder -> {
            int field = 0;
            for (Array array : group.arrays().values()) {
                if (array.isDeflated()) {
                    zip.block(array.member, array.data, builder.blocks());
                }
                builder.storedDense(field++, array.count());
            }
        });
    }

    /** The arrays of a field, one for each split, are blocks: without their headers, they lie one after another. */
    private IndexBuilder splits(List<ArrayGroup<Array>> groups) {
        ArrayGroup<Array> first = groups.getFirst();
        var fields = new ArrayList<Field>();
        var placements = new ArrayList<Placement>();
        long decoded = 0;
        for (String name : first.arrays().keySet()) {
            FieldType type = first.array(name).type();
            for (ArrayGroup<Array> group : groups) {
                requireLike(type, name, group);
                decoded += group.array(name).npy.dataLength();
            }
            fields.add(new Field(name, type));
            long bytes = groups.stream()
                    .mapToLong(group -> group.array(name).npy.dataLength())
                    .sum();
            placements.add(Placement.blocksFrom(decoded - bytes));
        }
        return new IndexBuilder(new Schema(fields), placements).filledBy(builder -> {
            var splits = new ArrayList<Split>();
            for (ArrayGroup<Array> group : groups) {
                long start = splits.isEmpty() ? 0 : splits.getLast().end();
                splits.add(new Split(
                        group.name(),
                        start,
                        group.array(fields.getFirst().name()).count()));
            }
            for (int f = 0; f < fields.size(); f++) {
                for (ArrayGroup<Array> group : groups) {
                    addBlocks(group.array(fields.get(f).name()), builder.blocks());
                }
                builder.storedDense(f, splits.getLast().end());
            }
            builder.splits(splits);
        });
    }

    private void requireLike(FieldType type, String field, ArrayGroup<Array> group) {
        FieldType found = group.array(field).type();
        if (!found.equals(type)) {
            throw new StokerException(
                    file.path(),
                    "the splits should hold the same, but '" + field + "' is of type " + type.label() + " in one and "
                            + found.label() + " in '" + group.name() + "'");
        }
    }

    private static void addBlocks(Array array, BlockRows blocks) {
        long length = array.npy.dataLength();
        int head = array.npy.dataOffset();
        ZipMember member = array.member;
        if (array.isDeflated()) {
            blocks.addPart(0, array.data, member.storedLength(), member.length(), head, length, INFLATE);
            return;
        }
        for (long at = 0; at < length; at += PIECE_BYTES) {
            long piece = Math.min(PIECE_BYTES, length - at);
            blocks.add(0, array.data + head + at, piece, piece, CodecPipeline.NONE);
        }
    }
}
