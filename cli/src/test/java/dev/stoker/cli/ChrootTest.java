package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A root that is no mount point, as some containers have one: Java knows no filesystem for what lies in it. */
class ChrootTest {
    /** Makes every other folder of the machine visible below the new root, and runs the rest there. */
    private static final String SCRIPT = """
            mount --make-rprivate / || exit 77
            root=$1
            shift
            for folder in /*; do
                if [ -L "$folder" ]; then
                    cp -P "$folder" "$root"
                elif [ -d "$folder" ]; then
                    mkdir "$root$folder" && mount --rbind "$folder" "$root$folder" || exit 77
                fi
            done
            exec chroot "$root" "$@"
            """;

    @TempDir
    Path temp;

    private record Ended(int code, String said) {}

    private static Ended run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), said);
    }

    private Ended stoker(Path root, String... arguments) throws IOException, InterruptedException {
        String[] start = {
            "unshare",
            "--mount",
            "sh",
            "-c",
            SCRIPT,
            "sh",
            root.toString(),
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName()
        };
        var command = new String[start.length + arguments.length];
        System.arraycopy(start, 0, command, 0, start.length);
        System.arraycopy(arguments, 0, command, start.length, arguments.length);
        return run(command);
    }

    @Test
    void packWorks() throws Exception {
        assumeTrue(run("unshare", "--mount", "true").code() == 0, "a root of its own needs the rights of root");
        Path root = Files.createDirectory(temp.resolve("root"));
        Path source = Files.createDirectories(root.resolve("samples/cat"));
        Files.writeString(source.resolve("1.jpg"), "bytes");
        Ended packed = stoker(root, "pack", "/samples", "-o", "/packed.stk");
        assumeTrue(packed.code() != 77, () -> "folders cannot be mounted here: " + packed.said());
        assertThat(packed.code()).as(packed.said()).isZero();
        assertThat(root.resolve("packed.stk")).isNotEmptyFile();
    }
}
