package dev.stoker.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.Scratch;
import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.sample.Samples;
import dev.stoker.source.SourceRequest;
import dev.stoker.source.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConcatenatedSamplesTest {
    @TempDir
    private Path folder;

    private Scratch scratch(String name) throws IOException {
        return new Scratch(Files.createDirectory(folder.resolve(name)));
    }

    private Path packed(String name, String... files) throws IOException {
        Scratch scratch = scratch(name);
        for (String file : files) {
            scratch.file(file, "of " + file);
        }
        var request = new SourceRequest(scratch.src(), null, false, null, 1, BadFilePolicy.refused());
        try (Container container = scratch.pack(Sources.open(request))) {
            return container.path();
        }
    }

    @Test
    void oneFollowsTheOther() throws IOException {
        List<Path> parts = List.of(packed("a", "1", "2"), packed("b", "0"), packed("c", "5", "6", "7"));
        Samples all = ConcatenatedSamples.open(parts);
        try (Container container = scratch("all").pack(all)) {
            assertThat(Scratch.texts(container, "key")).containsExactly("1", "2", "0", "5", "6", "7");
            assertThat(Scratch.data(container)).containsExactly("of 1", "of 2", "of 0", "of 5", "of 6", "of 7");
        }
    }

    @Test
    void othersThanTheFirstAreRefused() throws IOException {
        Path first = packed("a", "1");
        Scratch scratch = scratch("b");
        scratch.file("x/1", "data");
        scratch.file("y/1", "data");
        var labelled = new SourceRequest(scratch.src(), null, true, null, 1, BadFilePolicy.refused());
        Path second;
        try (Container container = scratch.pack(Sources.open(labelled))) {
            second = container.path();
        }
        assertThatThrownBy(() -> ConcatenatedSamples.open(List.of(first, second)))
                .isExactlyInstanceOf(StokerException.class)
                .hasMessageContaining("should have the fields and classes of " + first);
        var splits = new LinkedHashMap<String, SourceRequest>();
        splits.put(
                "train", new SourceRequest(scratch.src().resolve("x"), null, false, null, 1, BadFilePolicy.refused()));
        try (Container container = scratch("c").pack(Sources.openSplits(splits))) {
            assertThatThrownBy(() -> ConcatenatedSamples.open(List.of(first, container.path())))
                    .hasMessageContaining("has splits");
        }
    }
}
