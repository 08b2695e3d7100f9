package dev.stoker.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkSubmitTest {
    private static final String INSTALL =
            "; install Spark 4 with `pip install pyspark`, or unpack it and set SPARK_HOME to its folder";

    @TempDir
    private Path folder;

    /** A launcher that writes its arguments, a line each, and the Java that it would take. */
    private Path launcher(String home) throws IOException {
        Path launcher = folder.resolve(home).resolve("bin/spark-submit");
        Files.createDirectories(launcher.getParent());
        Files.writeString(launcher, "#!/bin/sh\nprintf '%s\\n' \"$JAVA_HOME\" \"$@\"\nexit 7\n");
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        return launcher;
    }

    @Test
    void theHomeComesFirst() throws IOException {
        Path home = launcher("home");
        Path other = launcher("other");
        assertThat(SparkSubmit.find(Map.of(
                        "SPARK_HOME",
                        folder.resolve("home").toString(),
                        "PATH",
                        other.getParent().toString())))
                .isEqualTo(home);
    }

    @Test
    void thePathIsSearchedInItsOrder() throws IOException {
        Path first = launcher("first");
        Path second = launcher("second");
        Path plain = Files.createDirectories(folder.resolve("plain"));
        Files.createFile(plain.resolve("spark-submit")); // nobody may run it
        assertThat(SparkSubmit.find(Map.of("PATH", plain + ":" + first.getParent() + ":" + second.getParent())))
                .isEqualTo(first);
    }

    @Test
    void withoutSparkItSaysWhatToInstall() throws IOException {
        assertThatThrownBy(() -> SparkSubmit.find(Map.of("SPARK_HOME", folder.toString())))
                .isInstanceOf(StokerException.class)
                .hasMessage("SPARK_HOME is " + folder + ", but there is no bin/spark-submit in it" + INSTALL);
        for (Map<String, String> environment : List.of(Map.<String, String>of(), Map.of("PATH", folder.toString()))) {
            assertThatThrownBy(() -> SparkSubmit.find(environment))
                    .isInstanceOf(StokerException.class)
                    .hasMessage(
                            "--on needs Spark, but SPARK_HOME is not set and no spark-submit is on the PATH" + INSTALL);
        }
    }

    /** What a user's process does; it ends as Spark's launcher does. */
    static final class Driver {
        private Driver() {}

        public static void main(String[] args) {
            try {
                System.exit(SparkSubmit.run("local[2]", Driver.class, List.of(args)));
            } catch (StokerException e) {
                System.out.println(e.getMessage());
                System.exit(1);
            }
        }
    }

    private record Ending(int code, List<String> lines) {}

    private Ending run(String classPath, String... args) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                Driver.class.getName()));
        command.addAll(List.of(args));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("SPARK_HOME", folder.resolve("home").toString());
        builder.environment().remove("JAVA_HOME");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ending(process.waitFor(), said.lines().toList());
    }

    /** A jar with the driver alone. */
    private static Path jar(Path path) throws IOException {
        String name = Driver.class.getName().replace('.', '/') + ".class";
        try (var jar = new JarOutputStream(Files.newOutputStream(path));
                InputStream bytes = Objects.requireNonNull(
                        SparkSubmitTest.class.getClassLoader().getResourceAsStream(name))) {
            jar.putNextEntry(new JarEntry(name));
            bytes.transferTo(jar);
        }
        return path;
    }

    @Test
    void sparkIsGivenTheClassAndAllJarsBesideItsOwn() throws Exception {
        launcher("home");
        Path lib = Files.createDirectories(folder.resolve("a folder/lib"));
        Path own = jar(lib.resolve("m.jar"));
        Files.createFile(lib.resolve("z.jar"));
        Files.createFile(lib.resolve("a.jar"));
        Files.createFile(lib.resolve("notes.txt"));
        Ending ending = run(own + ":" + System.getProperty("java.class.path"), "pack", "my photos", "--on", "local[2]");
        String flags = "--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow";
        assertThat(ending.lines())
                .containsExactly(
                        System.getProperty("java.home"),
                        "--master",
                        "local[2]",
                        "--class",
                        Driver.class.getName(),
                        "--driver-java-options",
                        flags,
                        "--conf",
                        "spark.executor.defaultJavaOptions=" + flags,
                        "--conf",
                        "spark.log.level=ERROR",
                        "--conf",
                        "spark.ui.showConsoleProgress=false",
                        "--conf",
                        "spark.ui.enabled=false",
                        "--jars",
                        lib.resolve("a.jar") + "," + lib.resolve("z.jar"),
                        own.toString(),
                        "pack",
                        "my photos",
                        "--on",
                        "local[2]");
        assertThat(ending.code()).isEqualTo(7);
    }

    @Test
    void classesThatAreInNoJarCannotBeSent() throws Exception {
        launcher("home");
        assertThat(run(System.getProperty("java.class.path")))
                .isEqualTo(new Ending(
                        1, List.of("--on needs Stoker's jars, but this one runs from classes; use bin/stoker")));
    }

    @Test
    void thisProcessIsNotSparks() {
        assertThat(SparkSubmit.isInside()).isFalse();
    }
}
