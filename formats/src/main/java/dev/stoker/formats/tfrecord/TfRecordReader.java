package dev.stoker.formats.tfrecord;

import dev.stoker.StokerException;
import dev.stoker.format.TreeFields;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.Schema;
import dev.stoker.text.Utf8;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds the values of all examples: looks them through once to learn their fields, and once more for their places. */
final class TfRecordReader {
    /** Every feature costs something in every example, so a file with a new one in each must not be followed. */
    private static final int MAX_FEATURES = 1000;

    private final MappedFile file;
    private final Map<String, Feature> features = new LinkedHashMap<>();
    private long examples;

    TfRecordReader(MappedFile file) {
        this.file = file;
    }

    IndexBuilder derive() {
        for (var records = new Records(file, true); records.step(); examples++) {
            readExample(records);
            features.values().forEach(Feature::see);
        }
        if (examples == 0) {
            return TreeFields.builder(Placement.stored());
        }
        if (features.isEmpty()) {
            throw new StokerException(file.path(), "has " + examples + " examples but none has a feature");
        }
        // A map has no order: what is read first stands first, the rest by name.
        List<Feature> columns = new ArrayList<>(features.values());
        columns.sort(Comparator.comparing((Feature feature) -> !feature.name().equals(Field.KEY))
                .thenComparing(feature -> !feature.name().equals(Field.DATA))
                .thenComparing(Feature::name));
        List<Field> fields = columns.stream().map(Feature::field).toList();
        List<Placement> placements = columns.stream().map(Feature::placement).toList();
        return new IndexBuilder(new Schema(fields), placements).filledBy(builder -> {
            for (var records = new Records(file, false); records.step(); ) {
                readExample(records);
                for (int f = 0; f < fields.size(); f++) {
                    columns.get(f).addTo(builder, f, fields.get(f).type());
                }
            }
        });
    }

    /** Notes where the lists of all features are in an example. */
    private void readExample(Records record) {
        features.values().forEach(Feature::clear);
        for (var example = new Protobuf(file, record.start(), record.length()); example.step(); ) {
            requirePart(example, "features");
            for (Protobuf map = example.inner(); map.step(); ) {
                requirePart(map, "entry");
                readEntry(map.inner());
            }
        }
    }

    private void readEntry(Protobuf entry) {
        String name = "";
        int kind = 0;
        Protobuf list = null;
        while (entry.step()) {
            if (entry.wire() != Protobuf.BYTES || entry.number() > 2) {
                throw notExample(entry, "entry");
            }
            if (entry.number() == 1) {
                name = name(entry);
                continue;
            }
            for (Protobuf feature = entry.inner(); feature.step(); ) {
                if (feature.wire() != Protobuf.BYTES || feature.number() > Feature.INTEGERS || kind != 0) {
                    throw notExample(feature, "feature");
                }
                kind = feature.number();
                list = feature;
            }
        }
        if (list != null) {
            feature(name).set(kind, list);
        }
    }

    private Feature feature(String name) {
        Feature feature = features.get(name);
        if (feature == null) {
            if (features.size() == MAX_FEATURES) {
                throw new StokerException(
                        file.path(),
                        "has more than " + MAX_FEATURES
                                + " features with different names, which is more than fields can be made of");
            }
            feature = new Feature(file, name);
            // The examples before had none of it.
            if (examples > 0) {
                feature.see();
            }
            features.put(name, feature);
        }
        return feature;
    }

    private String name(Protobuf entry) {
        byte[] name = file.bytes().asSlice(entry.start(), entry.length()).toArray(ValueLayout.JAVA_BYTE);
        if (name.length == 0 || Utf8.firstMalformed(name, 0, name.length) >= 0) {
            throw entry.corrupt("the name of a feature should be UTF-8, and not empty");
        }
        return new String(name, StandardCharsets.UTF_8);
    }

    private void requirePart(Protobuf message, String part) {
        if (message.number() != 1 || message.wire() != Protobuf.BYTES) {
            throw notExample(message, part);
        }
    }

    private StokerException notExample(Protobuf at, String part) {
        return new StokerException(
                file.path(),
                "byte " + at.start() + ": tf.train.Example has no " + part + " with number " + at.number()
                        + " here; records of other messages, as SequenceExample, cannot be read");
    }
}
