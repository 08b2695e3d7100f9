package dev.stoker.spark;

import dev.stoker.StokerException;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts a class of Stoker's inside the Spark that is installed. Spark's own launcher does it, since it knows which JVM
 * flags this Spark needs for its driver and its executors.
 */
public final class SparkSubmit {
    private static final String WHAT_TO_INSTALL =
            "; install Spark 4 with `pip install pyspark`, or unpack it and set SPARK_HOME to its folder";

    private SparkSubmit() {}

    /** Whether this process is one that Spark's launcher started. */
    public static boolean isInside() {
        return System.getProperty("spark.master") != null;
    }

    /**
     * Runs to the end, and returns the exit code.
     *
     * @param master where: {@code local[N]}, {@code spark://host:port}, or what else Spark takes
     * @param main the class that Spark's driver runs; its jar, and all beside it, go to the executors
     */
    public static int run(String master, Class<?> main, List<String> args) {
        List<String> command = command(find(System.getenv()), master, main, args);
        try {
            var builder = new ProcessBuilder(command).inheritIO();
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            Process process = builder.start();
            // Whoever ends this process means the job.
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
            return process.waitFor();
        } catch (IOException e) {
            throw new StokerException(command.getFirst(), "cannot be started: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StokerException("interrupted", e);
        }
    }

    /** Spark's launcher. */
    static Path find(Map<String, String> environment) {
        String home = environment.get("SPARK_HOME");
        if (home != null) {
            Path launcher = Path.of(home, "bin", "spark-submit");
            if (!Files.isExecutable(launcher)) {
                throw new StokerException(
                        "SPARK_HOME is " + home + ", but there is no bin/spark-submit in it" + WHAT_TO_INSTALL);
            }
            return launcher;
        }
        for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
            Path launcher = Path.of(folder, "spark-submit");
            if (Files.isExecutable(launcher)) {
                return launcher;
            }
        }
        throw new StokerException(
                "--on needs Spark, but SPARK_HOME is not set and no spark-submit is on the PATH" + WHAT_TO_INSTALL);
    }

    private static List<String> command(Path launcher, String master, Class<?> main, List<String> args) {
        List<Path> jars = jars(main);
        String flags = "--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow";
        var command =
                new ArrayList<String>(List.of(launcher.toString(), "--master", master, "--class", main.getName()));
        command.addAll(List.of("--driver-java-options", flags));
        command.addAll(List.of("--conf", "spark.executor.defaultJavaOptions=" + flags));
        command.addAll(List.of("--conf", "spark.log.level=ERROR", "--conf", "spark.ui.showConsoleProgress=false"));
        // The driver reports once; a web page that nobody asked for would only need a port.
        command.addAll(List.of("--conf", "spark.ui.enabled=false"));
        command.addAll(List.of(
                "--jars",
                String.join(",", jars.stream().skip(1).map(Path::toString).toList())));
        command.add(jars.getFirst().toString());
        command.addAll(args);
        return command;
    }

    /** All jars of this distribution, that of the class first. */
    private static List<Path> jars(Class<?> main) {
        Path own = jarOf(main);
        Path folder = own == null ? null : own.getParent();
        if (own == null || folder == null || !own.toString().endsWith(".jar")) {
            throw new StokerException("--on needs Stoker's jars, but this one runs from classes; use bin/stoker");
        }
        try (Stream<Path> files = Files.list(folder)) {
            var jars = new ArrayList<Path>(List.of(own));
            files.filter(file -> file.toString().endsWith(".jar") && !file.equals(own))
                    .sorted()
                    .forEach(jars::add);
            return jars;
        } catch (IOException e) {
            throw new StokerException(folder, "cannot be listed: " + e.getMessage(), e);
        }
    }

    private static @Nullable Path jarOf(Class<?> main) {
        var source = main.getProtectionDomain().getCodeSource();
        // By the URI: in a URL, a space of the path is %20.
        return source == null ? null : Path.of(URI.create(source.getLocation().toString()));
    }
}
