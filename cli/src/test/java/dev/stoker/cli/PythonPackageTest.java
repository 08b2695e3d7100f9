package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.json.Json;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Split;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Python;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The tests of the Python package, each as a test of its own, over containers of random schemas too. */
class PythonPackageTest {
    private static final Path ROOT = Path.of(Objects.requireNonNull(System.getProperty("stoker.root")));
    private static final int SCHEMAS = 6;

    private static final String RUN_PYTEST = """
            import os, sys
            os.environ["STOKER"], os.environ["STOKER_RANDOM"], os.environ["STOKER_SEED"] = sys.argv[1:4]
            import pytest
            sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[4:]]))
            """;

    @RegisterExtension
    static final Seed SEED = new Seed();

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> python() throws Exception {
        Python python = Python.require("python/requirements.txt");
        RandomGenerator random = SEED.random();
        Path containers = Files.createDirectory(folder.resolve("random"));
        for (Format format : Formats.all()) {
            for (int i = 0; i < SCHEMAS && format.can(Capability.VARIABLE_LENGTH); i++) {
                writeRandom(new Workshop(format, FormatOptions.NONE, containers, random), format.name() + i);
            }
        }
        Path report = folder.resolve("report.xml");
        Python.Result result = python.run(
                RUN_PYTEST,
                command(),
                containers,
                random.nextLong() >>> 32,
                "--rootdir=" + ROOT.resolve("python"),
                "--config-file=" + ROOT.resolve("python/pyproject.toml"),
                "--junitxml=" + report,
                ROOT.resolve("python/tests"));
        assertThat(report)
                .as("pytest's report; it says: %s %s", result.out(), result.err())
                .exists();
        List<DynamicTest> tests = tests(report);
        assertThat(tests).hasSizeGreaterThan(50);
        return tests.stream();
    }

    /** The command as this build has it; its distribution is packed only after the tests. */
    private Path command() throws IOException {
        Path script = folder.resolve("stoker");
        Files.writeString(
                script, """
                #!/bin/sh
                exec '%s/bin/java' --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '%s' \
                dev.stoker.cli.Main "$@"
                """.formatted(System.getProperty("java.home"), System.getProperty("java.class.path")));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    /** A container, and beside it as JSON what is in it. */
    private static void writeRandom(Workshop shop, String name) throws IOException {
        MemorySamples samples = shop.randomSamples().next(1 + shop.random().nextInt(25));
        Path container = shop.pack(samples, name);
        var expected = new LinkedHashMap<String, Object>();
        expected.put(
                "schema",
                samples.schema().fields().stream()
                        .map(field -> List.of(field.name(), field.type().label()))
                        .toList());
        var splits = new LinkedHashMap<String, Object>();
        for (Split split : samples.splits()) {
            splits.put(split.name(), List.of(split.first(), split.end()));
        }
        expected.put("splits", splits);
        var rows = new ArrayList<List<Object>>();
        for (int sample = 0; sample < samples.count(); sample++) {
            var row = new ArrayList<Object>();
            for (int field = 0; field < samples.schema().size(); field++) {
                row.add(value(samples, sample, field));
            }
            rows.add(row);
        }
        expected.put("samples", rows);
        Files.writeString(container.resolveSibling(container.getFileName() + ".json"), Json.write(expected));
    }

    private static Map<String, Object> value(MemorySamples samples, int sample, int field) {
        var bytes = new byte[Math.toIntExact(samples.length(sample, field))];
        samples.read(sample, field, 0, MemorySegment.ofArray(bytes));
        var value = new LinkedHashMap<String, Object>();
        value.put("bytes", HexFormat.of().formatHex(bytes));
        if (samples.schema().type(field) instanceof FieldType.Array) {
            value.put(
                    "shape", LongStream.of(samples.shape(sample, field)).boxed().toList());
        }
        return value;
    }

    private static List<DynamicTest> tests(Path report) throws Exception {
        NodeList cases = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getElementsByTagName("testcase");
        var tests = new ArrayList<DynamicTest>();
        for (int i = 0; i < cases.getLength(); i++) {
            var test = (Element) cases.item(i);
            String name = test.getAttribute("classname") + "." + test.getAttribute("name");
            tests.add(DynamicTest.dynamicTest(name, () -> replay(test)));
        }
        return tests;
    }

    /** Ends as the test in Python did. */
    private static void replay(Element test) {
        for (String ending : List.of("failure", "error", "skipped")) {
            NodeList found = test.getElementsByTagName(ending);
            if (found.getLength() > 0) {
                var end = (Element) found.item(0);
                if (ending.equals("skipped")) {
                    abort(end.getAttribute("message"));
                }
                fail(end.getTextContent());
            }
        }
    }
}
