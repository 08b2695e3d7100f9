package dev.stoker.image.transform;

import dev.stoker.image.kernel.ResizeTaps.Filter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The arguments of one transform in a specification: numbers, words, or lists of numbers, by the names torchvision uses. */
final class Arguments {
    private final String transform;
    private final List<String> names;
    private final Map<String, Object> values = new HashMap<>();

    /** @param names of the arguments that the transform has, in the order in which they may come without a name */
    Arguments(String transform, List<String> names) {
        this.transform = transform;
        this.names = names;
    }

    void put(String name, Object value) {
        if (!names.contains(name)) {
            throw new IllegalArgumentException(transform + " has no argument " + name + "; it has " + valid());
        }
        if (values.putIfAbsent(name, value) != null) {
            throw new IllegalArgumentException(transform + ": the argument " + name + " is given twice");
        }
    }

    void putAt(int position, Object value) {
        if (position >= names.size()) {
            throw new IllegalArgumentException(transform + " has too many arguments; it has " + valid());
        }
        put(names.get(position), value);
    }

    private String valid() {
        return names.isEmpty() ? "none" : String.join(", ", names);
    }

    private IllegalArgumentException wrong(String name, String expected) {
        Object value = values.get(name);
        String found = value instanceof double[] list ? java.util.Arrays.toString(list) : String.valueOf(value);
        return new IllegalArgumentException(transform + ": " + name + " should be " + expected
                + (value == null ? " but is missing" : " but is " + found));
    }

    double number(String name, double otherwise) {
        Object value = values.get(name);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof Double number) {
            return number;
        }
        throw wrong(name, "a number");
    }

    int whole(String name, int otherwise) {
        double value = number(name, otherwise);
        if (value != Math.rint(value) || Math.abs(value) > 1e6) {
            throw wrong(name, "a whole number");
        }
        return (int) value;
    }

    boolean flag(String name) {
        return switch (values.getOrDefault(name, "false").toString().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong(name, "true or false");
        };
    }

    boolean isWord(String name, String word) {
        return word.equals(values.get(name));
    }

    Filter filter() {
        return switch (values.getOrDefault("interpolation", "bilinear")
                .toString()
                .toLowerCase(Locale.ROOT)) {
            case "bilinear" -> Filter.BILINEAR;
            case "bicubic" -> Filter.BICUBIC;
            default -> throw wrong("interpolation", "bilinear or bicubic");
        };
    }

    /** One number for both sides, or height and width. */
    int[] size() {
        Object value = values.get("size");
        double[] list = value instanceof Double side
                ? new double[] {side, side}
                : value instanceof double[] given ? given : new double[0];
        if (list.length == 1) {
            list = new double[] {list[0], list[0]};
        }
        if (list.length != 2 || list[0] != Math.rint(list[0]) || list[1] != Math.rint(list[1])) {
            throw wrong("size", "a whole number or (height, width)");
        }
        return new int[] {(int) list[0], (int) list[1]};
    }

    boolean isNumber(String name) {
        return values.get(name) instanceof Double;
    }

    double[] pair(String name, double from, double to) {
        Object value = values.get(name);
        if (value == null) {
            return new double[] {from, to};
        }
        if (value instanceof double[] list && list.length == 2) {
            return list;
        }
        throw wrong(name, "two numbers in parentheses");
    }

    float[] floats(String name) {
        Object value = values.get(name);
        double[] list = value instanceof Double one
                ? new double[] {one}
                : value instanceof double[] given ? given : new double[0];
        if (list.length == 0) {
            throw wrong(name, "a number or a list of three");
        }
        float[] floats = new float[list.length];
        for (int i = 0; i < list.length; i++) {
            floats[i] = (float) list[i];
        }
        return floats;
    }
}
