package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.CorruptContainerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.container.ValueLocation;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.StkFormat;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.source.SourceRequest;
import dev.stoker.source.Sources;
import dev.stoker.transform.ConcatenatedSamples;
import dev.stoker.transform.RetypedSamples;
import dev.stoker.transform.TransformedSamples;
import dev.stoker.transform.ValueTransform;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage of a container that is packed anew is noticed, whatever its samples pass through on the way. */
class DamagedSourceTest {
    @TempDir
    private Path folder;

    private Path source = Path.of("");
    private Path other = Path.of("");

    @BeforeEach
    void pack() {
        source = shop().pack(samples(true), "source");
        other = shop().pack(samples(false), "other");
    }

    private Workshop shop() {
        return new Workshop(new StkFormat(), FormatOptions.NONE, folder, new SplittableRandom(1));
    }

    private static Samples samples(boolean labels) {
        var key = new Field(Field.KEY, new FieldType.Text());
        var data = new Field(Field.DATA, new FieldType.Bytes());
        var label = new Field(Field.LABEL, new FieldType.Scalar(DType.INT64));
        var samples = labels ? MemorySamples.of(key, data, label) : MemorySamples.of(key, data);
        for (int i = 0; i < 4; i++) {
            byte[] value = ("value " + i).getBytes(StandardCharsets.UTF_8);
            if (labels) {
                samples.add("a/" + i, value, (long) i);
            } else {
                samples.add("b/" + i, value);
            }
        }
        return samples.build();
    }

    /** Turns a bit in a value of sample 2. */
    private static Flip flip(Path container, String field) {
        try (Container open = Container.open(container)) {
            ValueLocation place =
                    Objects.requireNonNull(open.place(2, open.schema().place(field), 0));
            return new Flip(place.file(), place.offset(), 0);
        }
    }

    private void refused(Samples samples, String sentence) {
        try (samples) {
            assertThatThrownBy(() -> shop().pack(samples, "out"))
                    .isExactlyInstanceOf(CorruptContainerException.class)
                    .hasMessageStartingWith(sentence + ": the checksum does not match; the value is damaged");
        }
    }

    private String sentence(Path container, String key) {
        return "[" + container + "] sample 2 (" + key + "), field 'data'";
    }

    private static SourceRequest request(Path path) {
        return new SourceRequest(path, null, true, null, 1, BadFilePolicy.refused());
    }

    @Test
    void byItself() {
        try (var flip = flip(source, Field.DATA)) {
            refused(ConcatenatedSamples.open(List.of(source)), sentence(flip.file(), "a/2"));
        }
    }

    @Test
    void behindAnother() {
        Path again = shop().pack(samples(true), "again");
        try (var flip = flip(again, Field.DATA)) {
            refused(ConcatenatedSamples.open(List.of(source, again)), sentence(flip.file(), "a/2"));
        }
    }

    @Test
    void labelledByItsFolders() {
        try (var flip = flip(other, Field.DATA)) {
            refused(Sources.open(request(other)), sentence(flip.file(), "b/2"));
        }
    }

    @Test
    void asASplit() {
        var splits = new LinkedHashMap<String, SourceRequest>();
        splits.put("train", request(shop().pack(samples(false), "train")));
        splits.put("val", request(other));
        try (var flip = flip(other, Field.DATA)) {
            refused(Sources.openSplits(splits), sentence(flip.file(), "b/2"));
        }
    }

    @Test
    void asText() {
        try (var flip = flip(source, Field.DATA)) {
            Samples text =
                    RetypedSamples.of(Container.open(source), Map.of(Field.DATA, "text", Field.LABEL, "int8"), 1);
            refused(text, sentence(flip.file(), "a/2"));
        }
    }

    /** Leaves all as it is but what begins with a v. */
    private record Lengthening() implements ValueTransform {
        @Override
        public Worker worker() {
            return value -> value.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0) == 'v' ? new byte[20] : null;
        }

        @Override
        public String phase() {
            return "lengthening";
        }

        @Override
        public String settings() {
            return "";
        }
    }

    private Samples reworked(BadFilePolicy bad) {
        return TransformedSamples.of(
                Container.open(source), new Lengthening(), folder.resolve("spool"), bad, new Progress());
    }

    @Test
    void whatIsReworkedIsComparedBefore() {
        try (Samples intact = reworked(BadFilePolicy.refused())) {
            Same.assertSame(shop().open(shop().pack(intact, "out")), intact);
        }
        try (var flip = flip(source, Field.DATA)) {
            assertThatThrownBy(() -> reworked(BadFilePolicy.refused()))
                    .isExactlyInstanceOf(CorruptContainerException.class)
                    .hasMessageStartingWith(sentence(flip.file(), "a/2"));
            BadFilePolicy bad = BadFilePolicy.skipped();
            try (Samples rest = reworked(bad)) {
                assertThat(rest.count()).isEqualTo(3);
                assertThat(bad.list())
                        .singleElement()
                        .satisfies(one -> assertThat(one.path()).isEqualTo("sample 2 (a/2)"));
            }
        }
    }

    /** They have no checksums of their own. */
    @Test
    void labelsAreComparedWhenItIsOpened() {
        try (var flip = flip(source, Field.LABEL)) {
            for (Runnable opening : List.<Runnable>of(
                    () -> ConcatenatedSamples.open(List.of(source)), () -> Sources.open(request(source)))) {
                assertThatThrownBy(opening::run)
                        .as("%s", flip)
                        .isExactlyInstanceOf(CorruptContainerException.class)
                        .hasMessageContaining("the checksum of section VALUES of field 'label' does not match");
            }
        }
    }
}
