package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.StkFormat;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that is cut short while it is open is one sentence that names it, and never a crash of the JVM. */
class ShrinkingFileTest {
    private static final int SAMPLES = 400;

    @TempDir
    Path folder;

    @Test
    void verifyFindsWhatIsGoneAndChecksTheRest() throws Exception {
        Path file = pack(new PlainFormat());
        assertThat(run("verify", file))
                .matches("(?s)damaged values: (19|20)\\d of 800: .*" + file.getFileName() + ".* the file ends here.*");
    }

    @Test
    void verifyOfAContainerWithItsOwnIndex() throws Exception {
        Path file = pack(new StkFormat());
        assertThat(run("verify", file)).startsWith("damaged values: ").contains(file.toString());
    }

    @Test
    void aMappedChecksumIsAnErrorOfJava() throws Exception {
        assertThat(run("checksum", pack(new StkFormat()))).isEqualTo("an error of the JVM, after some");
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", "feed"})
    void readersNameTheFile(String what) throws Exception {
        Path file = pack(new PlainFormat());
        assertThat(run(what, file))
                .startsWith("refused: [" + file + "] ")
                .containsPattern("became shorter|changed while it was read");
    }

    private Path pack(Format format) {
        var random = new SplittableRandom(1);
        var samples = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes()));
        for (int i = 0; i < SAMPLES; i++) {
            var data = new byte[20_000];
            random.nextBytes(data);
            samples.add("sample " + i, data);
        }
        return new Workshop(format, FormatOptions.NONE, folder, random).pack(samples.build(), "shrinking");
    }

    private static String run(String what, Path file) throws Exception {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:-CreateCoredumpOnCrash",
                "-cp",
                System.getProperty("java.class.path"),
                ShrinkingProcess.class.getName(),
                what,
                file.toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
