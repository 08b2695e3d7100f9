package dev.stoker.pack;

import dev.stoker.format.Container;
import dev.stoker.format.Formats;
import dev.stoker.format.Options;
import dev.stoker.memory.Layouts;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.sample.TextList;
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
record Scratch(Path folder) {
    Path src() {
        return folder.resolve("src");
    }

    Path file(String name, String content) {
        return file(name, content.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a file below the source. */
    Path file(String name, byte[] content) {
        return write(src().resolve(name), content);
    }

    /** Writes a file beside the source. */
    Path beside(String name, String content) {
        return write(folder.resolve(name), content.getBytes(StandardCharsets.UTF_8));
    }

    static Path write(Path path, byte[] content) {
        try {
            Files.createDirectories(Objects.requireNonNull(path.getParent()));
            return Files.write(path, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Samples manifest(Path manifest) {
        return ManifestSource.list(src(), manifest, 2, BadFiles.refused());
    }

    SourceRequest request(Path path) {
        return new SourceRequest(path, null, true, folder.resolve("out.spool"), 2, BadFiles.refused());
    }

    /** Packs, closes the samples, and opens the container. */
    Container pack(Samples samples) {
        Path out = folder.resolve("out.stk");
        try (samples) {
            var settings = new Packer.Settings(Options.NONE, 2, false, true, false);
            new Packer(samples, Formats.named("stk"), out, settings, new Progress()).run();
        }
        return Container.open(out);
    }

    static List<String> texts(Container container, String field) {
        int place = container.schema().place(field);
        return each(container, i -> container.text(i, place));
    }

    static List<String> data(Container container) {
        return texts(container, Field.DATA);
    }

    static List<Long> longs(Container container, String field) {
        int place = container.schema().place(field);
        return each(container, i -> container.value(i, place).get(Layouts.U64, 0));
    }

    static List<Double> doubles(Container container, String field) {
        return longs(container, field).stream().map(Double::longBitsToDouble).toList();
    }

    static List<List<String>> lists(Container container, String field) {
        int place = container.schema().place(field);
        return each(container, i -> TextList.decode(container.value(i, place)));
    }

    static List<byte[]> bytes(Container container, String field) {
        int place = container.schema().place(field);
        return each(container, i -> container.value(i, place).toArray(ValueLayout.JAVA_BYTE));
    }

    static String type(Samples samples, String field) {
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
