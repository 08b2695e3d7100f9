package dev.stoker.format;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields of a sample that is a file in a tree: its key is the path, its data the content. For formats that hold
 * exactly the source tree, so that all other fields are in the sidecar.
 *
 * @param key the place of the field {@code key} in the schema
 * @param data the place of the field {@code data}
 */
public record TreeFields(int key, int data) {
    /** Finds both, and refuses samples that cannot all be files of one folder. */
    public static TreeFields require(String format, Samples samples, FormatOptions options) {
        Schema schema = samples.schema();
        int key = require(format, schema, Field.KEY);
        int data = require(format, schema, Field.DATA);
        if (!(schema.type(key) instanceof FieldType.Text)) {
            throw refused(format, Field.KEY, "text, since it is the file's name", schema.type(key));
        }
        if (!(schema.type(data) instanceof FieldType.Bytes) && !(schema.type(data) instanceof FieldType.Text)) {
            throw refused(format, Field.DATA, "bytes or text, since it is the file's content", schema.type(data));
        }
        if (!options.names().isEmpty()) {
            throw new UsageException("format " + format + " stores no field names; leave out --name");
        }
        TreeKeys.requireTree(format, samples, key);
        return new TreeFields(key, data);
    }

    private static int require(String format, Schema schema, String name) {
        int field = schema.find(name);
        if (field < 0) {
            throw new StokerException("format " + format + " needs samples with a field '" + name
                    + "': each is a file that has the key as its name and data as its content; choose another format");
        }
        return field;
    }

    private static StokerException refused(String format, String name, String expected, FieldType found) {
        return new StokerException("format " + format + " needs the field '" + name + "' to be " + expected
                + ", but it is " + found.label() + "; choose another format");
    }

    /** The sidecar of a container that holds the data so, and nothing else. */
    public IndexLayout sidecar(String format, Samples samples, Placement ofData) {
        var placements = new ArrayList<Placement>();
        for (int f = 0; f < samples.schema().size(); f++) {
            boolean fixed = samples.schema().type(f).isFixed();
            placements.add(f == data ? ofData : Placement.indexed(fixed));
        }
        return IndexLayout.sidecar(new IndexMeta(format, samples.schema(), samples.splits(), placements), samples);
    }

    /**
     * For the files of a container without a sidecar: field 0 is the key, field 1 the data.
     *
     * @param ofData where the data lies: {@link Placement#stored}, or {@link Placement#blocks}
     */
    public static IndexBuilder builder(Placement ofData) {
        var schema = new Schema(
                List.of(new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes())));
        return new IndexBuilder(schema, List.of(Placement.indexed(false), ofData));
    }
}
