package dev.stoker.bench.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.sample.DType;
import dev.stoker.sample.Npy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looking at real folders. */
class LookingTest {
    private static final double SECONDS = 3;

    @TempDir
    private Path folder;

    private Path files(int count, int bytes) throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        var random = new SplittableRandom(7);
        for (int i = 0; i < count; i++) {
            byte[] content = new byte[bytes];
            random.nextBytes(content);
            Path below = Files.createDirectories(data.resolve("f" + i % 7));
            Files.write(below.resolve(i + ".bin"), content);
        }
        return data;
    }

    private FolderScan.Found scan(Path data, int most, double seconds) {
        return FolderScan.scan(data, most, Deadline.after(seconds), new Progress("files"));
    }

    private AdviceReport survey(Path data) {
        Path output = folder.resolve("packed");
        return AdviceReport.of(
                new AdviseRequest(data, output, false, 0, 0, null), SECONDS, Map.of(), new Progress("files"));
    }

    private static List<String> names(Path data) throws IOException {
        try (Stream<Path> all = Files.walk(data)) {
            return all.map(Path::toString).sorted().toList();
        }
    }

    private static List<String> texts(FolderScan.Found found) {
        return found.names().stream()
                .map(name -> new String(name, StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void everythingIsCountedAndSomeOfItPicked() throws IOException {
        Path data = files(500, 10);
        FolderScan.Found found = scan(data, 100, 60);
        assertThat(found.files()).isEqualTo(500);
        assertThat(found.folders()).isEqualTo(8);
        assertThat(found.isAll()).isTrue();
        assertThat(found.problems().count()).isZero();
        List<String> names = texts(found);
        assertThat(names)
                .hasSize(100)
                .doesNotHaveDuplicates()
                .allSatisfy(name -> assertThat(data.resolve(name)).exists());
        assertThat(texts(scan(data, 100, 60))).isEqualTo(names);
    }

    @Test
    void linksAreFollowedAndLoopsEnd() throws IOException {
        Path data = files(20, 10);
        Files.createSymbolicLink(data.resolve("loop"), data);
        Files.createSymbolicLink(data.resolve("loop2"), Path.of("."));
        Files.createSymbolicLink(data.resolve("file"), data.resolve("f0/0.bin"));
        Files.createSymbolicLink(data.resolve("gone"), data.resolve("nothing"));
        FolderScan.Found found = scan(data, 100, 60);
        assertThat(found.isAll()).isTrue();
        assertThat(found.files()).isBetween(21L, 42L);
        assertThat(found.problems().count()).isPositive();
        assertThat(found.problems().first()).contains("gone").contains("No such file");
    }

    @Test
    void timeThatIsOverStopsTheListing() throws IOException {
        assertThat(scan(files(50, 10), 100, 0).isAll()).isFalse();
    }

    @Test
    void namesAreKeptEvenly() {
        var sample = new NameSample(1000);
        for (int i = 0; i < 100_000; i++) {
            sample.offer(Integer.toString(i).getBytes(StandardCharsets.US_ASCII));
        }
        assertThat(sample.names()).hasSize(1000);
        double mean = sample.names().stream()
                .mapToInt(name -> Integer.parseInt(new String(name, StandardCharsets.US_ASCII)))
                .average()
                .orElseThrow();
        assertThat(mean).isBetween(46_000.0, 54_000.0); // four standard deviations
    }

    @Test
    void kindsAreToldByBytes() {
        assertThat(DataKind.of(new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff, (byte) 0xe0}))
                .isEqualTo(DataKind.JPEG);
        assertThat(DataKind.of(Npy.header(DType.UINT8, 3))).isEqualTo(DataKind.NPY);
        assertThat(DataKind.of("PAR1".getBytes(StandardCharsets.US_ASCII))).isEqualTo(DataKind.PARQUET);
        assertThat(DataKind.of("RIFF\0\0\0\0WAVE".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(DataKind.BINARY);
        assertThat(DataKind.of("RIFF1234WEBP".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(DataKind.WEBP);
        assertThat(DataKind.of("größer\n".getBytes(StandardCharsets.UTF_8))).isEqualTo(DataKind.TEXT);
        assertThat(DataKind.of("grö".getBytes(StandardCharsets.ISO_8859_1)))
                .isEqualTo(DataKind.TEXT); // cut within a letter
        assertThat(DataKind.of("gröber als".getBytes(StandardCharsets.ISO_8859_1)))
                .isEqualTo(DataKind.BINARY);
        assertThat(DataKind.of(new byte[0])).isEqualTo(DataKind.EMPTY);
        byte[] tar = new byte[512];
        tar[0] = 'a';
        System.arraycopy("ustar".getBytes(StandardCharsets.US_ASCII), 0, tar, 257, 5);
        assertThat(DataKind.of(tar)).isEqualTo(DataKind.TAR);
    }

    @Test
    void filesThatVanishAreProblems() throws IOException {
        Path data = files(40, 10);
        FolderScan.Found found = scan(data, 100, 60);
        Files.delete(data.resolve("f3/3.bin"));
        FileLook.Found looked = FileLook.look(data, found.names(), SECONDS);
        assertThat(looked.files()).hasSize(39);
        assertThat(looked.problems().count()).isEqualTo(1);
        assertThat(looked.problems().first()).contains("f3/3.bin").contains("No such file");
    }

    @Test
    void aFolderThatVanishesIsAnError() throws IOException {
        Path data = files(3, 10);
        FolderScan.Found found = scan(data, 100, 60);
        for (String name : names(data).reversed()) {
            Files.delete(Path.of(name));
        }
        assertThat(FileLook.look(data, found.names(), SECONDS).files()).isEmpty();
        assertThatThrownBy(() -> survey(data))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("there is no such file or folder");
    }

    @Test
    void emptyFoldersAreRefused() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertThatThrownBy(() -> survey(empty))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("has no files");
        Files.createSymbolicLink(empty.resolve("gone"), Path.of("nothing"));
        assertThatThrownBy(() -> survey(empty))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("has no files")
                .hasMessageContaining("gone");
    }

    @Test
    void aSurveyMeasuresAndLeavesTheFolderAsItWas() throws IOException {
        Path data = files(300, 2000);
        Files.copy(data.resolve("f0/0.bin"), data.resolve("f1/copy.bin"));
        List<String> before = names(folder);
        AdviceReport survey = survey(data);
        assertThat(names(folder)).isEqualTo(before);
        assertThat(survey.seen().samples()).isEqualTo(301);
        assertThat(survey.seen().bytes()).isEqualTo(602_000);
        assertThat(survey.seen().sizes().isFixed()).isTrue();
        assertThat(survey.seen().duplicates()).isEqualTo(1);
        assertThat(survey.seen().kinds()).containsEntry(DataKind.BINARY, 301);
        assertThat(survey.measured().metadata()).isNotNull();
        assertThat(survey.measured().reads()).isNotNull();
        assertThat(survey.measured().packed()).isNotNull();
        assertThat(survey.measured().packed().tried()).isPositive();
        assertThat(survey.advice().picks().format()).isEqualTo("stk");
        assertThat(survey.node().cores()).isPositive();
    }

    @Test
    void dataThatStayInMemoryAreSaidToBeThere() throws IOException {
        Path memory = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(memory), "there is no /dev/shm");
        try (var scratch = ScratchFolder.create(memory)) {
            for (int i = 0; i < 40; i++) {
                Files.write(scratch.path().resolve(i + ".bin"), new byte[5000]);
            }
            AdviceReport survey = survey(scratch.path());
            assertThat(survey.measured().notes())
                    .anySatisfy(note -> assertThat(note).contains("page cache could not be dropped"));
            assertThat(survey.seen().remains()).isLessThan(0.9);
            assertThat(survey.seen().duplicates()).isEqualTo(39);
        }
    }

    @Test
    void arraysOfOneShapeAreSeen() throws IOException {
        Path data = Files.createDirectory(folder.resolve("arrays"));
        var contents = new ArrayList<byte[]>();
        for (int i = 0; i < 40; i++) {
            var file = new ByteArrayOutputStream();
            file.write(Npy.header(DType.FLOAT32, 2, 3));
            file.write(new byte[24]);
            contents.add(file.toByteArray());
            Files.write(data.resolve(i + ".npy"), contents.getLast());
        }
        assertThat(survey(data).seen().arrayType()).isEqualTo("float32[2,3]");
        var longer = new ByteArrayOutputStream();
        longer.write(Npy.header(DType.FLOAT32, 4, 3));
        longer.write(new byte[48]);
        Files.write(data.resolve("other.npy"), longer.toByteArray());
        assertThat(survey(data).seen().arrayType()).isEqualTo("float32[*,*]");
        Files.write(data.resolve("note.txt"), new byte[] {'a'});
        assertThat(survey(data).seen().arrayType()).isNull();
    }

    @Test
    void wordsComeBackFromTheShell() throws Exception {
        for (String text : new String[] {"a b", "it's", "$(x)`y`", "\"", "*", "plain/file.stk", "new\nline", "ä"}) {
            Process shell = new ProcessBuilder("sh", "-c", "printf %s " + ShellWord.of(text)).start();
            assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(text);
        }
        assertThat(ShellWord.of(Path.of("-o"))).isEqualTo("./-o");
    }
}
