package dev.stoker.fuzz;

import dev.stoker.block.CodecPipeline;
import dev.stoker.io.MappedFile;
import dev.stoker.json.Json;
import dev.stoker.order.PositionFile;
import dev.stoker.os.FileErrors;
import dev.stoker.sample.DType;
import dev.stoker.sample.Npy;
import dev.stoker.state.StateFile;
import dev.stoker.state.Tensor;
import dev.stoker.text.DelimitedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/** Small parsers of texts and headers. */
final class TextTargets {
    private static final String FILE = Target.FILE;
    private static final String POSITION =
            "{\"format\":\"stoker position 1\",\"dataset\":\"d\",\"order\":\"shuffled\",\"size\":100,\"seed\":7,\"epoch\":2,"
                    + "\"cursor\":40,\"beyond\":[[44,1,4,3],[60,2,2,1]]}";

    /** A frame of LZ4 with linked blocks that makes {@value #LINKED_BYTES} bytes, written by the library lz4. */
    private static final String LINKED =
            "04224d186040821a000000df73746f6b6572206665656473200d005580747261696e696e6700000000";

    private static final int LINKED_BYTES = 125;

    private TextTargets() {}

    private interface Reader {
        void read(byte[] input);
    }

    private record Simple(String name, Reader reader, List<byte[]> made, List<String> words) implements Target {
        @Override
        public void read(byte[] input) {
            reader.read(input);
        }

        @Override
        public long mostAllocated() {
            // A position may have as many ranges as it says, up to a number that takes 400 MB.
            return name.equals("position") ? 1 << 30 : Target.super.mostAllocated();
        }
    }

    private static List<byte[]> texts(String... seeds) {
        return Arrays.stream(seeds)
                .map(seed -> seed.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    static List<Target> all() {
        var memory = new Memory();
        return List.of(
                new Simple(
                        "json",
                        TextTargets::json,
                        texts(
                                "{\"a\": [1, -2.5e3, true, null], \"ä\": {\"\\u0416\\n\": \"x\\ud83d\\ude82\"}}",
                                "[[[[[]]]], {}, \"\", 9223372036854775807, 1.0E-400]"),
                        Words.JSON),
                new Simple(
                        "table",
                        TextTargets::table,
                        texts(
                                "\uFEFFa,b,ä\r\n1,\"x,\n\"\"y\"\"\",€\r\n,,\n\"\",\"😀\",z\n",
                                "a\tb\n1\t2\n",
                                "a|b\n1|2\n"),
                        List.of(",", "\"", "\"\"", "\r\n", "\n", "\r", "\t", "|", "\uFEFF")),
                new Simple(
                        "npy-header",
                        input -> Npy.parse(input, FILE),
                        List.of(Npy.header(DType.FLOAT32, 4, 3), Npy.header(DType.UINT8)),
                        Words.NPY),
                new Simple(
                        "lz4-frame",
                        TextTargets::lz4Frame,
                        List.of(HexFormat.of().parseHex(LINKED)),
                        List.of()),
                new Simple("safetensors", input -> state(memory.file("safetensors", input)), List.of(), Words.STATE),
                new Simple(
                        "position",
                        input -> PositionFile.of(Json.parse(input, FILE), FILE),
                        texts(POSITION),
                        Words.JSON));
    }

    private static void json(byte[] input) {
        Object value = Json.parse(input, FILE);
        Use.require(Objects.equals(Json.parse(Json.write(value), FILE), value), "read as something else");
    }

    private static void table(byte[] input) {
        String kinds = ",\t|";
        char delimiter = kinds.charAt(input.length % kinds.length());
        var in = new ByteArrayInputStream(input);
        var reader = switch (delimiter) {
            case ',' -> DelimitedReader.csv(in, FILE);
            case '\t' -> DelimitedReader.tsv(in, FILE);
            default -> DelimitedReader.piped(in, FILE);
        };
        while (reader.next()) {
            Use.require(reader.row().size() == reader.header().size(), "a row that is no row");
        }
    }

    private static void lz4Frame(byte[] input) {
        try {
            CodecPipeline.of("lz4-frame").decode(MemorySegment.ofArray(input), LINKED_BYTES);
        } catch (IOException e) {
            throw FileErrors.cannotRead(FILE, e);
        }
    }

    private static void state(MappedFile file) {
        try (StateFile state = StateFile.open(file)) {
            for (Tensor tensor : state.tensors()) {
                Use.require(state.values(tensor.name()).byteSize() == tensor.bytes(), "a tensor of other bytes");
            }
            state.metadata();
        }
    }
}
