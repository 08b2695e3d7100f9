package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.StokerException;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.sample.Samples;
import dev.stoker.source.SourceRequest;
import dev.stoker.source.Sources;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process lacks is no fault of the files that it cannot open, which are not left out as bad ones for it. */
class ShortageTest {
    @TempDir
    Path folder;

    @Test
    void filesAreNotLeftOutForWantOfDescriptors() throws Exception {
        for (String name : new String[] {"1", "2"}) {
            Files.writeString(folder.resolve(name), name);
        }
        List<String> command = List.of(
                "sh",
                "-c",
                "ulimit -n 100; exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ListWithOneDescriptor.class.getName(),
                folder.toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(said)
                .matches(
                        "2 samples\\Rrefused: \\[" + folder
                                + "/[12]] cannot be read: Too many open files; that is a limit"
                                + " of the process or the system, not of the file; raise it \\(that of open files: ulimit -n 4096\\)");
    }

    /** Lists a folder, and again when the folder alone can be opened. */
    static final class ListWithOneDescriptor {
        private ListWithOneDescriptor() {}

        public static void main(String[] arguments) throws Exception {
            Path source = Path.of(arguments[0]);
            loadClasses();
            list(source);
            var held = new ArrayList<FileInputStream>();
            try {
                while (true) {
                    held.add(new FileInputStream("/dev/null"));
                }
            } catch (IOException e) {
                held.removeLast().close();
            }
            list(source);
        }

        /** Later it could not: a class is a file too. */
        private static void loadClasses() throws Exception {
            Path classes = Path.of(Sources.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            try (Stream<Path> files = Files.walk(classes)) {
                for (Path file :
                        files.filter(file -> file.toString().endsWith(".class")).toList()) {
                    String name = classes.relativize(file).toString().replace('/', '.');
                    if (!name.equals("module-info.class") && !name.endsWith("package-info.class")) {
                        Class.forName(
                                name.substring(0, name.length() - ".class".length()),
                                false,
                                Sources.class.getClassLoader());
                    }
                }
            }
        }

        private static void list(Path source) {
            try (Samples samples =
                    Sources.open(new SourceRequest(source, null, true, null, 1, BadFilePolicy.skipped()))) {
                System.out.println(samples.count() + " samples");
            } catch (StokerException e) {
                System.out.println("refused: " + e.getMessage());
            }
        }
    }
}
