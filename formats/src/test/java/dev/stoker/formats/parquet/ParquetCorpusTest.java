package dev.stoker.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.StokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The files of apache/parquet-testing, by many writers: each is read as pyarrow reads it, or refused by name. The system
 * property {@code stoker.parquet-testing} says where they are; {@code ./check --group parquet-corpus} fetches them.
 */
class ParquetCorpusTest {
    /** What stands for a file that pyarrow does not read, as one with a variant that it takes for wrongly shredded. */
    private static final String GIVEN_UP = "! 0";

    @TempDir
    Path folder;

    @Test
    void everyFileIsReadRightOrRefused() throws IOException {
        String place = System.getProperty("stoker.parquet-testing", "");
        assumeTrue(!place.isEmpty(), "-Dstoker.parquet-testing=FOLDER is not given");
        Path corpus = Path.of(place);
        Map<String, Map<String, String>> expected = Expected.of(ParquetPython.run("parquet_corpus.py", corpus));
        var all = new SoftAssertions();
        int read = 0;
        for (Path file : files(corpus)) {
            String name = corpus.relativize(file).toString();
            // A sidecar must not be left beside somebody's files.
            Path copy = Files.copy(file, folder.resolve("corpus.parquet"), StandardCopyOption.REPLACE_EXISTING);
            Files.deleteIfExists(folder.resolve("corpus.parquet.stkx"));
            try {
                Map<String, String> found = Expected.found(copy);
                Map<String, String> theirs = expected.getOrDefault(name, Map.of());
                if (!theirs.containsKey(GIVEN_UP)) {
                    // What Stoker leaves out, as maps and variants, pyarrow may show in its own way.
                    all.assertThat(theirs).as(name).containsAllEntriesOf(found);
                    read++;
                }
            } catch (StokerException e) {
                assertThat(e.getMessage()).as(name).contains("corpus.parquet");
            }
        }
        all.assertAll();
        assertThat(read).isGreaterThan(40);
    }

    private static List<Path> files(Path corpus) throws IOException {
        try (Stream<Path> all = Files.walk(corpus)) {
            return new ArrayList<>(all.filter(file -> file.toString().matches(".*\\.parquet(\\.encrypted)?"))
                    .sorted()
                    .toList());
        }
    }
}
