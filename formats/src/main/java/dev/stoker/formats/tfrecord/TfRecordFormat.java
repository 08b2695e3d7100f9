package dev.stoker.formats.tfrecord;

import dev.stoker.format.Ability;
import dev.stoker.format.Format;
import dev.stoker.format.Options;
import dev.stoker.format.Plan;
import dev.stoker.index.IndexBuilder;
import dev.stoker.memory.Found;
import dev.stoker.memory.Layouts;
import dev.stoker.memory.MappedFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A TFRecord file with one {@code tf.train.Example} for each sample, without compression.
 *
 * <pre>
 *   u64 length of the example, u32 masked CRC32C of these 8 bytes, the example, u32 masked CRC32C of it; little-endian
 *   example = a protobuf message: a map from the fields' names, in the order of the schema, to features:
 *     bytes_list    bytes and text: one value; text[]: its texts;
 *                   tensors, arrays and numbers that the lists below would not hold exactly: the values as little-endian
 *                   bytes, row-major, one value (tf.io.decode_raw)
 *     int64_list    one integer of any type (a uint64 by its bits), or bool as 0 and 1
 *     float_list    one float32, or the float32 of a tensor or array
 * </pre>
 *
 * A masked CRC is {@code rotateRight(crc, 15) + 0xa282ead8}. Shapes, exact types and class names are in the sidecar.
 *
 * <p>Reading. Both CRCs of every record are compared. A feature is a field: one value of bytes in each example is bytes
 * (text, if it is the key), several are text[]; one integer is int64, one float is float32, the same number of them is a
 * tensor, else they are an array. Examples that lack a feature have an empty value. Refused by name: what is no Example,
 * a feature of two kinds, several values that are no text, floats that are not packed.
 */
public final class TfRecordFormat implements Format {
    static final String NAME = "tfrecord";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<String> extensions() {
        return List.of("tfrecord", "tfrecords");
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(
                Ability.WRITE,
                Ability.PARALLEL_FILL,
                Ability.SINGLE_FILE,
                Ability.VARIABLE_LENGTH,
                Ability.IN_PLACE,
                Ability.DUPLICATE_KEYS,
                Ability.KEYLESS,
                Ability.ANY_FIELDS,
                Ability.SPECIFIED);
    }

    /** By the CRC of the first length; a file without records has no bytes, so its name has to tell. */
    @Override
    public boolean matches(Path path, MemorySegment head) {
        if (head.byteSize() == 0) {
            String name = String.valueOf(path.getFileName());
            return extensions().stream().anyMatch(e -> name.endsWith("." + e)) && Found.isFile(path);
        }
        return head.byteSize() >= Records.HEADER_BYTES
                && head.get(Layouts.U32, 8) == Records.masked(head.asSlice(0, 8));
    }

    @Override
    public Plan plan(Samples samples, Options options) {
        options.requireOnly(name(), settings());
        var fields = new ArrayList<Field>();
        for (Field field : samples.schema().fields()) {
            fields.add(new Field(options.nameOf(field.name()), field.type()));
        }
        return new TfRecordPlan(samples, new Schema(fields, samples.schema().classes()));
    }

    @Override
    public IndexBuilder derive(MappedFile file) {
        return new TfRecordReader(file).derive();
    }
}
