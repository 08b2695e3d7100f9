package dev.stoker.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.Scratch;
import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.job.Team;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.listing.ListingContext;
import dev.stoker.listing.SourceFilter;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestSourceTest {
    @TempDir
    private Path folder;

    private Scratch scratch = new Scratch(Path.of("."));

    @BeforeEach
    void begin() {
        scratch = new Scratch(folder);
        for (String name : List.of("a/1.jpg", "a/2.jpg", "b/1.jpg")) {
            scratch.file(name, "bytes of " + name);
        }
    }

    private Container packed(String name, String content) {
        return scratch.pack(scratch.manifest(scratch.beside(name, content)));
    }

    private void refused(String name, String content, String message) {
        Path manifest = scratch.beside(name, content);
        assertThatThrownBy(() -> scratch.manifest(manifest))
                .isExactlyInstanceOf(StokerException.class)
                .hasMessage("[" + manifest + "] " + message);
    }

    @Test
    void anObjectOfPathAndNumberKeepsOrderAndNumbers() {
        try (Container container = packed("m.json", "{\"b/1.jpg\": 7, \"a/2.jpg\": 0}")) {
            assertThat(Scratch.texts(container, "key")).containsExactly("b/1.jpg", "a/2.jpg");
            assertThat(Scratch.data(container)).containsExactly("bytes of b/1.jpg", "bytes of a/2.jpg");
            assertThat(Scratch.longs(container, "label")).containsExactly(7L, 0L);
            assertThat(container.schema().classes()).isEmpty();
        }
    }

    @Test
    void anObjectOfPathAndNameNumbersClassesInSortedOrder() {
        try (Container container =
                packed("m.json", "{\"b/1.jpg\": \"cat\", \"a/2.jpg\": \"ant\", \"a/1.jpg\": null}")) {
            assertThat(Scratch.longs(container, "label")).containsExactly(1L, 0L, -1L);
            assertThat(container.schema().classes()).containsExactly("ant", "cat");
        }
    }

    @Test
    void anObjectOfPathAndListsHasCaptions() {
        try (Container container = packed("m.json", "{\"b/1.jpg\": [\"one\", \"zwei ü\"], \"a/2.jpg\": []}")) {
            assertThat(Scratch.lists(container, "captions")).containsExactly(List.of("one", "zwei ü"), List.of());
        }
    }

    @Test
    void jsonLinesHaveFieldsOfEveryType() {
        String lines = """
                {"file_name": "b/1.jpg", "n": 1, "x": 1, "ok": true, "t": "text", "c": ["p", "q"], "box": [1, 2.5]}
                {"t": "", "file_name": "./a//2.jpg", "n": -9007199254740993, "x": 0.5, "ok": false, "c": "one"}
                """;
        try (Container container = packed("m.jsonl", lines)) {
            assertThat(Scratch.texts(container, "key")).containsExactly("b/1.jpg", "a/2.jpg");
            assertThat(Scratch.longs(container, "n")).containsExactly(1L, -9007199254740993L);
            assertThat(Scratch.doubles(container, "x")).containsExactly(1.0, 0.5);
            assertThat(Scratch.type(container, "ok")).isEqualTo("bool");
            assertThat(Scratch.bytes(container, "ok")).containsExactly(new byte[] {1}, new byte[] {0});
            assertThat(Scratch.texts(container, "t")).containsExactly("text", "");
            assertThat(Scratch.lists(container, "c")).containsExactly(List.of("p", "q"), List.of("one"));
            assertThat(Scratch.texts(container, "box")).containsExactly("[1,2.5]", "");
        }
    }

    @Test
    void flickr30kBecomesOneSamplePerPictureWithItsCaptions() {
        String table = """
                image_name| comment_number| comment
                a/1.jpg| 0| Two young guys , one in a " Hot dog " shirt .
                a/1.jpg| 1| " Quoted "
                b/1.jpg| 0| A child
                a/1.jpg| 2| Two , men
                """;
        try (Container container = packed("results.csv", table)) {
            assertThat(Scratch.texts(container, "key")).containsExactly("a/1.jpg", "b/1.jpg");
            assertThat(Scratch.lists(container, "comment"))
                    .containsExactly(
                            List.of("Two young guys , one in a \" Hot dog \" shirt .", "\" Quoted \"", "Two , men"),
                            List.of("A child"));
            assertThat(Scratch.type(container, "comment_number")).isEqualTo("int64[*]");
            assertThat(container.shape(0, container.schema().place("comment_number")))
                    .containsExactly(3);
            assertThat(Scratch.bytes(container, "comment_number")).containsExactly(numbers(0, 1, 2), numbers(0));
        }
    }

    private static byte[] numbers(long... numbers) {
        var bytes = ByteBuffer.allocate(8 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
        for (long number : numbers) {
            bytes.putLong(number);
        }
        return bytes.array();
    }

    @Test
    void columnsThatAreTheSameInAllRowsOfAPathStaySingle() {
        try (Container container =
                packed("m.tsv", "path\tlabel\tcaption\na/1.jpg\tx\tone\na/1.jpg\tx\ttwo\nb/1.jpg\ty\tone\n")) {
            assertThat(Scratch.longs(container, "label")).containsExactly(0L, 1L);
            assertThat(Scratch.lists(container, "caption")).containsExactly(List.of("one", "two"), List.of("one"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1;2;int64",
                "1;2.5;float64",
                "1;;refused",
                "1.5;;float64",
                "nan;-inf;float64",
                "007;1;text",
                "99999999999999999999;1;text",
                "9007199254740993;0.5;text",
                "1e999;1;text",
                "True;false;bool",
                "true;1;text",
                "x;;text",
                ";;text",
                "[\"a\"];[];text[]",
                "[\"a\"];b;text",
                "[1];[2];text",
            })
    void theTypeOfAColumnIsThatOfAllItsValues(String one, String two, String type) {
        Path manifest = scratch.beside("m.csv", "path,v\na/1.jpg," + cell(one) + "\na/2.jpg," + cell(two) + "\n");
        if (type.equals("refused")) {
            assertThatThrownBy(() -> scratch.manifest(manifest))
                    .hasMessage("[" + manifest
                            + "] line 3: 'v' is int64 in other rows but has no value here; give it one in every row");
            return;
        }
        try (Samples samples = scratch.manifest(manifest)) {
            assertThat(Scratch.type(samples, "v")).isEqualTo(type);
        }
    }

    private static String cell(String text) {
        return text == null ? "" : "\"" + text.replace("\"", "\"\"") + "\"";
    }

    @Test
    void aLabelMayBeMissing() {
        try (Container container = packed("m.csv", "path,label\na/1.jpg,10\na/2.jpg,\nb/1.jpg,2\n")) {
            assertThat(Scratch.longs(container, "label")).containsExactly(10L, -1L, 2L);
        }
        try (Container container = packed("m.csv", "path,label\na/1.jpg,b\na/2.jpg,\nb/1.jpg,a\n")) {
            assertThat(Scratch.longs(container, "label")).containsExactly(1L, -1L, 0L);
        }
    }

    @Test
    void namesOfAnyKindAreFoundInTheTable() {
        scratch.file("new\nline, comma.jpg", "odd");
        try (Container container = packed("m.csv", "label,path\n1,\"new\nline, comma.jpg\"\n")) {
            assertThat(Scratch.texts(container, "key")).containsExactly("new\nline, comma.jpg");
            assertThat(Scratch.data(container)).containsExactly("odd");
        }
    }

    @Test
    void aFileThatIsNotThereIsNamedWithItsLineOrLeftOut() {
        String lines = """
                {"path": "a/1.jpg", "n": 1}
                {"path": "a/gone.jpg", "n": 2}
                {"path": "b", "n": 3}
                {"path": "b/1.jpg", "n": 4}
                """;
        String gone = scratch.src() + "/a/gone.jpg";
        Path manifest = scratch.beside("m.jsonl", lines);
        assertThatThrownBy(() -> ManifestSource.list(scratch.src(), manifest, 1, BadFilePolicy.refused()))
                .hasMessage("[" + manifest + "] line 2: [" + gone + "] cannot be read: No such file or directory");
        BadFilePolicy bad = BadFilePolicy.skipped();
        try (Container container = scratch.pack(ManifestSource.list(scratch.src(), manifest, 2, bad))) {
            assertThat(Scratch.texts(container, "key")).containsExactly("a/1.jpg", "b/1.jpg");
            assertThat(Scratch.longs(container, "n")).containsExactly(1L, 4L);
        }
        String place = "[" + manifest + "] line ";
        assertThat(bad.list())
                .containsExactly(
                        new BadFilePolicy.BadFile(
                                gone, place + "2: [" + gone + "] cannot be read: No such file or directory"),
                        new BadFilePolicy.BadFile(
                                scratch.src() + "/b",
                                place + "3: [" + scratch.src() + "/b] is not a file but a folder"));
    }

    @Test
    void pathsThatLeaveTheSourceAreRefused() {
        refused(
                "m.csv",
                "path\na/1.jpg\na/../../x\n",
                "line 3: the path 'a/../../x' points outside the source ('..'); paths are relative to the source and stay below it");
        refused(
                "m.json",
                "{\n\"/etc/passwd\": 1}",
                "line 2: the path '/etc/passwd' is absolute; paths are relative to the source and stay below it");
        refused(
                "m.jsonl",
                "{\"path\": \"./\"}",
                "line 1: the path './' names no file; paths are relative to the source and stay below it");
    }

    @Test
    void columnsNamedLikeOurFieldsAreRefused() {
        refused(
                "m.csv",
                "path,data\na/1.jpg,1\n",
                "the column 'data' has the name of a field that every sample has (key is its path, data its bytes);"
                        + " rename the column, for example to my_data");
        refused(
                "m.csv",
                ",path\n0,a/1.jpg\n",
                "a column has no name; name it, or leave it out (pandas: to_csv(…, index=False))");
    }

    @Test
    void whatIsNoManifestIsRefused() {
        refused(
                "m.json",
                "{\"a/1.jpg\": 1,\n \"a/1.jpg\": 2}",
                "line 2, column 3: expected each path once but found" + " 'a/1.jpg' again");
        refused(
                "m.json",
                "{\"a/1.jpg\": {\"x\": 1}}",
                "line 1, column 19: expected a label or a list of captions for 'a/1.jpg' but found an object");
        refused(
                "m.jsonl",
                "{\"label\": 1}",
                "line 1: none of the fields is the path; it should be called one of path, file, filename, file_name,"
                        + " image, img, key");
        refused("m.jsonl", "{\"path\": 1}", "line 1: 'path' should be the path of a file, as text");
        refused(
                "m.csv",
                "path,label\na/1.jpg,1\na/1.jpg,2\n",
                "line 3: the path has the label '2' here but '1' before; a sample has one label, so give a column of"
                        + " several another name");
        refused(
                "m.xml",
                "<m/>",
                "a manifest ends in .json (an object path -> label), .jsonl or .ndjson (an object per line), .csv,"
                        + " .tsv, .psv or .txt (a table); rename it accordingly");
        Path missing = scratch.src().resolve("none.csv");
        assertThatThrownBy(() -> scratch.manifest(missing))
                .hasMessage("[" + missing + "] cannot be read: there is no such file or folder");
    }

    @Test
    void manyRowsInAnyOrderFindTheirSamples() {
        var table = new StringBuilder("path,n\n");
        int files = 3000;
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < files; i++) {
                int file = (i * 7919 + round) % files;
                table.append("f/")
                        .append(file)
                        .append(',')
                        .append(round * 10_000 + file)
                        .append('\n');
            }
        }
        for (int i = 0; i < files; i++) {
            scratch.file("f/" + i, "");
        }
        try (Container container = packed("m.csv", table.toString())) {
            assertThat(container.count()).isEqualTo(files);
            List<String> keys = Scratch.texts(container, "key");
            List<byte[]> found = Scratch.bytes(container, "n");
            for (int i = 0; i < files; i++) {
                long file = i * 7919L % files;
                assertThat(keys.get(i)).isEqualTo("f/" + file);
                assertThat(found.get(i)).isEqualTo(numbers(file, 10_000 + file, 20_000 + file));
            }
        }
    }

    private Samples listed(Path manifest, SourceFilter filter, BadFilePolicy bad) {
        return ManifestSource.list(scratch.src(), manifest, new ListingContext(2, bad, Team.ALONE, null, filter));
    }

    @Test
    void aTableWithoutAHeaderKeepsItsFirstRow() {
        var filter = SourceFilter.usual();
        Path manifest = scratch.beside("m.csv", "a/1.jpg,cat\na/2.jpg,dog\nb/1.jpg,cat\n");
        try (Container container = scratch.pack(listed(manifest, filter, BadFilePolicy.refused()))) {
            assertThat(Scratch.texts(container, "key")).containsExactly("a/1.jpg", "a/2.jpg", "b/1.jpg");
            assertThat(Scratch.longs(container, "label")).containsExactly(0L, 1L, 0L);
            assertThat(container.schema().classes()).containsExactly("cat", "dog");
        }
        assertThat(filter.notes())
                .containsExactly(
                        manifest + " has no header line, since its first row names a file; its columns are taken as"
                                + " path, label");
        try (Container container = packed("three.csv", "7,a/1.jpg,x\n8,a/1.jpg,y\n")) {
            assertThat(container.schema().fields().stream().map(Field::name))
                    .containsExactly("key", "data", "column1", "column3");
        }
    }

    @Test
    void aHeaderOfOtherNamesIsSaid() {
        var filter = SourceFilter.usual();
        Path manifest = scratch.beside("m.csv", "picture,label\na/1.jpg,1\n");
        listed(manifest, filter, BadFilePolicy.refused()).close();
        assertThat(filter.notes())
                .containsExactly(
                        "the first line of " + manifest + " is taken as its header, and its column 'picture' as the"
                                + " path; no field of it is a file");
    }

    @Test
    void semicolonsSeparateFieldsToo() {
        try (Container container = packed("m.csv", "path;label;text\na/1.jpg;3;\"one; two\"\na/2.jpg;4;1,5\n")) {
            assertThat(Scratch.longs(container, "label")).containsExactly(3L, 4L);
            assertThat(Scratch.texts(container, "text")).containsExactly("one; two", "1,5");
        }
    }

    @Test
    void malformedRowsAreLeftOutIfBadFilesAre() {
        String table = "path,label\na/1.jpg,1\na/2.jpg\na/2.jpg,2,3\na/\"2.jpg,2\nb/1.jpg,4\n";
        refused("m.csv", table, "line 3, column 1: expected 2 fields as in the header but found 1 field");
        var bad = BadFilePolicy.skipped();
        Path manifest = scratch.beside("m.csv", table);
        try (Container container = scratch.pack(listed(manifest, SourceFilter.usual(), bad))) {
            assertThat(Scratch.texts(container, "key")).containsExactly("a/1.jpg", "b/1.jpg");
            assertThat(Scratch.longs(container, "label")).containsExactly(1L, 4L);
        }
        assertThat(bad.list().stream().map(BadFilePolicy.BadFile::reason))
                .containsExactly(
                        "line 3, column 1: expected 2 fields as in the header but found 1 field",
                        "line 4, column 1: expected 2 fields as in the header but found more",
                        "line 5, column 3: expected no quote in a field without quotes (quote the field, double the quote)"
                                + " but found '\"'");
    }

    @Test
    void pathsMayBeRelativeToTheParentOrTheManifest() {
        var filter = SourceFilter.usual();
        Path above = scratch.beside("m.json", "{\"src/a/1.jpg\": 1, \"src/b/1.jpg\": 2}");
        try (Container container = scratch.pack(listed(above, filter, BadFilePolicy.refused()))) {
            assertThat(Scratch.texts(container, "key")).containsExactly("a/1.jpg", "b/1.jpg");
        }
        assertThat(filter.notes())
                .containsExactly("paths in " + above
                        + " are relative to the folder above the source: 'src/a/1.jpg' is the" + " sample 'a/1.jpg'");
        Path inside = scratch.file("a/labels.csv", "1.jpg,1\n../b/1.jpg,2\n");
        try (Container container = scratch.pack(listed(inside, SourceFilter.usual(), BadFilePolicy.refused()))) {
            assertThat(Scratch.texts(container, "key")).containsExactly("a/1.jpg", "b/1.jpg");
            assertThat(Scratch.longs(container, "label")).containsExactly(1L, 2L);
        }
        Path beside = scratch.beside("lists/m.jsonl", "{\"path\": \"../src/a/2.jpg\"}");
        try (Container container = scratch.pack(listed(beside, SourceFilter.usual(), BadFilePolicy.refused()))) {
            assertThat(Scratch.texts(container, "key")).containsExactly("a/2.jpg");
        }
    }

    @Test
    void labelsAreAllNamesOrAllNumbers() {
        refused(
                "m.json",
                "{\"a/1.jpg\": \"cat\",\n\"a/2.jpg\": 7}",
                "line 2: labels should be all names or all numbers, but some are names, such as 'cat', and some numbers, such"
                        + " as 7; names are numbered in sorted order, so numeric labels would change");
        refused(
                "m.csv",
                "path,label\na/1.jpg,7\na/2.jpg,cat\n",
                "line 3: labels should be all names or all numbers, but some are names, such as 'cat', and some numbers, such"
                        + " as 7; names are numbered in sorted order, so numeric labels would change");
    }
}
