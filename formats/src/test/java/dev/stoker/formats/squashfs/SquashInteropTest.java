package dev.stoker.formats.squashfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.container.Container;
import dev.stoker.formats.Trees;
import dev.stoker.testkit.Seed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** unsquashfs, squashfuse and the kernel read what Stoker wrote, and Stoker reads what mksquashfs wrote. */
class SquashInteropTest {

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    /** The usual files and a folder whose names fill many metadata blocks, in no order. */
    private Map<String, String> files() {
        SortedMap<String, String> sorted = Trees.usual();
        for (int i = 0; i < 3000; i++) {
            sorted.put("many/%s %d.txt".formatted("n".repeat(i % 200), i), "content " + i);
        }
        List<String> names = new ArrayList<>(sorted.keySet());
        Collections.shuffle(names, new Random(seed.random().nextLong()));
        var files = new LinkedHashMap<String, String>();
        names.forEach(name -> files.put(name, sorted.get(name)));
        return files;
    }

    private Path ours(Map<String, String> files) {
        return Trees.pack(new SquashFormat(), Trees.samples(files), folder.resolve("ours.sqsh"));
    }

    @Test
    void unsquashfsExtractsOurs() throws Exception {
        Map<String, String> files = files();
        Path image = ours(files);
        Path out = folder.resolve("out");
        String said = Trees.run(folder, "unsquashfs", "-d", out.toString(), image.toString());
        assertThat(said).doesNotContain("FATAL", "failed", "corrupt");
        assertThat(Trees.read(out)).isEqualTo(Trees.shown(files));
        assertThat(Trees.run(folder, "unsquashfs", "-lln", "-d", "", image.toString()))
                .contains("-rw-r--r-- 0/0", "drwxr-xr-x 0/0", "1970-01-01 00:00");
        assertThat(Trees.run(folder, "unsquashfs", "-s", image.toString()))
                .contains("Inodes are uncompressed", "Data is uncompressed", "Block size 131072");
    }

    @Test
    void squashfuseReadsOurs() throws Exception {
        Map<String, String> files = files();
        Path image = ours(files);
        Path mounted = Files.createDirectory(folder.resolve("mounted"));
        assumeTrue(Files.isWritable(Path.of("/dev/fuse")), "/dev/fuse is not there or may not be used");
        Trees.run(folder, "squashfuse_ll", image.toString(), mounted.toString());
        try {
            assertThat(Trees.read(mounted)).isEqualTo(Trees.shown(files));
        } finally {
            Trees.run(folder, "umount", mounted.toString());
        }
    }

    @Test
    void theKernelReadsOurs() throws Exception {
        Map<String, String> files = files();
        Path image = ours(files);
        Path mounted = Files.createDirectory(folder.resolve("mounted"));
        Process mount = new ProcessBuilder(
                        "mount", "-t", "squashfs", "-o", "loop,ro", image.toString(), mounted.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(mount.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        boolean permitted = mount.waitFor() == 0;
        // Whether the image is wrong or mounting is not permitted, mount says alike: it is told by their image.
        assumeTrue(permitted || canMount(), "the kernel does not mount images here: " + said);
        assertThat(permitted).as(said).isTrue();
        try {
            assertThat(Trees.read(mounted)).isEqualTo(Trees.shown(files));
        } finally {
            Trees.run(folder, "umount", mounted.toString());
        }
    }

    private boolean canMount() throws Exception {
        Path tree = Trees.write(Files.createDirectory(folder.resolve("probe")), Map.of("a/b", "c"));
        Trees.run(folder, "mksquashfs", tree.toString(), "probe.sqsh", "-quiet", "-no-progress");
        Path mounted = Files.createDirectory(folder.resolve("probed"));
        int code = new ProcessBuilder("mount", "-t", "squashfs", "-o", "loop,ro", "probe.sqsh", mounted.toString())
                .directory(folder.toFile())
                .start()
                .waitFor();
        if (code == 0) {
            Trees.run(folder, "umount", mounted.toString());
        }
        return code == 0;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-noI -noD -noF -noX -noId",
                "-noI -noD -noF -noX -no-fragments -no-exports",
                "-noD -noF",
                "-noD -noF -comp zstd",
                "-noD -noF -comp lz4 -b 1M",
                "-noI -noD -noF -noX -noId -comp xz",
                "-noD -noF -no-duplicates -nopad -b 4096",
                "-comp gzip",
                "-comp zstd -b 4096",
                "-comp zstd -always-use-fragments",
                "-comp lz4 -no-fragments",
                "-comp xz -b 1M",
                "-noD -noF -always-use-fragments"
            })
    void weReadWhatMksquashfsWrote(String options) throws Exception {
        Map<String, String> files = files();
        Path tree = Trees.write(Files.createDirectory(folder.resolve("tree")), files);
        Path image = folder.resolve("theirs.sqsh");
        var command = new ArrayList<>(List.of("mksquashfs", tree.toString(), image.toString(), "-quiet"));
        command.add("-no-progress");
        command.addAll(List.of(options.split(" ")));
        Trees.run(folder, command.toArray(String[]::new));
        try (Container container = Trees.openAnew(image)) {
            assertThat(container.format()).isEqualTo("squashfs");
            assertThat(Trees.contents(container)).isEqualTo(Trees.shown(new TreeMap<>(files)));
        }
    }
}
