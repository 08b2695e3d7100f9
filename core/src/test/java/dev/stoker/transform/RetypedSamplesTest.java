package dev.stoker.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.Scratch;
import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.container.Container;
import dev.stoker.listing.FolderSource;
import dev.stoker.sample.Samples;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetypedSamplesTest {
    @TempDir
    private Path folder;

    private Scratch scratch = new Scratch(Path.of("."));

    @BeforeEach
    void begin() {
        scratch = new Scratch(folder);
        scratch.file("1.txt", "one");
    }

    private Samples samples(String value, String type) {
        Path manifest = scratch.beside("m.csv", "path,v\n1.txt," + value + "\n");
        return RetypedSamples.of(scratch.manifest(manifest), Map.of("v", type), 2);
    }

    private void refused(Map<String, String> types, String message) {
        Path manifest = scratch.beside("m.csv", "path,v\n1.txt,5\n");
        assertThatThrownBy(() -> RetypedSamples.of(scratch.manifest(manifest), types, 2))
                .isExactlyInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({
        "255, uint8, FF",
        "-128, int8, 80",
        "65535, uint16, FFFF",
        "-2, int32, FEFFFFFF",
        "4294967295, uint32, FFFFFFFF",
        "9223372036854775807, uint64, FFFFFFFFFFFFFF7F",
        "1, bool, 01",
        "2.0, int16, 0200",
        "18446744073709549568.0, uint64, 00F8FFFFFFFFFFFF",
        "true, int8, 01",
        "16777216, float32, 0000804B",
        "2048, float16, 0068",
        "0.1, float32, CDCCCC3D",
        "nan, float32, 0000C07F",
        "inf, float16, 007C",
        "5, int64, 0500000000000000",
    })
    void aNumberBecomesAnother(String value, String type, String expected) {
        try (Container container = scratch.pack(samples(value, type))) {
            assertThat(Scratch.type(container, "v")).isEqualTo(type);
            assertThat(Scratch.bytes(container, "v").getFirst()).asHexString().isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "256, uint8, 0 to 255",
        "-1, uint16, 0 to 65535",
        "-129, int8, -128 to 127",
        "2147483648, int32, -2147483648 to 2147483647",
        "-1, uint64, 0 to 18446744073709551615",
        "2, bool, 0 to 1",
        "0.5, int64, -9223372036854775808 to 9223372036854775807",
        "9.223372036854775808E18, int64, -9223372036854775808 to 9223372036854775807",
        "16777217, float32, integers exactly up to 16777216",
        "2049, float16, integers exactly up to 2048",
    })
    void aNumberThatDoesNotFitIsNamed(String value, String type, String range) {
        String shown = value.contains("E") ? "9.223372036854776E18" : value;
        assertThatThrownBy(() -> samples(value, type))
                .isExactlyInstanceOf(StokerException.class)
                .hasMessage("[1.txt] v is " + shown + ", which " + type + " cannot hold (" + range
                        + "); choose another type");
    }

    @Test
    void unknownFieldsAndTypesListWhatIsValid() {
        refused(Map.of("lable", "int8"), "no field 'lable'; the fields are key, data, v");
        refused(
                Map.of("v", "int7"),
                "unknown number type 'int7'; valid are int8, int16, int32, int64, uint8, uint16, uint32, uint64,"
                        + " float16, float32, float64, bool; did you mean 'int8'?");
        refused(
                Map.of("data", "int8"),
                "field 'data' is bytes and cannot become int8; a number can become another number, and bytes can become"
                        + " text");
    }

    @Test
    void bytesBecomeText() {
        scratch.file("2.txt", "zwei ü 😀");
        Samples samples = RetypedSamples.of(FolderSource.list(scratch.src(), true, 1), Map.of("data", "text"), 1);
        try (Container container = scratch.pack(samples)) {
            assertThat(Scratch.type(container, "data")).isEqualTo("text");
            assertThat(Scratch.data(container)).containsExactly("one", "zwei ü 😀");
        }
    }

    @Test
    void bytesThatAreNoTextAreNamed() {
        scratch.file("2.txt", new byte[] {'a', 'b', (byte) 0xff});
        Samples samples = RetypedSamples.of(FolderSource.list(scratch.src(), true, 1), Map.of("data", "text"), 1);
        assertThatThrownBy(() -> scratch.pack(samples))
                .hasMessage(
                        "[2.txt] data should be UTF-8 text but is not at byte 2; leave it bytes, or convert the file");
    }

    /** A text is valid or not, wherever it is cut into the pieces in which it is read. */
    @Test
    void piecesAreJudgedLikeTheWhole() {
        byte[] text = "aü€😀b".getBytes(StandardCharsets.UTF_8);
        scratch.file("1.txt", text);
        byte[] cut = {'a', (byte) 0xe2, (byte) 0x82, 'b', 'c', 'd', 'e'};
        scratch.file("2.txt", cut);
        byte[] rest = {'a', (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 'b', 'c'};
        scratch.file("3.txt", rest);
        try (Samples samples =
                RetypedSamples.of(FolderSource.list(scratch.src(), true, 1), Map.of("data", "text"), 1)) {
            for (int at = 0; at <= text.length; at++) {
                for (int end = at; end <= text.length; end++) {
                    read(samples, 0, at, end);
                }
            }
            for (int at = 1; at < cut.length; at++) {
                int piece = at;
                assertThatThrownBy(() -> readBoth(samples, 1, piece)).hasMessageContaining("[2.txt]");
                assertThatThrownBy(() -> readBoth(samples, 2, piece)).hasMessageContaining("[3.txt]");
            }
        }
    }

    private static void readBoth(Samples samples, long sample, int cut) {
        read(samples, sample, 0, cut);
        read(samples, sample, cut, (int) samples.length(sample, 1));
    }

    private static void read(Samples samples, long sample, int from, int end) {
        try (var arena = Arena.ofConfined()) {
            MemorySegment piece = arena.allocate(end - from);
            samples.read(sample, 1, from, piece);
        }
    }
}
