package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cannot be meant as it was typed ends with 2, and a mistyped name is answered with the nearest one. */
class WrongUseTest {
    @TempDir
    Path folder;

    private Path source;
    private Path packed;

    @BeforeEach
    void pack() throws IOException {
        source = Files.createDirectories(folder.resolve("photos/cat")).getParent();
        Files.writeString(source.resolve("cat/1.jpg"), "1");
        packed = folder.resolve("x.stk");
        Ending.of("pack", source, "-o", packed).require(0);
    }

    private static void assertRefused(String sentence, Object... words) {
        assertThat(Ending.of(words)).satisfies(done -> {
            assertThat(done.code()).as(done.err()).isEqualTo(2);
            assertThat(done.err()).startsWith("stoker: ").contains(sentence).hasLineCount(1);
        });
    }

    @Test
    void namesAreSuggested() {
        Path out = folder.resolve("y.stk");
        assertRefused("did you mean 'arrow'?", "pack", source, "-o", out, "--format", "arow");
        assertRefused("did you mean 'zstd'?", "pack", source, "-o", out, "--compression", "zst");
        assertRefused("did you mean 'uint16'?", "pack", source, "-o", out, "--type", "label=unit16");
        assertRefused("did you mean 'label'?", "pack", source, "-o", out, "--type", "labl=int32");
        assertRefused("did you mean 'label'?", "pack", source, "-o", out, "--name", "labl=target");
        assertRefused("did you mean 'data'?", "cat", packed, 0, "dat");
        assertRefused("did you mean 'data'?", "feed", packed, "--fields", "dat");
        assertRefused("did you mean 'shuffled'?", "feed", packed, "--order", "shufled");
        assertRefused(
                "did you mean 'RandomResizedCrop'?",
                "feed",
                packed,
                "--decode",
                "image",
                "--transform",
                "RandomResizdCrop(8)");
        assertThat(out).doesNotExist();
    }

    @Test
    void addressesAreRefusedInOneSentence() {
        assertRefused("should name a bucket, such as s3://bucket/name", "inspect", "s3:///x");
        assertRefused("ftp:// addresses are not supported here", "inspect", "ftp://host/x");
    }

    @Test
    void settingsOfFormatsAreSuggested() {
        Path out = folder.resolve("y.stk");
        assertRefused("did you mean 'vlen'?", "pack", source, "-o", out, "--format", "hdf5", "--layout", "vlenn");
        assertRefused("did you mean 'folder'?", "pack", source, "-o", out, "--format", "lmdb", "--layout", "foldr");
        assertRefused("did you mean 'sample'?", "pack", source, "-o", out, "--format", "lmdb", "--keys", "simple");
        assertRefused(
                "did you mean 'zstd'?", "pack", source, "-o", out, "--format", "squashfs", "--compression", "zsd");
        assertRefused("did you mean 'h5py'?", "bench", "peers", "--data", source, "--work", folder, "--only", "h5p");
        assertThat(out).doesNotExist();
    }

    @Test
    void whatAFormatCannotDoIsWrongUse() {
        Path out = folder.resolve("y.stk");
        assertRefused("stores no field names", "pack", source, "-o", out, "--format", "npy", "--name", "data=x");
        assertRefused(
                "stores no name for the field 'data'",
                "pack",
                source,
                "-o",
                out,
                "--format",
                "tar",
                "--name",
                "data=x");
        assertRefused("can't store splits", "pack", "--split", "a=" + source, "-o", out, "--format", "arrow");
        assertThat(out).doesNotExist();
    }

    @Test
    void sourcesAndOutputsThatCannotBeMeantAreWrongUse() throws IOException {
        Path out = folder.resolve("y.stk");
        Path manifest = Files.writeString(folder.resolve("m.csv"), "path\ncat/1.jpg\n");
        assertRefused("is given twice", "pack", source, source, "-o", out);
        assertRefused("apply to the files of a folder", "pack", packed, "-o", out, "--include", "*.jpg");
        assertRefused("already chooses the files", "pack", source, "-o", out, "--manifest", manifest, "--hidden");
        assertRefused("names files below a folder", "pack", packed, "-o", out, "--manifest", manifest);
        assertRefused("is not a name for an output", "pack", source, "-o", "/", "--format", "stk");
        assertRefused("uploads to S3 can't be resumed", "pack", source, "-o", "s3://b/x.stk", "--resume");
        assertRefused("has samples 0 to 0, so there is no sample 7", "cat", packed, 7);
        assertRefused("needs no mount", "run", "--data", source, "--via", "mount", "--", "true");
        assertThat(out).doesNotExist();
    }

    @Test
    void splitsAndPathsAreSuggested() throws IOException {
        Path both = folder.resolve("both.stk");
        Ending.of("pack", "--split", "train=" + source, "--split", "val=" + source, "-o", both)
                .require(0);
        assertRefused("its splits are train, val; did you mean 'train'?", "feed", both + ":tain");
        Ending missing = Ending.of("inspect", folder.resolve("boht.stk"));
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err()).contains("there is no such file or folder; did you mean 'both.stk'?");
    }

    @Test
    void valuesOutOfRangeAreWrongUse() {
        Path out = folder.resolve("y.stk");
        assertRefused("should be a whole number but is 'abc'", "feed", packed, "--batch", "abc");
        assertRefused("should be a whole number but is '99999999999'", "feed", packed, "--batch", "99999999999");
        assertRefused("a batch should have at least 1 sample but has 0", "feed", packed, "--batch", 0);
        assertRefused("less than the world, 4, but is 4", "pack", source, "-o", out, "--rank", 4, "--world", 4);
        assertRefused("--rank-timeout takes at least 2", "pack", source, "-o", out, "--rank-timeout", 1);
        assertRefused("--sample takes a share", "verify", packed, "--sample", "x");
        assertRefused("metrics cannot go to 'nowhere:1'", "feed", packed, "--metrics", "nowhere:1");
        assertRefused("--stripe should be auto or COUNT:SIZE", "pack", source, "-o", out, "--stripe", "many");
        assertRefused("a sheet should have", "show", packed, "--rows", 0);
        assertRefused("there is no split 'b'", "pack", "--split", "a=" + source, "--manifest", "b=m.csv", "-o", out);
    }

    @Test
    void aFormatIsFoundByItsEndingToo() {
        assertThat(Ending.of("formats", "h5").require(0)).isEqualTo(Ending.of("formats", "hdf5"));
    }

    @Test
    void oneIsNoPlural() {
        assertThat(Ending.of("inspect", packed).out()).contains(": 1 sample, format stk");
        assertThat(Ending.of("verify", packed).out()).contains("3 values of 1 sample checked");
        assertThat(Ending.of("convert", packed, "-o", folder.resolve("z.stk")).out())
                .contains("z.stk: 1 sample, ");
    }

    @Test
    void looseFilesSaveNoFiles() {
        assertThat(Ending.of("inspect", source).out()).doesNotContain("inodes");
        assertThat(Ending.of("inspect", packed).out()).contains("inodes");
    }
}
