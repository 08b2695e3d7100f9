package dev.stoker.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
    private static JsonReader reader(String text) {
        return reader(text.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonReader reader(byte[] bytes) {
        return new JsonReader(new ByteArrayInputStream(bytes), "f.json");
    }

    private static void skipAll(JsonReader reader) {
        reader.skip();
        reader.end();
    }

    @Test
    void pullsAManifest() {
        var reader = reader(
                "{\"train/a.JPEG\": 7, \"tr\\u00e4in/\\ud83d\\ude00.JPEG\": -12,\n" + " \"x\": [1.5, true, null, {}]}");
        reader.beginObject();
        assertThat(reader.hasNext()).isTrue();
        assertThat(reader.name()).isEqualTo("train/a.JPEG");
        assertThat(reader.numberAsLong()).isEqualTo(7);
        assertThat(reader.name()).isEqualTo("träin/😀.JPEG");
        assertThat(reader.numberAsInt()).isEqualTo(-12);
        assertThat(reader.name()).isEqualTo("x");
        reader.beginArray();
        assertThat(reader.numberAsDouble()).isEqualTo(1.5);
        assertThat(reader.bool()).isTrue();
        assertThat(reader.peek()).isEqualTo(JsonReader.Token.NULL);
        reader.nullValue();
        reader.skip();
        assertThat(reader.hasNext()).isFalse();
        assertThat(reader.hasNext()).isFalse();
        reader.endArray();
        reader.endObject();
        reader.end();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{}",
                " [ ] ",
                "{ \"a\" : [ ] }",
                "[[]   ]",
                "[null, 1, \"1\", {}]",
                "true",
                "false",
                "null",
                "-0",
                "0",
                "-1",
                "123456789012345678901234567890",
                "1E22",
                "1e-2",
                "1E+2",
                "123.456e78",
                "-0.0",
                "0e1",
                "0e+1",
                "\"\"",
                "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
                "\"\\u0000\"",
                "\"\\uD834\\udd1e\"",
                "\"\\uFFFF\"",
                "\"\u2028\"",
                "\"\u007f\"",
                "\"\uD83D\uDE00\"",
                "\t[1\r\n,\n2]\n",
                "{\"\":0}",
                "{\"a\":{\"a\":{}}}",
                "[1\n]",
                "\"\\\\u12\"",
                "1e-400",
                "[1,2,3,4]",
                "\uFEFF{}",
                "{\"a\":1,\"a\":2}",
            })
    void acceptsValid(String text) {
        skipAll(reader(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[1 true]",
                "[1,]",
                "[,1]",
                "[1,,2]",
                "[\"\",]",
                "[",
                "[1",
                "[1,",
                "]",
                "[]]",
                "[1}",
                "{]",
                "[a",
                "[,]",
                "{,}",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{\"a\" 1}",
                "{\"a\":1 \"b\":2}",
                "{a:1}",
                "{'a':1}",
                "{1:1}",
                "{\"a\"::1}",
                "{\"a\":1,,\"b\":2}",
                "{\"a\":1}}",
                "{\"a\":1}#",
                "{\"a\":\"b\"}/**/",
                "{",
                "{\"a",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":1,",
                "[1]x",
                "[][]",
                "1 2",
                "\"a\" \"b\"",
                "tru",
                "nul",
                "fals",
                "TRUE",
                "True",
                "None",
                "nullx",
                "truefalse",
                "NaN",
                "Infinity",
                "-Infinity",
                "-",
                "+1",
                "01",
                "-01",
                "00",
                "1.",
                ".1",
                "-.1",
                "1.e1",
                "1e",
                "1e+",
                "1E-",
                "1ee2",
                "1.2.3",
                "0x1F",
                "1_000",
                "1a",
                "--1",
                "-a",
                "1-",
                "1+2",
                "0.1.2",
                "2.e3",
                "9.e+",
                "-1.0.",
                "1e1.5",
                "\u0661",
                "\uFF11",
                "1e400",
                "-1e999",
                "\"",
                "\"a",
                "\"\\",
                "\"\\\"",
                "\"\\a\"",
                "\"\\x41\"",
                "\"\\u\"",
                "\"\\u12\"",
                "\"\\u123\"",
                "\"\\u12G4\"",
                "\"\\U0041\"",
                "\"\\uD800\"",
                "\"\\uDC00\"",
                "\"\\uD800a\"",
                "\"\\uD800\\n\"",
                "\"\\uD800\\u0041\"",
                "\"\\uD800\\uD800\"",
                "\"\\uDC00\\uD800\"",
                "\"\\uD8",
                "\"\\uD800\\",
                "\"\\uD800\\u",
                "\"\n\"",
                "\"\t\"",
                "\"\u0000\"",
                "\"\u001f\"",
                "'a'",
                "\"a\"b",
                "\u00a0[]",
                "\u000c[]",
                "\u000b1",
                "[]\u0000",
                "\uFEFF",
                "\uFEFF\uFEFF1",
                "[1]\uFEFF",
                "//\n1",
                "/**/1",
                "[1]//",
                "*",
                "\\",
                "\\u0031",
                "<a>",
                "{\"a\":1]",
                "[\"a\":1]",
                "{[1]}",
                "{null:1}",
                "{\"a\":1:2}",
                "\"\\\u0000\"",
                "\"\\😀\"",
                "[\u2060]",
                "(1)",
                "[1;2]",
                "{\"a\"=1}",
                "\u0000",
            })
    void refusesInvalid(String text) {
        assertThatThrownBy(() -> skipAll(reader(text)))
                .isExactlyInstanceOf(StokerException.class)
                .hasMessageMatching("(?s)\\[f\\.json] line \\d+, column \\d+: expected .+ but found .+");
        assertThatThrownBy(() -> Json.parse(text, "f.json")).isExactlyInstanceOf(StokerException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "22FF22",
                "22C022",
                "22C08022",
                "22C1BF22",
                "22E0808022",
                "22E09F8022",
                "22EDA08022",
                "22EDBFBF22",
                "22F080808022",
                "22F08F808022",
                "22F490808022",
                "22F580808022",
                "22F88880808022",
                "228022",
                "22E282",
                "22E28222",
                "22E22822",
                "22F09F9822",
                "22C3",
                "FFFE5B005D00",
                "005B005D",
                "EFBB5B5D",
                "E9",
                "5BFF5D",
            })
    void refusesInvalidUtf8(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        assertThatThrownBy(() -> skipAll(reader(bytes))).isExactlyInstanceOf(StokerException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[1,]|line 1, column 4: expected a value but found ']'",
                "{\"a\" 1}|line 1, column 6: expected ':' after the name but found '1'",
                "{\"a\":1 \"b\"}|line 1, column 8: expected ',' or '}' but found '\"'",
                "[1 2]|line 1, column 4: expected ',' or ']' but found '2'",
                "[007]|line 1, column 2: expected a number but found '007'",
                "[nul]|line 1, column 2: expected null but found 'nul'",
                "\"abc|line 1, column 5: expected '\"' at the end of the string but found the end of the input",
                "\"\\q\"|line 1, column 3: expected one of \"\\/bfnrtu after '\\' but found 'q'",
                "{} x|line 1, column 4: expected the end of the input but found 'x'",
                "[1e999]|line 1, column 2: expected a number within the range of a double but found '1e999'",
            })
    void errorsSayWhereAndWhat(String text, String sentence) {
        assertThatThrownBy(() -> skipAll(reader(text))).hasMessage("[f.json] " + sentence);
    }

    @Test
    void errorsCountLines() {
        assertThatThrownBy(() -> skipAll(reader("{\n  \"a\": 1,\r\n  \"b\": ?\n}")))
                .hasMessage("[f.json] line 3, column 8: expected a value but found '?'");
        byte[] bad = "[1,\n \"a\u0000\"]".getBytes(StandardCharsets.ISO_8859_1);
        bad[7] = (byte) 0xFF;
        assertThatThrownBy(() -> skipAll(reader(bad)))
                .hasMessage("[f.json] line 2, column 3: expected UTF-8 but found byte 0xFF at byte 2 of this text");
    }

    @Test
    void anotherKindThanAskedForIsAnError() {
        assertThatThrownBy(() -> reader("\"1\"").numberAsLong())
                .hasMessage("[f.json] line 1, column 1: expected a number but found a string");
        assertThatThrownBy(() -> reader("[]").beginObject())
                .hasMessageEndingWith("expected an object but found an array");
        assertThatThrownBy(() -> reader("1.0").numberAsLong())
                .hasMessageEndingWith("expected an integer of 64 bits but found '1.0'");
        assertThatThrownBy(() -> reader("2147483648").numberAsInt())
                .hasMessageEndingWith("expected an integer of 32 bits but found 2147483648");
        assertThatThrownBy(() -> reader("9223372036854775808").numberAsLong()).isInstanceOf(StokerException.class);
        assertThatThrownBy(() -> reader("").string())
                .hasMessageEndingWith("expected a string but found the end of the input");
        var reader = reader("{\"a\":1}");
        reader.beginObject();
        assertThatThrownBy(reader::skip).hasMessageEndingWith("expected a value but found a name");
    }

    @Test
    void numbersKeepEveryDigit() {
        assertThat(reader("9223372036854775807").numberAsLong()).isEqualTo(Long.MAX_VALUE);
        assertThat(reader("-9223372036854775808").numberAsLong()).isEqualTo(Long.MIN_VALUE);
        assertThat(reader("-9223372036854775808").number()).isEqualTo(Long.MIN_VALUE);
        assertThat(reader("9223372036854775808").number()).isEqualTo(new BigInteger("9223372036854775808"));
        assertThat(reader("1.0").number()).isEqualTo(1.0);
        assertThat(reader("12").number()).isEqualTo(12L);
        assertThat(reader("12").numberAsDouble()).isEqualTo(12.0);
    }

    @Test
    void readsJsonLines() {
        var reader = reader("{\"a\": 1}\n\n[\n2]\r\n3\n");
        var values = new ArrayList<Object>();
        while (reader.hasNext()) {
            values.add(Json.readValue(reader));
        }
        reader.end();
        assertThat(values).hasToString("[{a=1}, [2], 3]");
        var sameLine = reader("{} {}");
        sameLine.skip();
        assertThatThrownBy(sameLine::hasNext)
                .hasMessage("[f.json] line 1, column 4: expected a new line before the next value but found '{'");
    }

    @Test
    void depthIsLimited() {
        skipAll(reader("[".repeat(64) + "]".repeat(64)));
        assertThatThrownBy(() -> skipAll(reader("[".repeat(65) + "]".repeat(65))))
                .hasMessageEndingWith("column 65: expected at most 64 levels of objects and arrays but found one more");
        assertThatThrownBy(() -> skipAll(reader("{\"a\":".repeat(1_000_000)))).isInstanceOf(StokerException.class);
    }

    @Test
    void lengthsAreLimited() {
        byte[] bytes = ("\"" + "a".repeat(1000) + "\"").getBytes(StandardCharsets.UTF_8);
        assertThat(new JsonReader(new ByteArrayInputStream(bytes), "f.json", 1000).string())
                .hasSize(1000);
        assertThatThrownBy(() -> new JsonReader(new ByteArrayInputStream(bytes), "f.json", 999).string())
                .hasMessage("[f.json] line 1, column 2: expected at most 999 bytes of text but found more");
        assertThatThrownBy(() -> new JsonReader(endless('a'), "f.json", 1 << 20).string())
                .isInstanceOf(StokerException.class);
        assertThat(reader("1".repeat(1000)).number()).isEqualTo(new BigInteger("1".repeat(1000)));
        assertThatThrownBy(() -> reader("1".repeat(1001)).number()).isInstanceOf(StokerException.class);
    }

    /** An opening quote, then one byte for ever. */
    @SuppressWarnings("InputStreamSlowMultibyteRead") // speed does not matter here
    private static InputStream endless(char c) {
        return new InputStream() {
            private boolean begun;

            @Override
            public int read() {
                int next = begun ? c : '"';
                begun = true;
                return next;
            }
        };
    }

    @Test
    void escapesMayCrossTheBuffer() {
        String escapes = "\\u20ac\\ud83d\\ude00\\n€😀\\u00e4";
        String plain = "€😀\n€😀ä";
        for (int before = (1 << 16) - 60; before < (1 << 16) + 5; before++) {
            String padding = "x".repeat(before);
            assertThat(reader("\"" + padding + escapes + "\"").string()).isEqualTo(padding + plain);
            assertThat(reader(" ".repeat(before) + "\"" + escapes + "\"").string())
                    .isEqualTo(plain);
        }
        // Escapes first, so that the token lags behind while the buffer is moved and grows.
        String many = escapes.repeat(20_000);
        assertThat(reader("\"" + many + "\"").string()).isEqualTo(plain.repeat(20_000));
    }

    @Test
    void placesSurviveTheBuffer() {
        String text = "[\n" + "1,\n".repeat(100_000) + "   \"" + "\\n".repeat(50_000) + "\", ?]";
        assertThatThrownBy(() -> skipAll(reader(text)))
                .hasMessage("[f.json] line 100002, column " + (4 + 100_000 + 4) + ": expected a value but found '?'");
    }

    @Test
    @SuppressWarnings("InputStreamSlowMultibyteRead") // speed does not matter here
    void aFailingStreamIsNamed() {
        var failing = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("disk on fire");
            }
        };
        assertThatThrownBy(() -> new JsonReader(failing, "f.json").peek())
                .isExactlyInstanceOf(StokerException.class)
                .hasMessage("[f.json] line 1, column 1: cannot read: java.io.IOException: disk on fire")
                .hasCauseInstanceOf(IOException.class);
    }
}
