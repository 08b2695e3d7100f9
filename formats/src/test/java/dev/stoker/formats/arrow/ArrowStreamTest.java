package dev.stoker.formats.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.dataset.Dataset;
import dev.stoker.formats.Trees;
import dev.stoker.sample.Field;
import dev.stoker.sample.Omission;
import dev.stoker.testkit.Same;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Streams, and structs, as Hugging Face datasets writes them. */
class ArrowStreamTest {
    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    @Test
    void streamsAndFilesHoldTheSame() {
        var expected = new TreeMap<String, String>();
        for (String line : Pyarrow.run("arrow_streams.py", folder, seed.random().nextInt(1 << 30))) {
            String[] part = line.split("\t", -1);
            if (part.length == 2) {
                expected.put(part[0], part[1]);
            }
        }
        assertThat(expected).hasSize(8);
        for (String name : new String[] {"file-plain", "stream-plain", "file-zstd", "stream-zstd"}) {
            try (Container container = Container.open(folder.resolve(name + ".arrow"))) {
                assertThat(container.format()).isEqualTo("arrow");
                assertThat(found(container)).as(name).isEqualTo(expected);
                assertThat(container.omissions().stream().map(Omission::toString))
                        .as(name)
                        .containsExactly(
                                "price.gross (column of type list<list<int8>>): fields have no such type",
                                "image.bytes (6 nulls): each is read as an empty value",
                                "image.path (23 nulls): each is read as an empty text",
                                "box.size.w (8 nulls): each is read as -1",
                                "box.size.h (19 nulls): each is read as NaN",
                                "box.tags (8 nulls): each is read as an empty text, or an empty list",
                                "words (13 nulls): each is read as an empty text");
            }
        }
    }

    private static Map<String, String> found(Container container) {
        var found = new TreeMap<String, String>();
        for (Field field : container.schema().fields()) {
            var values = new StringBuilder();
            for (long i = 0; i < container.count(); i++) {
                byte[] value = Same.bytes(container, i, container.schema().place(field.name()));
                values.append(i == 0 ? "" : " ")
                        .append(value.length == 0 ? "-" : HexFormat.of().formatHex(value));
            }
            found.put(field.name(), values.toString());
        }
        return found;
    }

    /** The files of a saved folder are one data set; its other files are not samples. */
    @Test
    void aFolderOfHuggingFaceIsRead() throws IOException {
        Pyarrow.run("arrow_streams.py", folder, 1);
        Path saved = Files.createDirectory(folder.resolve("saved"));
        Path first = Files.move(folder.resolve("stream-plain.arrow"), saved.resolve("data-00000-of-00002.arrow"));
        Files.move(folder.resolve("stream-zstd.arrow"), saved.resolve("data-00001-of-00002.arrow"));
        Files.writeString(saved.resolve("dataset_info.json"), "{}");
        assertRefused(saved, "give those of one split: " + saved.resolve("*.arrow"));
        Files.writeString(saved.resolve("state.json"), "{}");
        try (Dataset dataset = Dataset.open(List.of(saved.toString()));
                Container part = Container.open(first)) {
            assertThat(dataset.count()).isEqualTo(80);
            assertThat(dataset.schema()).isEqualTo(part.schema());
            assertThat(dataset.omissions()).hasSize(7);
        }
        assertThatThrownBy(() -> Container.open(saved).close()).hasMessageContaining("holds a Hugging Face dataset");
        Files.writeString(folder.resolve("dataset_dict.json"), "{}");
        assertRefused(folder, "give the folder of one, such as " + folder.resolve("train"));
    }

    private static void assertRefused(Path path, String reason) {
        assertThatThrownBy(() -> Dataset.open(List.of(path.toString())).close())
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("[" + path + "] holds")
                .hasMessageContaining(reason);
    }

    @Test
    void aTruncatedStreamIsNoticed() throws IOException {
        Pyarrow.run("arrow_streams.py", folder, 1);
        byte[] whole = Workshop.read(folder.resolve("stream-plain.arrow"));
        Path cut = folder.resolve("cut.arrow");
        // Without its mark of the end a stream that ends behind a message is whole, as Arrow has it.
        int mark = whole.length - 8;
        for (int size = 8; size < mark; size += 97) {
            Workshop.write(cut, Arrays.copyOf(whole, size));
            int length = size;
            try {
                Trees.openAnew(cut).close();
                assertThat(isBehindMessage(whole, length))
                        .as("%s bytes", length)
                        .isTrue();
            } catch (StokerException e) {
                assertThat(e).hasMessageContaining("cut.arrow");
            }
        }
        Workshop.write(cut, Arrays.copyOf(whole, mark));
        Trees.openAnew(cut).close();
        Workshop.write(cut, Arrays.copyOf(whole, mark - 1));
        assertThatThrownBy(() -> Trees.openAnew(cut).close())
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("the Arrow stream should have a body of")
                .hasMessageContaining("it is truncated, or its writer was not closed");
    }

    private static boolean isBehindMessage(byte[] whole, int size) {
        return whole[size] == -1 && whole[size + 1] == -1 && whole[size + 2] == -1 && whole[size + 3] == -1;
    }

    @Test
    void flippedBitsNeverEscape() {
        Pyarrow.run("arrow_streams.py", folder, 1);
        RandomGenerator random = seed.random();
        for (String name : new String[] {"stream-plain.arrow", "stream-zstd.arrow", "file-plain.arrow"}) {
            byte[] whole = Workshop.read(folder.resolve(name));
            assertThat(Damaged.refusal(folder, whole)).isEmpty();
            for (int i = 0; i < 150; i++) {
                byte[] damaged = whole.clone();
                for (int flips = 0; flips < 3; flips++) {
                    damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
                }
                Damaged.refusal(folder, damaged);
            }
        }
    }
}
