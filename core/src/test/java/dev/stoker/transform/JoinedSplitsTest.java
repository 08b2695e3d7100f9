package dev.stoker.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.Scratch;
import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.listing.FolderSource;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Split;
import dev.stoker.source.SourceRequest;
import dev.stoker.source.Sources;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JoinedSplitsTest {
    @TempDir
    private Path folder;

    private Scratch scratch = new Scratch(Path.of("."));

    private final Map<String, SourceRequest> requests = new LinkedHashMap<>();

    @BeforeEach
    void begin() {
        scratch = new Scratch(folder);
    }

    private void split(String name, @Nullable Path manifest) {
        Path source = scratch.src().resolve(name);
        requests.put(name, new SourceRequest(source, manifest, true, null, 2, BadFilePolicy.refused()));
    }

    private Container packed() {
        return scratch.pack(Sources.openSplits(requests));
    }

    private void refused(String message) {
        assertThatThrownBy(() -> Sources.openSplits(requests))
                .isExactlyInstanceOf(StokerException.class)
                .hasMessage(message);
    }

    @Test
    void splitsWithManifestsFollowEachOther() {
        scratch.file("train/x/1.jpg", "t1");
        scratch.file("train/y/2.jpg", "t2");
        scratch.file("val/3.jpg", "v3");
        split("train", scratch.beside("train.json", "{\"y/2.jpg\": 5, \"x/1.jpg\": 3}"));
        split("val", scratch.beside("val.json", "{\"3.jpg\": 5}"));
        try (Container container = packed()) {
            assertThat(container.splits()).containsExactly(new Split("train", 0, 2), new Split("val", 2, 1));
            assertThat(Scratch.texts(container, "key")).containsExactly("y/2.jpg", "x/1.jpg", "3.jpg");
            assertThat(Scratch.data(container)).containsExactly("t2", "t1", "v3");
            assertThat(Scratch.longs(container, "label")).containsExactly(5L, 3L, 5L);
        }
    }

    @Test
    void aSplitMayLackLabelsAndTexts() {
        scratch.file("train/1.jpg", "1");
        scratch.file("test/2.jpg", "2");
        String line = "{\"path\": \"1.jpg\", \"label\": \"cat\", \"title\": \"Cat\", \"tags\": [\"a\"]}";
        split("train", scratch.beside("train.jsonl", line));
        split("test", null);
        try (Container container = packed()) {
            assertThat(Scratch.longs(container, "label")).containsExactly(0L, -1L);
            assertThat(container.schema().classes()).containsExactly("cat");
            assertThat(Scratch.texts(container, "title")).containsExactly("Cat", "");
            assertThat(Scratch.lists(container, "tags")).containsExactly(List.of("a"), List.of());
        }
    }

    @Test
    void differentClassesBecomeOneListAndLabelsFollow() {
        scratch.file("train/cat/1", "1");
        scratch.file("train/dog/2", "2");
        scratch.file("val/ant/3", "3");
        scratch.file("val/dog/4", "4");
        scratch.file("val/5", "5");
        split("train", null);
        split("val", null);
        try (Container container = packed()) {
            assertThat(container.schema().classes()).containsExactly("ant", "cat", "dog");
            assertThat(Scratch.texts(container, "key")).containsExactly("cat/1", "dog/2", "5", "ant/3", "dog/4");
            assertThat(Scratch.longs(container, "label")).containsExactly(1L, 2L, -1L, 0L, 2L);
        }
    }

    @Test
    void numbersAreTakenForPlacesAmongTheOthersClassesIfTheyCanBe() {
        scratch.file("train/cat/1", "1");
        scratch.file("train/dog/2", "2");
        scratch.file("val/3", "3");
        split("train", null);
        split("val", scratch.beside("val.json", "{\"3\": 1}"));
        try (Container container = packed()) {
            assertThat(container.schema().classes()).containsExactly("cat", "dog");
            assertThat(Scratch.longs(container, "label")).containsExactly(0L, 1L, 1L);
        }
        split("val", scratch.beside("val.json", "{\"3\": 2}"));
        refused("split 'val' [3] has label 2 but there are only the 2 classes of the other splits; give class names as"
                + " labels in every split");
        scratch.file("more/ant/1", "1");
        split("more", null);
        refused(
                "the labels of split 'val' are numbers without class names, and the other splits have different classes,"
                        + " so that it is not known what they stand for; give class names as labels in every split");
    }

    @Test
    void fieldsThatNothingCanStandForAreRefused() {
        scratch.file("train/1", "1");
        scratch.file("val/2", "2");
        split("train", scratch.beside("train.csv", "path,age\n1,30\n"));
        split("val", null);
        refused("field 'age' (int64) is missing in split 'val'; add it there, or take it out of the others");
        split("val", scratch.beside("val.csv", "path,age\n2,old\n"));
        refused(
                "field 'age' is int64 in split 'train' but text in split 'val'; make them alike, or pack each split into"
                        + " a container of its own");
    }

    @Test
    void unsignedLabelsCannotSayThatThereIsNone() {
        scratch.file("train/a/1", "1");
        scratch.file("val/2", "2");
        Samples train = RetypedSamples.of(
                FolderSource.list(scratch.src().resolve("train"), true, 1), Map.of("label", "uint16"), 1);
        try (train;
                Samples val = FolderSource.list(scratch.src().resolve("val"), true, 1)) {
            var splits = new LinkedHashMap<String, Samples>();
            splits.put("train", train);
            splits.put("val", val);
            assertThatThrownBy(() -> JoinedSplits.of(splits))
                    .hasMessage("split 'val' has no labels, which is written as label -1, but labels are uint16;"
                            + " give them a signed type such as int32, or pack the split by itself");
        }
    }
}
