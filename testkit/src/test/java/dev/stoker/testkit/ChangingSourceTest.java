package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.StkFormat;
import dev.stoker.index.ContainerIdentity;
import dev.stoker.io.MappedFile;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.source.SourceRequest;
import dev.stoker.source.Sources;
import dev.stoker.transform.ConcatenatedSamples;
import dev.stoker.transform.RetypedSamples;
import dev.stoker.transform.TransformedSamples;
import dev.stoker.transform.ValueTransform;
import dev.stoker.write.Packer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A container without checksums that is written while it is packed, converted or indexed gives nothing, not a mixture. */
class ChangingSourceTest {
    private static final String WRITTEN = "it was written or renamed, or its permissions were changed";

    @TempDir
    private Path folder;

    private Path source = Path.of("");

    @BeforeEach
    void make() throws IOException {
        source = make("source");
    }

    /** A container as another program writes it: without an Index, and so without checksums. */
    private Path make(String name) throws IOException {
        var shop = new Workshop(new PlainFormat(), FormatOptions.NONE, folder, new SplittableRandom(1));
        var samples = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes()));
        for (int i = 0; i < 4; i++) {
            samples.add("a/" + i, "value " + i);
        }
        Path made = shop.pack(samples.build(), name);
        Files.delete(Sidecar.beside(made));
        return made;
    }

    /** Changes a byte of the last value, and sets the time of modification back. */
    private static void write(Path file) throws IOException {
        FileTime before = Files.getLastModifiedTime(file);
        try (var open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(open.length() - 1);
            open.write('X');
        }
        Files.setLastModifiedTime(file, before);
    }

    private void pack(Samples samples, boolean resume) {
        var settings = new Packer.Settings(FormatOptions.NONE, 1, resume, false, false);
        new Packer(samples, new StkFormat(), folder.resolve("out.stk"), settings, new Progress()).run();
    }

    private void refused(Samples samples, String how) {
        try (samples) {
            assertThatThrownBy(() -> pack(samples, false))
                    .isExactlyInstanceOf(StokerException.class)
                    .hasMessageStartingWith("[" + source + "] changed while it was being packed: " + how);
            assertThat(folder.resolve("out.stk")).doesNotExist();
        }
    }

    private SourceRequest request(Path path) {
        return new SourceRequest(path, null, true, folder.resolve("spool"), 1, BadFilePolicy.refused());
    }

    @Test
    void writtenInPlace() throws IOException {
        Samples samples = Container.openToCopy(source);
        write(source);
        refused(samples, WRITTEN);
    }

    @Test
    void replaced() throws IOException {
        Samples samples = Container.openToCopy(source);
        Files.move(Files.copy(source, folder.resolve("new")), source, StandardCopyOption.REPLACE_EXISTING);
        refused(samples, "another file has its name now");
    }

    @Test
    void grown() throws IOException {
        Samples samples = Container.openToCopy(source);
        long size = Files.size(source);
        Files.write(source, new byte[1], java.nio.file.StandardOpenOption.APPEND);
        refused(samples, "it had " + size + " bytes and now has " + (size + 1));
    }

    @Test
    void behindAnother() throws IOException {
        Samples samples = ConcatenatedSamples.open(List.of(make("first"), source));
        write(source);
        refused(samples, WRITTEN);
    }

    @Test
    void asASplitLabelledByItsFolders() throws IOException {
        var splits = new LinkedHashMap<String, SourceRequest>();
        splits.put("train", request(make("train")));
        splits.put("val", request(source));
        Samples samples = Sources.openSplits(splits);
        write(source);
        refused(samples, WRITTEN);
    }

    @Test
    void asText() throws IOException {
        Samples samples = RetypedSamples.of(Container.openToCopy(source), Map.of(Field.DATA, "text"), 1);
        write(source);
        refused(samples, WRITTEN);
    }

    /** Leaves all as it is. */
    private record Nothing() implements ValueTransform {
        @Override
        public Worker worker() {
            return value -> null;
        }

        @Override
        public String phase() {
            return "reworking";
        }

        @Override
        public String settings() {
            return "";
        }
    }

    @Test
    void reworked() throws IOException {
        Samples samples = TransformedSamples.of(
                Container.openToCopy(source),
                new Nothing(),
                folder.resolve("spool"),
                BadFilePolicy.refused(),
                new Progress());
        write(source);
        refused(samples, WRITTEN);
    }

    @Test
    void compressed() throws IOException {
        Path plain = source;
        source = folder.resolve("source.plain.gz");
        try (var out = new GZIPOutputStream(Files.newOutputStream(source))) {
            Files.copy(plain, out);
        }
        Samples samples = Sources.open(request(source));
        write(source);
        refused(samples, WRITTEN);
    }

    /** What was filled before a kill is of another version than the rest would be. */
    @Test
    void betweenTwoTries() throws IOException {
        try (Samples samples = Container.openToCopy(source)) {
            write(source);
            assertThatThrownBy(() -> pack(samples, false)).hasMessageContaining("changed while it was being packed");
        }
        Files.setLastModifiedTime(source, FileTime.fromMillis(1));
        try (Samples samples = Container.openToCopy(source)) {
            pack(samples, true);
            try (Container packed = Container.open(folder.resolve("out.stk"))) {
                Same.assertSame(packed, samples);
            }
        }
    }

    @Test
    void whileItIsIndexed() throws IOException {
        for (boolean checksums : new boolean[] {false, true}) {
            try (MappedFile file = MappedFile.open(source)) {
                ContainerIdentity identity = ContainerIdentity.of(source);
                write(source);
                assertThatThrownBy(() -> Sidecar.derive(new PlainFormat(), file, identity, checksums))
                        .isExactlyInstanceOf(StokerException.class)
                        .hasMessageStartingWith("[" + source + "] changed while it was being indexed: " + WRITTEN);
            }
            try (Stream<Path> left = Files.list(folder)) {
                assertThat(left).containsExactly(source);
            }
        }
    }
}
