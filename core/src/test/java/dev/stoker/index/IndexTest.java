package dev.stoker.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.block.BlockCache;
import dev.stoker.block.BlockReader;
import dev.stoker.block.CodecPipeline;
import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import dev.stoker.sample.TextList;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an Index gives back of what was put into it. */
class IndexTest {
    private final MemorySegment container = Indexed.container();

    @TempDir
    private Path folder;

    private Path path = Path.of("");
    private Index index = memory();

    private static Index memory() {
        try (IndexBuilder builder = Indexed.builder()) {
            return builder.toMemory("memory", "plain", Indexed.container(), Indexed.identity());
        }
    }

    @BeforeEach
    void open() {
        path = Indexed.write(folder.resolve("x.stkx"));
        index = Index.open(path);
    }

    @AfterEach
    void close() {
        index.close();
    }

    private byte[] value(int field, int sample) {
        return bytes(index.column(field, container).slice(sample));
    }

    private static byte[] bytes(MemorySegment value) {
        return value.toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void whatTheSamplesAreComesBack() {
        assertThat(index.schema()).isEqualTo(Indexed.SCHEMA);
        assertThat(index.splits()).containsExactly(new Split("train", 0, 2), new Split("test", 2, 1));
        assertThat(index.samples()).isEqualTo(Indexed.SAMPLES);
        assertThat(index.format()).isEqualTo("plain");
        assertThat(index.identity()).isEqualTo(Indexed.identity());
        assertThat(index.isContainer()).isFalse();
        assertThat(index.isPacked()).isTrue();
        assertThat(index.hasChecksums()).isTrue();
        assertThat(index.hasBlocks()).isTrue();
        assertThat(index.path()).isEqualTo(path);
        assertThat(index.placement(Indexed.KEY)).isEqualTo(Placement.indexed(false));
        assertThat(index.placement(Indexed.POINT).base()).isEqualTo(16);
        index.verify();
    }

    @Test
    void everyValueComesBackFromItsPlace() {
        for (int i = 0; i < Indexed.SAMPLES; i++) {
            assertThat(new String(value(Indexed.KEY, i), StandardCharsets.UTF_8))
                    .isEqualTo(Indexed.key(i));
            assertThat(index.column(Indexed.LABEL, container).slice(i).get(LittleEndian.U64, 0))
                    .isEqualTo(Indexed.label(i));
            assertThat(TextList.decode(index.column(Indexed.TAGS, container).slice(i)))
                    .isEqualTo(Indexed.tags(i));
            assertThat(value(Indexed.DATA, i)).isEqualTo(Indexed.data(i));
            assertThat(value(Indexed.POINT, i)).isEqualTo(Indexed.point(i));
            assertThat(value(Indexed.MASK, i)).isEqualTo(Indexed.mask(i));
            assertThat(index.column(Indexed.MASK, container).shape(i)).containsExactly(i, 2);
        }
    }

    @Test
    void blocksAreFoundByTheirDecodedBytes() {
        assertThat(index.blocks().pipelines()).containsExactly(CodecPipeline.NONE, CodecPipeline.of("zlib"));
        assertThat(index.blocks().files()).isEmpty();
        var files = new BlockReader.Files() {
            @Override
            public MemorySegment bytes(int file) {
                return container;
            }

            @Override
            public String name(int file) {
                return "container";
            }
        };
        Column raw = index.column(Indexed.RAW, container);
        Column pixels = index.column(Indexed.PIXEL, container);
        try (var reader = new BlockReader(index.blocks(), index.bytes(), files, new BlockCache(1 << 20))) {
            for (int i = 0; i < Indexed.SAMPLES; i++) {
                assertThat(bytes(reader.read(raw.offset(i), raw.length(i)))).isEqualTo(Indexed.raw(i));
                assertThat(reader.read(pixels.offset(i), pixels.length(i)).get(LittleEndian.U32, 0))
                        .isEqualTo(1000 + i);
            }
        }
    }

    @Test
    void checksumsAreThoseOfTheValues() {
        Column data = index.column(Indexed.DATA, container);
        Column raw = index.column(Indexed.RAW, container);
        for (int i = 0; i < Indexed.SAMPLES; i++) {
            assertThat(data.checksum(i)).isEqualTo(Checksum.of(MemorySegment.ofArray(Indexed.data(i))));
            assertThat(raw.checksum(i)).isEqualTo(Checksum.of(MemorySegment.ofArray(Indexed.raw(i))));
        }
        assertThat(index.column(Indexed.KEY, container).hasChecksums()).isFalse();
    }

    @Test
    void withoutTheContainerNoValueHasAChecksum() {
        try (IndexBuilder builder = Indexed.builder()) {
            Index derived = builder.toMemory("derived", "plain", null, ContainerIdentity.NONE);
            assertThat(derived.hasChecksums()).isFalse();
            assertThat(derived.isPacked()).isFalse();
            assertThat(derived.path()).isNull();
            assertThat(derived.identity()).isEqualTo(ContainerIdentity.NONE);
            assertThat(derived.hasSameBlocks(index)).isTrue();
            derived.verify();
        }
    }

    @Test
    void theSameSamplesMakeTheSameBytes() throws IOException {
        assertThat(Files.readAllBytes(path)).isEqualTo(bytes(packedInMemory().bytes()));
    }

    private static Index packedInMemory() {
        try (IndexBuilder builder = Indexed.builder()) {
            builder.packed();
            return builder.toMemory("memory", "plain", Indexed.container(), Indexed.identity());
        }
    }

    @Test
    void samplesInFilesOfTheirOwnHaveLengthsButNoEnd() {
        var schema = new Schema(
                List.of(new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes())));
        try (var builder = new IndexBuilder(schema, List.of(Placement.indexed(false), Placement.tree()))) {
            builder.value(0, MemorySegment.ofArray("a.jpg".getBytes(StandardCharsets.UTF_8)));
            builder.stored(1, 0, 1L << 40);
            Path tree = folder.resolve("tree.stkx");
            assertThat(builder.toFile(tree, false, "folder", null, ContainerIdentity.NONE, null))
                    .isTrue();
            try (Index opened = Index.open(tree)) {
                assertThat(opened.placement(1).place()).isEqualTo(Placement.Place.TREE);
                assertThat(opened.column(1, MemorySegment.NULL).length(0)).isEqualTo(1L << 40);
            }
        }
    }

    @Test
    void noSamplesAreAnIndexToo() {
        try (var builder = new IndexBuilder(
                new Schema(List.of(new Field(Field.KEY, new FieldType.Text()))), List.of(Placement.indexed(false)))) {
            Path empty = folder.resolve("empty.stkx");
            builder.toFile(empty, false, "plain", container, ContainerIdentity.NONE, null);
            try (Index opened = Index.open(empty)) {
                assertThat(opened.samples()).isZero();
                assertThat(opened.splits()).isEmpty();
                assertThat(opened.damages()).isEmpty();
            }
        }
    }
}
