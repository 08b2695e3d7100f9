package dev.stoker.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.Scratch;
import dev.stoker.UsageException;
import dev.stoker.sample.Samples;
import dev.stoker.source.SourceRequest;
import dev.stoker.source.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceFilterTest {
    @TempDir
    private Path folder;

    private Scratch scratch = new Scratch(Path.of("."));

    @BeforeEach
    void begin() {
        scratch = new Scratch(folder);
        for (String name : List.of("cat/1.jpg", "cat/2.jpg", "dog/1.jpg", "dog/sub/2.jpg")) {
            scratch.file(name, "bytes of " + name);
        }
    }

    private List<String> keys(SourceFilter filter) {
        SourceRequest request = scratch.request(scratch.src()).filtered(filter);
        try (Samples samples = Sources.open(request)) {
            var keys = new ArrayList<String>();
            for (long i = 0; i < samples.count(); i++) {
                keys.add(samples.describe(i));
            }
            return keys;
        }
    }

    private List<String> classes(SourceFilter filter) {
        try (Samples samples = Sources.open(scratch.request(scratch.src()).filtered(filter))) {
            return samples.schema().classes();
        }
    }

    private void addJunk() throws IOException {
        for (String name : List.of(
                ".DS_Store",
                "cat/._1.jpg",
                "cat/Thumbs.db",
                "dog/desktop.ini",
                ".git/config",
                ".git/objects/a",
                "cat/.ipynb_checkpoints/1-checkpoint.jpg",
                ".ipynb_checkpoints/x.jpg",
                "cat/1.npy.stkx")) {
            scratch.file(name, "junk");
        }
        Files.createSymbolicLink(scratch.src().resolve("cat/.#lock"), Path.of("nowhere"));
    }

    @Test
    void leavesOutJunkAndCountsIt() throws IOException {
        addJunk();
        var filter = SourceFilter.usual();

        assertThat(keys(filter)).containsExactly("cat/1.jpg", "cat/2.jpg", "dog/1.jpg", "dog/sub/2.jpg");
        assertThat(filter.leftOut().counts())
                .isEqualTo(Map.of("hidden_files", 5L, "hidden_folders", 3L, "index_files", 1L));
        assertThat(filter.leftOut().describe())
                .isEqualTo("5 hidden files, 3 hidden folders, 1 Index file (--hidden takes them)");
        assertThat(filter.leftOut().hiddenClasses()).containsExactly(".git", ".ipynb_checkpoints");
        assertThat(classes(SourceFilter.usual())).containsExactly("cat", "dog");
    }

    @Test
    void takesJunkIfAsked() throws IOException {
        addJunk();
        Files.delete(scratch.src().resolve("cat/.#lock"));
        var filter = SourceFilter.of(true, List.of(), List.of());

        assertThat(keys(filter)).hasSize(13).contains(".git/config", "cat/Thumbs.db", "cat/1.npy.stkx");
        assertThat(filter.leftOut().isEmpty()).isTrue();
        assertThat(classes(SourceFilter.everything())).containsExactly(".git", ".ipynb_checkpoints", "cat", "dog");
    }

    @Test
    void leavesOutManifestsThatNameFilesOfTheFolder() {
        scratch.file("dog/3.jpg", "bytes");
        scratch.file("dog/4.jpg", "bytes");
        scratch.file("labels.csv", "path,label\ncat/1.jpg,cat\ndog/1.jpg,dog\n");
        scratch.file("above.json", "{\"src/cat/1.jpg\": 1, \"src/cat/2.jpg\": 2}");
        scratch.file("lines.jsonl", "{\"path\": \"cat/1.jpg\"}\n{\"path\": \"./cat/2.jpg\"}\n");
        scratch.file("other.csv", "a,b\n1,2\n");
        scratch.file("one.json", "{\"imagePath\": \"cat/1.jpg\", \"shapes\": []}");
        scratch.file("cat/list.csv", "path\ncat/1.jpg\ncat/2.jpg\n");
        var filter = SourceFilter.usual();

        assertThat(keys(filter))
                .containsExactly(
                        "cat/1.jpg",
                        "cat/2.jpg",
                        "cat/list.csv",
                        "dog/1.jpg",
                        "dog/3.jpg",
                        "dog/4.jpg",
                        "dog/sub/2.jpg",
                        "one.json",
                        "other.csv");
        assertThat(filter.leftOut().describe())
                .isEqualTo("the manifests above.json, labels.csv, lines.jsonl (--hidden takes them)");
        assertThat(filter.oddFiles().describe())
                .containsExactly("3 files are not pictures as the rest are: cat/list.csv, one.json, other.csv;"
                        + " --exclude leaves them out");
    }

    @Test
    void choosesByPatterns() {
        scratch.file("cat/notes.txt", "text");
        assertThat(keys(SourceFilter.of(false, List.of("*.jpg"), List.of("dog/sub"))))
                .containsExactly("cat/1.jpg", "cat/2.jpg", "dog/1.jpg");
        assertThat(keys(SourceFilter.of(false, List.of("cat/*", "**/2.jpg"), List.of())))
                .containsExactly("cat/1.jpg", "cat/2.jpg", "cat/notes.txt", "dog/sub/2.jpg");
        assertThat(keys(SourceFilter.of(false, List.of("[12].{jpg,png}"), List.of("2.*"))))
                .containsExactly("cat/1.jpg", "dog/1.jpg");
        assertThat(keys(SourceFilter.of(false, List.of(), List.of("sub", "[!2].jpg"))))
                .containsExactly("cat/2.jpg", "cat/notes.txt");
        var filter = SourceFilter.of(false, List.of("*.jpg"), List.of("sub"));
        assertThat(keys(filter)).containsExactly("cat/1.jpg", "cat/2.jpg", "dog/1.jpg");
        assertThat(filter.leftOut().describe()).isEqualTo("1 file, 1 folder by --include and --exclude");
    }

    @Test
    void choosesTheSameFromWholePathsAsFromAWalk() throws IOException {
        addJunk();
        Files.delete(scratch.src().resolve("cat/.#lock"));
        for (List<String> exclude :
                List.of(List.<String>of(), List.of("sub"), List.of("dog/**"), List.of("cat/2.jpg"))) {
            var walked = keys(SourceFilter.of(false, List.of("*.jpg"), exclude));
            var listed = new ArrayList<String>();
            var filter = SourceFilter.of(false, List.of("*.jpg"), exclude);
            for (String key : keys(SourceFilter.everything())) {
                if (filter.takes(key.getBytes())) {
                    listed.add(key);
                }
            }
            assertThat(listed).isEqualTo(walked);
        }
    }

    @Test
    void refusesPatternsThatMatchNothing() {
        assertThatThrownBy(() -> SourceFilter.of(false, List.of("/data/*.jpg"), List.of()))
                .isExactlyInstanceOf(UsageException.class)
                .hasMessage("the pattern '/data/*.jpg' should be of paths relative to the source, such as '*.jpg' or"
                        + " 'train/**'");
        assertThatThrownBy(() -> SourceFilter.of(false, List.of("{a,b"), List.of()))
                .hasMessage("the pattern '{a,b' should have a ] for every [ and a } for every {");
    }

    @Test
    void namesEmptyFiles() {
        scratch.file("cat/0.jpg", "");
        scratch.file("cat/9.png", "");
        var filter = SourceFilter.usual();
        keys(filter);
        assertThat(filter.oddFiles().describe())
                .containsExactly(
                        "2 files are empty: cat/0.jpg, cat/9.png; --check-images --skip-bad leaves out what cannot"
                                + " be decoded");
        assertThat(filter.oddFiles().counts())
                .isEqualTo(Map.of("empty", Map.of("count", 2L, "examples", List.of("cat/0.jpg", "cat/9.png"))));
    }
}
