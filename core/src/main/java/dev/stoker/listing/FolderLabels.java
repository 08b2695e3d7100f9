package dev.stoker.listing;

import dev.stoker.io.GrowingBuffer;
import dev.stoker.sample.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Labels by folder: the number of a path's top folder among all of them in sorted order, as torchvision's ImageFolder
 * has it; {@link Field#NO_LABEL} for a path without a folder.
 *
 * @param labels an int64 for each path
 */
public record FolderLabels(List<String> classes, ListedColumn labels) {
    /** The labels of paths, or null if none has a folder. */
    public static @Nullable FolderLabels of(long count, LongFunction<byte[]> path) {
        var numbers = new TreeMap<byte[], Integer>(Arrays::compareUnsigned);
        for (long i = 0; i < count; i++) {
            byte[] top = top(path.apply(i));
            if (top.length > 0) {
                numbers.putIfAbsent(top, 0);
            }
        }
        if (numbers.isEmpty()) {
            return null;
        }
        var classes = new ArrayList<String>();
        for (var entry : numbers.entrySet()) {
            entry.setValue(classes.size());
            classes.add(new String(entry.getKey(), StandardCharsets.UTF_8));
        }
        var labels = new GrowingBuffer();
        for (long i = 0; i < count; i++) {
            Integer number = numbers.get(top(path.apply(i)));
            labels.addLong(number == null ? Field.NO_LABEL : number);
        }
        return new FolderLabels(classes, new ListedNumbers(labels, Long.BYTES));
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
}
