package dev.stoker.formats.numpy;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.format.AbstractFormat;
import dev.stoker.format.Capability;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.NpyArray;
import dev.stoker.format.Plan;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.Npy;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;

/**
 * A NumPy array in a file ({@code .npy}): row <i>i</i> is one field of sample <i>i</i>, all of one shape, so samples are
 * slices of the file, and {@code np.load(path, mmap_mode="r")} reads it.
 *
 * <pre>
 *   header    as numpy.save writes it: the type, and the shape (samples, then the field's shape); a multiple of 64 bytes
 *   rows      one behind the other, little-endian, row-major
 * </pre>
 *
 * The array is the field {@code data}, or the only one of fixed length. Texts and single numbers beside it are in the
 * sidecar; any other field is refused, since {@code .npz} holds it.
 *
 * <p>Reading. One array of numbers of version 1.0 to 3.0, whose first dimension counts the samples; the field is called
 * {@code data}. Refused by name: Fortran order (unless there is one dimension), big-endian numbers, structured types,
 * and Python objects, which are never unpickled.
 */
public final class NpyFormat extends AbstractFormat {
    static final String NAME = "npy";

    public NpyFormat() {
        super(
                NAME,
                List.of("npy"),
                EnumSet.of(
                        Capability.WRITE,
                        Capability.PARALLEL_FILL,
                        Capability.SINGLE_FILE,
                        Capability.IN_PLACE,
                        Capability.DUPLICATE_KEYS,
                        Capability.KEYLESS,
                        Capability.SPECIFIED));
    }

    @Override
    public boolean matches(Path path, MemorySegment head) {
        return head.byteSize() >= 6
                && head.get(ValueLayout.JAVA_BYTE, 0) == (byte) 0x93
                && head.asSlice(1, 5).mismatch(MemorySegment.ofArray(new byte[] {'N', 'U', 'M', 'P', 'Y'})) < 0;
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options) {
        if (!options.names().isEmpty()) {
            throw new UsageException("format npy stores no field names; leave out --name, or choose npz");
        }
        return new NpyPlan(samples, field(samples.schema()));
    }

    /** The field that becomes the array; all others have to be small. */
    private static int field(Schema schema) {
        int chosen = schema.find(Field.DATA);
        for (int f = 0; f < schema.size() && schema.find(Field.DATA) < 0; f++) {
            if (schema.type(f).isFixed()) {
                if (chosen >= 0) {
                    throw new StokerException("format npy holds one array, but both '"
                            + schema.fields().get(chosen).name() + "' and '"
                            + schema.fields().get(f).name()
                            + "' could be it; choose npz");
                }
                chosen = f;
            }
        }
        if (chosen < 0) {
            throw new StokerException("format npy needs samples with a field 'data' of numbers; choose another format");
        }
        NpyArray.requireFixed(NAME, schema, chosen);
        for (int f = 0; f < schema.size(); f++) {
            boolean isSmall = NpyArray.isText(schema.type(f))
                    || (schema.type(f).isFixed() && schema.type(f).width() <= Placement.NARROW);
            if (f != chosen && !isSmall) {
                throw new StokerException("format npy holds one array, so there is no place for the field '"
                        + schema.fields().get(f).name() + "'; choose npz");
            }
        }
        return chosen;
    }

    @Override
    public IndexBuilder derive(MappedFile file) {
        Npy npy;
        try {
            npy = Npy.parse(file.bytes(), file.name());
        } catch (StokerException e) {
            throw e instanceof CorruptContainerException
                    ? e
                    : new StokerException(e.getMessage() + "; it cannot be read as samples", e);
        }
        NpyArray array = NpyArray.of(npy, "[" + file.path() + "]");
        if (npy.fileLength() != file.size()) {
            throw new CorruptContainerException(
                    file.name(),
                    Math.min(npy.fileLength(), file.size()),
                    "the array should end with the file, after " + npy.fileLength() + " bytes, but the file has "
                            + file.size() + "; it is truncated, or holds more than one array");
        }
        var schema = new Schema(List.of(new Field(Field.DATA, array.type())));
        var builder = new IndexBuilder(schema, List.of(Placement.storedFrom(npy.dataOffset())));
        builder.storedDense(0, array.samples());
        return builder;
    }
}
