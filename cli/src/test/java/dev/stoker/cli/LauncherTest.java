package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that starts the command: which start-up cache, code that the JVM trusts, it makes and uses. */
class LauncherTest {
    private static final Path ROOT = Path.of(System.getProperty("stoker.root"));
    private static final Path SCRIPT = ROOT.resolve("cli/src/main/dist/bin/stoker");

    @TempDir
    Path temp;

    private Path dist;

    @BeforeEach
    void makeDistribution() throws IOException {
        dist = temp.resolve("dist");
        Files.createDirectories(dist.resolve("bin"));
        Files.createDirectories(dist.resolve("lib"));
        Files.copy(SCRIPT, dist.resolve("bin/stoker"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.copy(ROOT.resolve("tools/find-java.sh"), dist.resolve("bin/find-java.sh"));
        Files.writeString(dist.resolve("lib/x.jar"), "");
    }

    /** A Java that does nothing but make the start-up cache that it is asked for. */
    private Path java(String name, String release) throws IOException {
        Path home = temp.resolve(name);
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                for word; do
                    case $word in -XX:AOTCacheOutput=*) env >"${word#*=}" ;; esac
                done
                """);
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(home.resolve("release"), release);
        Files.createDirectories(home.resolve("lib/server"));
        Files.writeString(home.resolve("lib/modules"), name);
        Files.writeString(home.resolve("lib/server/libjvm.so"), "");
        return home;
    }

    private static int run(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).isEmpty();
        return process.waitFor();
    }

    private List<String> cachesAfter(Path home) throws Exception {
        var builder = new ProcessBuilder(dist.resolve("bin/stoker").toString(), "formats");
        builder.environment().put("STOKER_JAVA_HOME", home.toString());
        assertThat(run(builder)).isZero();
        try (Stream<Path> files = Files.list(dist.resolve("lib"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".aot"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void everyRuntimeHasACacheOfItsOwn() throws Exception {
        Path named = java("named", "JAVA_VERSION=\"25.0.3\"\nJAVA_RUNTIME_VERSION=\"25.0.3+9\"\nOS_ARCH=\"x86_64\"\n");
        assertThat(cachesAfter(named)).containsExactly("25.0.3+9-x86_64.aot");
        // As jlink makes them: they say neither which build they are, nor for which processor.
        Path small = java("small", "JAVA_VERSION=\"25.0.3\"\nMODULES=\"java.base\"\n");
        Path large = java("large", "JAVA_VERSION=\"25.0.3\"\nMODULES=\"java.base java.xml\"\n");
        Path other = java("other build", "JAVA_VERSION=\"25.0.3\"\nMODULES=\"java.base\"\n");
        assertThat(cachesAfter(small))
                .hasSize(2)
                .allSatisfy(name -> assertThat(name).startsWith("25.0.3"));
        assertThat(cachesAfter(large)).hasSize(3);
        assertThat(cachesAfter(other)).hasSize(4);
        assertThat(cachesAfter(small)).hasSize(4);
    }

    @Test
    void theTrainingRunIsNoPartOfTheUsersJob() throws Exception {
        Path home = java("java", "JAVA_VERSION=\"25.0.3\"\nJAVA_RUNTIME_VERSION=\"25.0.3+9\"\nOS_ARCH=\"x86_64\"\n");
        var builder = new ProcessBuilder(dist.resolve("bin/stoker").toString(), "formats");
        builder.environment()
                .putAll(Map.of(
                        "STOKER_JAVA_HOME", home.toString(),
                        "STOKER_METRICS", "prometheus://:9400",
                        "SLURM_PROCID", "1",
                        "TMPDIR", "/a folder",
                        "RANK", "1",
                        "WORLD_SIZE", "4"));
        assertThat(run(builder)).isZero();
        assertThat(dist.resolve("lib/25.0.3+9-x86_64.aot"))
                .content()
                .contains("PATH=", "TMPDIR=/a folder\n")
                .doesNotContain("STOKER_METRICS", "SLURM_PROCID", "RANK", "WORLD_SIZE");
    }

    /** Runs one function of the script, with these programs alone. */
    private boolean isPrivate(Path folder, List<String> programs) throws Exception {
        Path path = Files.createTempDirectory(temp, "path");
        for (String program : programs) {
            Path file = path.resolve(program);
            Files.writeString(file, "#!/bin/sh\nPATH=/usr/bin:/bin exec " + program + " \"$@\"\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        }
        String script = Files.readString(SCRIPT);
        int start = script.indexOf("is_private() {");
        String function = script.substring(start, script.indexOf("\n}\n", start) + 3);
        var builder = new ProcessBuilder(
                "/bin/sh", "-c", function + "is_private \"$1\" 2>/dev/null", "sh", folder.toString());
        builder.environment().put("PATH", path.toString());
        return run(builder) == 0;
    }

    @Test
    void aFolderThatOthersWriteIsNeverPrivateWhateverIsInstalled() throws Exception {
        record Case(String mode, String above, boolean isPrivate) {}
        List<String> usual = List.of("ls", "id", "find");
        for (Case each : new Case[] {
            new Case("rwx------", "rwxr-xr-x", true),
            new Case("rwxr-xr-x", "rwxrwxr-x", true),
            new Case("rwxrwx---", "rwxr-xr-x", false),
            new Case("rwxrwxrwx", "rwxr-xr-x", false),
            new Case("rwx------", "rwxrwxrwx", false)
        }) {
            Path above = Files.createTempDirectory(temp, "above");
            Path folder = Files.createDirectory(above.resolve("folder"));
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(each.mode));
            Files.setPosixFilePermissions(above, PosixFilePermissions.fromString(each.above));
            assertThat(isPrivate(folder, usual)).as("%s", each).isEqualTo(each.isPrivate);
            for (List<String> some : List.of(List.of("ls", "id"), List.of("id"), List.of("ls"), List.<String>of())) {
                assertThat(isPrivate(folder, some) && !each.isPrivate)
                        .as("%s with %s", each, some)
                        .isFalse();
            }
        }
        Path mine = Files.createDirectory(temp.resolve("mine"));
        Files.setPosixFilePermissions(mine, PosixFilePermissions.fromString("rwx------"));
        Path link = Files.createSymbolicLink(temp.resolve("link"), mine);
        assertThat(isPrivate(mine, usual)).isTrue();
        assertThat(isPrivate(link, usual)).isFalse();
    }
}
