package dev.stoker.pack;

import dev.stoker.StokerException;
import dev.stoker.memory.GrowingBytes;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The files below a folder, in bytewise order of their paths. The key is the path relative to the folder; the label is
 * the number of the file's top folder among all of them in sorted order, as torchvision's ImageFolder has it.
 */
public final class FolderSource {
    /** Files whose size one worker asks for in one go. */
    private static final long LIST_STEP = 64;

    private FolderSource() {}

    /**
     * Lists a folder.
     *
     * @param labels whether samples get the label of their folder; if no file lies in a folder, none does
     * @param threads how many requests are under way at once
     */
    public static Samples list(Path root, boolean labels, int threads) {
        ListedValues names = FolderWalk.walk(root, threads);
        var files = new ListedFiles(root, names);
        try {
            long count = names.count();
            long pieces = (count + LIST_STEP - 1) / LIST_STEP;
            Workers.run(threads, pieces, () -> piece -> {
                for (long i = piece * LIST_STEP; i < Math.min(count, (piece + 1) * LIST_STEP); i++) {
                    files.list(i);
                }
            });
            return listing(root, names, files, labels);
        } catch (RuntimeException e) {
            files.close();
            names.close();
            throw e;
        }
    }

    private static Samples listing(Path root, ListedValues names, ListedFiles files, boolean labels) {
        var fields = new ArrayList<Field>();
        var columns = new ArrayList<Listed>();
        fields.add(new Field(Field.KEY, new FieldType.Text()));
        columns.add(names);
        fields.add(new Field(Field.DATA, new FieldType.Bytes()));
        columns.add(files);
        List<String> classes = List.of();
        if (labels) {
            var numbers = new TreeMap<byte[], Integer>(Arrays::compareUnsigned);
            for (long i = 0; i < names.count(); i++) {
                byte[] top = top(names.get(i));
                if (top.length > 0) {
                    numbers.put(top, 0);
                }
            }
            if (!numbers.isEmpty()) {
                classes = number(root, numbers);
                fields.add(new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)));
                columns.add(labels(names, numbers));
            }
        }
        return new Listing(new Schema(fields, classes), names.count(), columns);
    }

    private static List<String> number(Path root, SortedMap<byte[], Integer> numbers) {
        var classes = new ArrayList<String>();
        for (var entry : numbers.entrySet()) {
            entry.setValue(classes.size());
            classes.add(text(root, entry.getKey()));
        }
        return classes;
    }

    private static Listed labels(ListedValues names, SortedMap<byte[], Integer> numbers) {
        var labels = new GrowingBytes();
        for (long i = 0; i < names.count(); i++) {
            Integer number = numbers.get(top(names.get(i)));
            labels.addLong(number == null ? Field.NO_LABEL : number);
        }
        return new ListedNumbers(labels, 8);
    }

    /** The first folder of a path; empty if the file lies in none. */
    private static byte[] top(byte[] path) {
        for (int i = 0; i < path.length; i++) {
            if (path[i] == '/') {
                return Arrays.copyOf(path, i);
            }
        }
        return new byte[0];
    }

    /** A name as text; a name that is none cannot be a key. */
    static String text(Path root, byte[] name) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(name))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new StokerException(
                    "[" + root + "] the name '" + new String(name, StandardCharsets.ISO_8859_1)
                            + "' is not UTF-8 (shown as Latin-1); rename it, for example with convmv",
                    e);
        }
    }
}
