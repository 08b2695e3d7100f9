package dev.stoker.stage.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.write.Packer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTreeTest {
    @TempDir
    Path temp;

    private Container container(String... keys) {
        var builder = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes()));
        for (String key : keys) {
            builder.add(key, key.getBytes(StandardCharsets.UTF_8));
        }
        return open(builder.build());
    }

    private Container open(MemorySamples samples) {
        Path packed = temp.resolve("x.stk");
        var settings = new Packer.Settings(FormatOptions.NONE, 1, false, true, false);
        new Packer(samples, Formats.named("stk"), packed, settings, new Progress()).run();
        return Container.open(packed);
    }

    private static List<String> names(FileTree tree, int folder) {
        var names = new ArrayList<String>();
        for (int i = 0; i < tree.entries(folder); i++) {
            names.add(new String(tree.name(tree.entry(folder, i)), StandardCharsets.UTF_8));
        }
        return names;
    }

    private static int find(FileTree tree, String path) {
        int node = FileTree.ROOT;
        for (String name : path.split("/")) {
            node = tree.find(node, name.getBytes(StandardCharsets.UTF_8));
            if (node < 0) {
                return node;
            }
        }
        return node;
    }

    @Test
    void keysMakeATree() {
        try (Container container = container("b/x", "a/y/z", "b/w", "top", "a/x")) {
            var tree = new FileTree(container);
            assertThat(names(tree, FileTree.ROOT)).containsExactly("b", "a", "top");
            assertThat(names(tree, find(tree, "b"))).containsExactly("x", "w");
            assertThat(names(tree, find(tree, "a"))).containsExactly("y", "x");
            assertThat(tree.parent(find(tree, "a/y"))).isEqualTo(find(tree, "a"));
            assertThat(tree.size(find(tree, "a/y/z"))).isEqualTo(5);
            assertThat(find(tree, "a/z")).isEqualTo(FileTree.NOTHING);
            assertThat(find(tree, "c")).isEqualTo(FileTree.NOTHING);
        }
    }

    @Test
    void samplesWithoutKeysAreNumbered() {
        var builder = MemorySamples.of(new Field(Field.DATA, new FieldType.Bytes()));
        builder.add((Object) new byte[7]).add((Object) new byte[8]);
        try (Container container = open(builder.build())) {
            var tree = new FileTree(container);
            assertThat(names(tree, FileTree.ROOT)).containsExactly("000000000.bin", "000000001.bin");
            assertThat(tree.size(find(tree, "000000001.bin"))).isEqualTo(8);
        }
    }

    @Test
    void deepKeysAreNoTrouble() {
        String deep = "d/".repeat(2_047) + "x"; // as long as a path may be
        try (Container container = container(deep)) {
            var tree = new FileTree(container);
            assertThat(tree.folders()).isEqualTo(2_048);
            assertThat(tree.size(tree.nodes() - 1)).isEqualTo(deep.length());
        }
    }

    @Test
    void whatIsNoTreeIsRefused() {
        for (String[] keys :
                new String[][] {{"a", "a"}, {"a", "a/b"}, {"../a"}, {"/a"}, {"a//b"}, {"d/".repeat(2_048) + "x"}}) {
            try (Container container = container(keys)) {
                assertThatThrownBy(() -> new FileTree(container)).hasMessageContaining("cannot hold");
            }
        }
    }
}
