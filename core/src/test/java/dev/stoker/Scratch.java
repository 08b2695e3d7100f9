package dev.stoker;

import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.io.LittleEndian;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.manifest.ManifestSource;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.sample.TextList;
import dev.stoker.source.SourceRequest;
import dev.stoker.write.Packer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;

/** Sources made for a test, and what a container packed from them holds. */
public record Scratch(Path folder) {
    public Path src() {
        return folder.resolve("src");
    }

    public Path file(String name, String content) {
        return file(name, content.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a file below the source. */
    public Path file(String name, byte[] content) {
        return write(src().resolve(name), content);
    }

    /** Writes a file beside the source. */
    public Path beside(String name, String content) {
        return write(folder.resolve(name), content.getBytes(StandardCharsets.UTF_8));
    }

    public static Path write(Path path, byte[] content) {
        try {
            Files.createDirectories(Objects.requireNonNull(path.getParent()));
            return Files.write(path, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Samples manifest(Path manifest) {
        return ManifestSource.list(src(), manifest, 2, BadFilePolicy.refused());
    }

    public SourceRequest request(Path path) {
        return new SourceRequest(path, null, true, folder.resolve("out.spool"), 2, BadFilePolicy.refused());
    }

    /** Packs, closes the samples, and opens the container. */
    public Container pack(Samples samples) {
        Path out = folder.resolve("out.stk");
        try (samples) {
            var settings = new Packer.Settings(FormatOptions.NONE, 2, false, true, false);
            new Packer(samples, Formats.named("stk"), out, settings, new Progress()).run();
        }
        return Container.open(out);
    }

    public static List<String> texts(Container container, String field) {
        int place = container.schema().place(field);
        return each(container, i -> container.text(i, place));
    }

    public static List<String> data(Container container) {
        return texts(container, Field.DATA);
    }

    public static List<Long> longs(Container container, String field) {
        int place = container.schema().place(field);
        return each(container, i -> container.value(i, place).get(LittleEndian.U64, 0));
    }

    public static List<Double> doubles(Container container, String field) {
        return longs(container, field).stream().map(Double::longBitsToDouble).toList();
    }

    public static List<List<String>> lists(Container container, String field) {
        int place = container.schema().place(field);
        return each(container, i -> TextList.decode(container.value(i, place)));
    }

    public static List<byte[]> bytes(Container container, String field) {
        int place = container.schema().place(field);
        return each(container, i -> container.value(i, place).toArray(ValueLayout.JAVA_BYTE));
    }

    public static String type(Samples samples, String field) {
        return samples.schema().type(samples.schema().place(field)).label();
    }

    private static <T> List<T> each(Container container, LongFunction<T> value) {
        var values = new ArrayList<T>();
        for (long i = 0; i < container.count(); i++) {
            values.add(value.apply(i));
        }
        return values;
    }
}
