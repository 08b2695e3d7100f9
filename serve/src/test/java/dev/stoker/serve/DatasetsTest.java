package dev.stoker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.collect.CollectSealer;
import dev.stoker.dataset.Dataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetsTest {
    @TempDir
    private Path folder;

    private Path container(String name, int samples) throws IOException {
        Path path = folder.resolve(name);
        var request =
                new LinkedHashMap<Object, Object>(Examples.message("collect").object());
        request.put("path", path.toString());
        request.put("rank", 0L);
        request.put("world", 1L);
        var intake = new CollectSession(request);
        for (int i = 0; i < samples; i++) {
            intake.append(Examples.message("append").payload());
        }
        intake.close();
        CollectSealer.run(path, CollectSealer.Order.RANK, false);
        return path;
    }

    @Test
    void thoseWhoNameTheSameFilesShareThemUntilOneIsReplaced() throws IOException {
        Path path = container("a.stk", 1);
        List<String> names = List.of(path.toString());
        var datasets = new Datasets();
        Dataset before = datasets.open(names);
        assertThat(datasets.open(names)).isSameAs(before);

        Files.move(container("b.stk", 2), path, StandardCopyOption.REPLACE_EXISTING);
        Dataset after = datasets.open(names);
        assertThat(after).isNotSameAs(before);
        assertThat(after.count()).isEqualTo(2);
        assertThat(before.count()).isEqualTo(1);

        datasets.release(before);
        datasets.release(before);
        assertThat(datasets.open(names)).isSameAs(after);
        assertThat(after.key(1)).isEqualTo("é");
        datasets.release(after);
        datasets.release(after);
        Dataset last = datasets.open(names);
        assertThat(last).isNotSameAs(after);
        datasets.release(last);
    }

    @Test
    void looseFilesAreListedAgainForEveryone() throws IOException {
        Path loose = Files.createDirectories(folder.resolve("loose/cat"));
        Path first = Files.writeString(loose.resolve("1.txt"), "one");
        List<String> names = List.of(loose.getParent().toString());
        var datasets = new Datasets();
        Dataset before = datasets.open(names);
        assertThat(datasets.open(names)).isSameAs(before);

        Files.writeString(loose.resolve("2.txt"), "two");
        Dataset added = datasets.open(names);
        assertThat(added.count()).isEqualTo(2);
        assertThat(before.count()).isEqualTo(1);
        assertThat(datasets.open(names)).isSameAs(added);

        // In place: the folders' times stay what they were.
        Files.writeString(first, "another text");
        Dataset written = datasets.open(names);
        assertThat(written).isNotSameAs(added);
        assertThat(datasets.open(names)).isSameAs(written);
        for (Dataset dataset : List.of(before, before, added, added, written, written)) {
            datasets.release(dataset);
        }
    }
}
