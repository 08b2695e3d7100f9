package dev.stoker.cli.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.cli.Commands;
import dev.stoker.cli.Main;
import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.testkit.FormatContract;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Python;
import dev.stoker.testkit.TableContract;
import dev.stoker.testkit.Workshop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of formats, as the command prints it and as {@code docs/formats.md} shows it: nothing in it is only said. */
class FormatsTableTest {
    private static final Path ROOT = Path.of(Objects.requireNonNull(System.getProperty("stoker.root")));
    private static final Path PROGRAMS = ROOT.resolve("docs/programs");
    private static final int SAMPLES = 7;

    private static final String RUN_EACH = """
            import runpy, sys
            program, package, *containers = sys.argv[1:]
            sys.path.insert(0, package)
            for container in containers:
                sys.argv = [program, container]
                runpy.run_path(program)
            """;

    @TempDir
    private Path folder;

    private static List<Format> written() {
        return Formats.all().stream().filter(f -> f.can(Capability.WRITE)).toList();
    }

    @Test
    void everyAnswerIsProvenByATestOfTheContract() {
        var tests = Arrays.stream(FormatContract.class.getMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .map(Method::getName)
                .toList();
        for (Criterion criterion : Criterion.values()) {
            assertThat(tests).contains(criterion.test());
        }
        assertThat(TableContract.class).isAssignableFrom(FormatContract.class);
    }

    @Test
    void theDocsShowWhatTheFormatsSay() throws IOException {
        String docs = Files.readString(ROOT.resolve("docs/formats.md"));
        var table = new StringBuilder("| |");
        written().forEach(format -> table.append(' ').append(format.name()).append(" |"));
        table.append("\n| --- |").append(" --- |".repeat(written().size())).append('\n');
        for (Criterion criterion : Criterion.values()) {
            table.append("| ").append(criterion.label()).append(" |");
            written().forEach(format -> table.append(criterion.isMetBy(format) ? " Y |" : " N |"));
            table.append('\n');
        }
        assertThat(docs).contains(table);
        for (Criterion criterion : Criterion.values()) {
            assertThat(docs).contains("| " + criterion.label() + " | `" + criterion.test() + "` |");
        }
        for (Format format : written()) {
            if (format.can(Capability.SPECIFIED)) {
                assertThat(docs).containsPattern("\n- " + format.name() + ": \\S");
            }
        }
        assertThat(docs).contains(Files.readString(PROGRAMS.resolve("Read.java")));
        assertThat(docs).contains(Files.readString(PROGRAMS.resolve("read.py")));
    }

    @Test
    void theShortestProgramReadsEveryFormatInJava() throws Exception {
        var expected = new StringBuilder();
        List<Path> containers = pack(expected);
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-d",
                        folder.resolve("classes").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        PROGRAMS.resolve("Read.java").toString());
        assertThat(compiled).isZero();
        PrintStream before = System.out;
        var out = new ByteArrayOutputStream();
        try (var loader = new URLClassLoader(
                new java.net.URL[] {folder.resolve("classes").toUri().toURL()},
                getClass().getClassLoader())) {
            System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
            Class<?> program = loader.loadClass("Read");
            Constructor<?> constructor = program.getDeclaredConstructor();
            Method main = program.getDeclaredMethod("main", String[].class);
            constructor.setAccessible(true);
            main.setAccessible(true);
            for (Path container : containers) {
                main.invoke(constructor.newInstance(), (Object) new String[] {container.toString()});
            }
        } finally {
            System.setOut(before);
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines(expected);
    }

    @Test
    void theShortestProgramReadsEveryFormatInPython() throws IOException {
        var expected = new StringBuilder();
        var arguments = new ArrayList<Object>(List.of(PROGRAMS.resolve("read.py"), ROOT.resolve("python/src")));
        arguments.addAll(pack(expected));
        String out = Python.require("python/requirements.txt").output(RUN_EACH, arguments.toArray());
        assertThat(out).isEqualToNormalizingNewlines(expected);
    }

    /** A container of each format with samples of fixed length, and one with samples of any length. */
    private List<Path> pack(StringBuilder expected) throws IOException {
        var containers = new ArrayList<Path>();
        for (Format format : written()) {
            for (boolean isFixed : new boolean[] {true, false}) {
                if (isFixed || format.can(Capability.VARIABLE_LENGTH)) {
                    Path place = Files.createDirectories(folder.resolve(format.name() + (isFixed ? "-fl" : "-vl")));
                    var shop = new Workshop(format, FormatOptions.NONE, place, new SplittableRandom(1));
                    containers.add(shop.pack(samples(format, isFixed), "samples"));
                    expected.append(SAMPLES)
                            .append(' ')
                            .append(isFixed ? 12 : 11)
                            .append('\n');
                }
            }
        }
        return containers;
    }

    private static MemorySamples samples(Format format, boolean isFixed) {
        boolean isTensor = isFixed && (format.can(Capability.ANY_FIELDS) || !format.can(Capability.VARIABLE_LENGTH));
        FieldType data = isTensor ? new FieldType.Tensor(DType.UINT8, List.of(3L, 4L)) : new FieldType.Bytes();
        var samples = MemorySamples.of(new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, data));
        for (int i = 0; i < SAMPLES; i++) {
            samples.add("class/" + i + ".bin", new byte[isFixed ? 12 : 12 - i]);
        }
        return samples.build();
    }

    private static String printed(String... arguments) {
        var out = new java.io.StringWriter();
        var printed = new java.io.PrintWriter(out, true);
        assertThat(Main.run(Commands.ALL, printed, printed, arguments)).isZero();
        return out.toString();
    }

    @Test
    void theCommandPrintsOneLineForEachFormat() {
        List<String> lines = printed("formats").lines().toList();
        assertThat(lines).hasSize(Formats.all().size() + 4).allMatch(line -> line.length() <= 120);
        for (Format format : Formats.all()) {
            String answers = Arrays.stream(Criterion.values())
                    .map(criterion -> criterion.isMetBy(format) ? "Y" : "N")
                    .collect(Collectors.joining(" +"));
            assertThat(lines).anyMatch(line -> line.matches(format.name() + " +" + answers + "( .*)?"));
        }
    }

    @Test
    void theCommandTellsAllAboutOneFormat() {
        assertThat(printed("formats", "hdf5"))
                .contains("hdf5 (.h5 .hdf5)", "--layout", "one container is filled by many writers at once")
                .contains("Y    VL parallel writing", "samplesOfAnyLengthAreWrittenByManyAtOnce");
        assertThat(printed("formats", "zarr", "--json"))
                .contains("\"single_file\": false")
                .doesNotContain("hdf5");
    }
}
