package dev.stoker.formats.tfrecord;

import dev.stoker.format.AbstractFormat;
import dev.stoker.format.Capability;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.index.IndexBuilder;
import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import dev.stoker.os.FileProbe;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;

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
public final class TfRecordFormat extends AbstractFormat {
    static final String NAME = "tfrecord";

    public TfRecordFormat() {
        super(
                NAME,
                List.of("tfrecord", "tfrecords"),
                EnumSet.of(
                        Capability.WRITE,
                        Capability.PARALLEL_FILL,
                        Capability.SINGLE_FILE,
                        Capability.VARIABLE_LENGTH,
                        Capability.IN_PLACE,
                        Capability.DUPLICATE_KEYS,
                        Capability.KEYLESS,
                        Capability.ANY_FIELDS,
                        Capability.SPECIFIED));
    }

    /** By the CRC of the first length; a file without records has no bytes, so its name has to tell. */
    @Override
    public boolean matches(Path path, MemorySegment head) {
        if (head.byteSize() == 0) {
            String name = String.valueOf(path.getFileName());
            return extensions().stream().anyMatch(e -> name.endsWith("." + e)) && FileProbe.isFile(path);
        }
        return head.byteSize() >= Records.HEADER_BYTES
                && head.get(LittleEndian.U32, 8) == Checksum.masked(head.asSlice(0, 8));
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options) {
        return new TfRecordPlan(samples, options.renamed(samples.schema()));
    }

    @Override
    public IndexBuilder derive(MappedFile file) {
        return new TfRecordReader(file).derive();
    }
}
