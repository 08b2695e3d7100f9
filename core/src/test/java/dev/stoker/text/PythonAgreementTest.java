package dev.stoker.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.StokerException;
import dev.stoker.TestSeed;
import dev.stoker.json.Json;
import dev.stoker.json.JsonReader;
import dev.stoker.json.RandomJson;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Python's json and csv modules, made strict, accept what we accept, with the same result, and refuse the rest. */
class PythonAgreementTest {
    private static final String JSON_SCRIPT = """
            import json, sys
            def pairs(p):
                d = dict(p)
                if len(d) != len(p): raise ValueError('name twice')
                return d
            def number(s):
                x = float(s)
                if x in (float('inf'), float('-inf')): raise ValueError('too large')
                return x
            def refuse(s): raise ValueError(s)
            for line in open(sys.argv[1]):
                try:
                    text = bytes.fromhex(line).decode('utf-8')
                    value = json.loads(text, object_pairs_hook=pairs, parse_float=number, parse_constant=refuse)
                    out = json.dumps(value, ensure_ascii=False)
                    out.encode('utf-8')
                    print(json.dumps(['ok', value]))
                except ValueError as e:
                    print('["refused"]')
            """;

    private static final String CSV_SCRIPT = """
            import csv, io, json, sys
            for line in open(sys.argv[1]):
                text = bytes.fromhex(line).decode('utf-8')
                print(json.dumps([row or [''] for row in csv.reader(io.StringIO(text, newline=''), strict=True)]))
            """;

    @TempDir
    private Path folder;

    @BeforeAll
    static void needsPython() throws InterruptedException {
        boolean there;
        try {
            there = new ProcessBuilder("python3", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            there = false;
        }
        assumeTrue(there, "python3 is not there to compare with");
    }

    @Test
    void json() throws Exception {
        RandomGenerator random = TestSeed.random("PythonAgreementTest.json");
        byte[] likely = "{}[],:\"\\/u0dD8 \n-+.eE1".getBytes(StandardCharsets.UTF_8);
        var inputs = new ArrayList<byte[]>();
        while (inputs.size() < 20_000) {
            Object value = RandomJson.value(random, 3);
            String text = random.nextBoolean() ? Json.write(value) : Json.writePretty(value);
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            for (int k = random.nextInt(3); k > 0; k--) {
                bytes[random.nextInt(bytes.length)] = likely[random.nextInt(likely.length)];
            }
            inputs.add(bytes);
        }
        List<Object> answers = answers(JSON_SCRIPT, inputs);
        int refused = 0;
        for (int i = 0; i < inputs.size(); i++) {
            List<Object> ours;
            try {
                ours = new ArrayList<>(List.of("ok"));
                ours.add(Json.parse(inputs.get(i), "ours"));
            } catch (StokerException e) {
                ours = List.of("refused");
                refused++;
            }
            assertThat(ours)
                    .as(new String(inputs.get(i), StandardCharsets.UTF_8))
                    .isEqualTo(answers.get(i));
        }
        assertThat(refused).isBetween(1000, 19_000);
    }

    @Test
    void csv() throws Exception {
        RandomGenerator random = TestSeed.random("PythonAgreementTest.csv");
        var inputs = new ArrayList<byte[]>();
        for (int i = 0; i < 5_000; i++) {
            inputs.add(table(random).getBytes(StandardCharsets.UTF_8));
        }
        List<Object> answers = answers(CSV_SCRIPT, inputs);
        for (int i = 0; i < inputs.size(); i++) {
            var rows = new ArrayList<List<String>>();
            var reader = DelimitedReader.csv(new ByteArrayInputStream(inputs.get(i)), "ours");
            rows.add(reader.header());
            while (reader.next()) {
                rows.add(List.copyOf(reader.row()));
            }
            assertThat(rows)
                    .as(new String(inputs.get(i), StandardCharsets.UTF_8))
                    .isEqualTo(answers.get(i));
        }
    }

    private static String table(RandomGenerator random) {
        int columns = 1 + random.nextInt(4);
        String lineEnd = random.nextBoolean() ? "\n" : "\r\n";
        var table = new StringBuilder();
        for (int c = 0; c < columns; c++) {
            table.append(c > 0 ? "," : "").append("column").append(c);
        }
        for (int r = random.nextInt(5); r > 0; r--) {
            table.append(lineEnd);
            for (int c = 0; c < columns; c++) {
                table.append(c > 0 ? "," : "").append(field(random));
            }
        }
        return table.append(lineEnd).toString();
    }

    private static String field(RandomGenerator random) {
        String text = RandomJson.text(random) + (random.nextInt(4) == 0 ? ",\"\r\n\"" : "");
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
        return plain && random.nextBoolean() ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    /** Gives the script a file with one input per line, in hexadecimal, and reads one line of JSON for each. */
    private List<Object> answers(String script, List<byte[]> inputs) throws Exception {
        Path file = folder.resolve("inputs");
        Path output = folder.resolve("answers");
        Files.write(file, inputs.stream().map(HexFormat.of()::formatHex).toList());
        Process python = new ProcessBuilder("python3", "-c", script, file.toString())
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(python.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(python.exitValue()).isZero();
        var answers = new ArrayList<Object>();
        try (var reader = new JsonReader(Files.newInputStream(output), "answers")) {
            while (reader.hasNext()) {
                answers.add(Json.readValue(reader));
            }
        }
        assertThat(answers).hasSameSizeAs(inputs);
        return answers;
    }
}
