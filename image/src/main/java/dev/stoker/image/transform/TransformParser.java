package dev.stoker.image.transform;

import dev.stoker.image.transform.Transform.CenterCrop;
import dev.stoker.image.transform.Transform.ColorJitter;
import dev.stoker.image.transform.Transform.Grayscale;
import dev.stoker.image.transform.Transform.Normalize;
import dev.stoker.image.transform.Transform.RandomCrop;
import dev.stoker.image.transform.Transform.RandomHorizontalFlip;
import dev.stoker.image.transform.Transform.RandomResizedCrop;
import dev.stoker.image.transform.Transform.Range;
import dev.stoker.image.transform.Transform.Resize;
import dev.stoker.image.transform.Transform.ResizeShortSide;
import dev.stoker.image.transform.Transform.ToFloat;
import dev.stoker.text.Spelling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a chain such as {@code RandomResizedCrop(224, scale=(0.2, 1)), RandomHorizontalFlip, Normalize(imagenet)}.
 *
 * <pre>
 * chain     = transform { "," transform }
 * transform = name [ "(" [ argument { "," argument } ] ")" ]
 * argument  = [ name "=" ] value
 * value     = number | word | ("(" | "[") number { "," number } (")" | "]")
 * </pre>
 */
public final class TransformParser {
    private static final Map<String, List<String>> ARGUMENTS = new LinkedHashMap<>();

    static {
        ARGUMENTS.put("Resize", List.of("size", "interpolation", "max_size"));
        ARGUMENTS.put("CenterCrop", List.of("size"));
        ARGUMENTS.put("RandomCrop", List.of("size", "padding", "pad_if_needed"));
        ARGUMENTS.put("RandomResizedCrop", List.of("size", "scale", "ratio", "interpolation"));
        ARGUMENTS.put("RandomHorizontalFlip", List.of("p"));
        ARGUMENTS.put("ColorJitter", List.of("brightness", "contrast", "saturation", "hue"));
        ARGUMENTS.put("Grayscale", List.of("num_output_channels"));
        ARGUMENTS.put("ToFloat", List.of());
        ARGUMENTS.put("Normalize", List.of("mean", "std"));
    }

    private final String spec;
    private int at;

    private TransformParser(String spec) {
        this.spec = spec;
    }

    /** @throws IllegalArgumentException that says what is wrong and what is valid */
    public static List<Transform> parse(String spec) {
        return new TransformParser(spec).chain();
    }

    private List<Transform> chain() {
        List<Transform> transforms = new ArrayList<>();
        if (peek() == 0) {
            return transforms;
        }
        do {
            transforms.add(transform());
        } while (take(','));
        if (peek() != 0) {
            throw unexpected("a comma or the end");
        }
        return transforms;
    }

    private Transform transform() {
        String name = word();
        List<String> names = ARGUMENTS.get(name);
        if (names == null) {
            throw new IllegalArgumentException("no transform is called " + name + "; there are "
                    + String.join(", ", ARGUMENTS.keySet()) + Spelling.hint(name, ARGUMENTS.keySet()));
        }
        Arguments arguments = new Arguments(name, names);
        if (take('(') && !take(')')) {
            int position = 0;
            do {
                argument(arguments, position++);
            } while (take(','));
            if (!take(')')) {
                throw unexpected("a comma or )");
            }
        }
        return build(name, arguments);
    }

    private void argument(Arguments arguments, int position) {
        if (!Character.isLetter(peek())) {
            arguments.putAt(position, value());
            return;
        }
        String word = word();
        if (take('=')) {
            arguments.put(word, value());
        } else {
            arguments.putAt(position, word);
        }
    }

    private Object value() {
        if (Character.isLetter(peek())) {
            return word();
        }
        char close = take('(') ? ')' : take('[') ? ']' : 0;
        if (close == 0) {
            return number();
        }
        List<Double> numbers = new ArrayList<>();
        do {
            numbers.add(number());
        } while (take(','));
        if (!take(close)) {
            throw unexpected("a comma or " + close);
        }
        return numbers.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private double number() {
        peek();
        int from = at;
        while (at < spec.length() && "+-.0123456789eE".indexOf(spec.charAt(at)) >= 0) {
            at++;
        }
        try {
            return Double.parseDouble(spec.substring(from, at));
        } catch (NumberFormatException e) {
            at = from;
            throw unexpected("a number");
        }
    }

    private String word() {
        peek();
        int from = at;
        while (at < spec.length() && (Character.isLetterOrDigit(spec.charAt(at)) || spec.charAt(at) == '_')) {
            at++;
        }
        if (from == at) {
            throw unexpected("a name");
        }
        return spec.substring(from, at);
    }

    private char peek() {
        while (at < spec.length() && Character.isWhitespace(spec.charAt(at))) {
            at++;
        }
        return at < spec.length() ? spec.charAt(at) : 0;
    }

    private boolean take(char c) {
        if (peek() != c) {
            return false;
        }
        at++;
        return true;
    }

    private IllegalArgumentException unexpected(String expected) {
        String found = at < spec.length() ? "'" + spec.charAt(at) + "'" : "the end";
        return new IllegalArgumentException("transforms \"" + spec + "\": " + expected + " should be at character "
                + (at + 1) + " but " + found + " is");
    }

    private static Transform build(String name, Arguments a) {
        return switch (name) {
            case "Resize" -> {
                int[] size = a.size();
                yield a.isNumber("size")
                        ? new ResizeShortSide(size[0], a.whole("max_size", 0), a.filter())
                        : new Resize(size[0], size[1], a.filter());
            }
            case "CenterCrop" -> new CenterCrop(a.size()[0], a.size()[1]);
            case "RandomCrop" ->
                new RandomCrop(a.size()[0], a.size()[1], a.whole("padding", 0), a.flag("pad_if_needed"));
            case "RandomResizedCrop" -> {
                double[] scale = a.pair("scale", 0.08, 1);
                double[] ratio = a.pair("ratio", 3 / 4., 4 / 3.);
                yield new RandomResizedCrop(
                        a.size()[0], a.size()[1], scale[0], scale[1], ratio[0], ratio[1], a.filter());
            }
            case "RandomHorizontalFlip" -> new RandomHorizontalFlip(a.number("p", 0.5));
            case "ColorJitter" ->
                new ColorJitter(
                        range(a, "brightness", false),
                        range(a, "contrast", false),
                        range(a, "saturation", false),
                        range(a, "hue", true));
            case "Grayscale" -> new Grayscale(a.whole("num_output_channels", 1));
            case "ToFloat" -> new ToFloat();
            default ->
                a.isWord("mean", "imagenet") ? Normalize.imagenet() : new Normalize(a.floats("mean"), a.floats("std"));
        };
    }

    private static Range range(Arguments a, String name, boolean hue) {
        if (a.isNumber(name)) {
            double value = a.number(name, 0);
            if (value < 0) {
                throw new IllegalArgumentException("ColorJitter: " + name + " should not be negative but is " + value);
            }
            return hue ? Range.around0(value) : Range.around1(value);
        }
        double neutral = hue ? 0 : 1;
        double[] pair = a.pair(name, neutral, neutral);
        return new Range(pair[0], pair[1]);
    }
}
