package dev.stoker.formats.zip;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.format.NpyArray;
import dev.stoker.formats.shared.zip.ZipArchive;
import dev.stoker.formats.shared.zip.ZipMember;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.Npy;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Finds the arrays of an {@code .npz}, whoever wrote it. */
final class NpzReader {
    static final String ENDING = ".npy";
    /** A longer header is refused by its parser. */
    private static final int HEAD_BYTES = (1 << 16) + 16;

    private final MappedFile file;
    private final ZipArchive zip;
    private final List<Array> arrays = new ArrayList<>();

    private record Array(String name, ZipMember member, long data, Npy npy, NpyArray array) {
        boolean isDeflated() {
            return member.isDeflated();
        }
    }

    NpzReader(MappedFile file) {
        this.file = file;
        this.zip = new ZipArchive(file);
        zip.read(this::add);
        if (arrays.isEmpty()) {
            throw new StokerException(file.path(), "holds no array (NAME.npy)");
        }
        requireSameLength();
    }

    private void add(ZipMember member, long data) {
        String name = new String(zip.name(member), StandardCharsets.UTF_8);
        if (!name.endsWith(ENDING) || name.length() == ENDING.length()) {
            throw zip.refused(member, "is not an array (NAME.npy), as every member of an .npz should be");
        }
        Npy npy;
        try {
            npy = Npy.parse(head(member, data), name);
        } catch (StokerException e) {
            throw zip.refused(member, "cannot be read: " + e.getMessage());
        }
        NpyArray array = NpyArray.of(npy, "[" + file.path() + "] '" + name + "'");
        if (npy.fileLength() != member.length()) {
            throw new CorruptContainerException(
                    file.name(),
                    data,
                    "'" + name + "' should have " + npy.fileLength() + " bytes but has " + member.length());
        }
        arrays.add(new Array(name.substring(0, name.length() - ENDING.length()), member, data, npy, array));
    }

    private void requireSameLength() {
        Array first = arrays.getFirst();
        for (Array other : arrays) {
            if (other.array.samples() != first.array.samples()) {
                throw new StokerException(
                        file.path(),
                        "'" + first.name + "' has " + first.array.samples()
                                + " samples but '" + other.name + "' has " + other.array.samples()
                                + "; store arrays that are not of the same samples in files of their own");
            }
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
        var fields = new ArrayList<Field>();
        var placements = new ArrayList<Placement>();
        long decoded = 0;
        for (Array array : arrays) {
            fields.add(new Field(array.name, array.array.type()));
            placements.add(
                    array.isDeflated()
                            ? Placement.blocksFrom(decoded + array.npy.dataOffset())
                            : Placement.storedFrom(array.data + array.npy.dataOffset()));
            decoded += array.isDeflated() ? array.member.length() : 0;
        }
        return new IndexBuilder(new Schema(fields), placements).filledBy(builder -> {
            for (int f = 0; f < arrays.size(); f++) {
                if (arrays.get(f).isDeflated()) {
                    zip.block(arrays.get(f).member, arrays.get(f).data, builder.blocks());
                }
                builder.storedDense(f, arrays.get(f).array.samples());
            }
        });
    }
}
