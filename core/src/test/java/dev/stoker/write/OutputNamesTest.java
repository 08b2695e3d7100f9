package dev.stoker.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.container.PartialPackCheck;
import dev.stoker.container.Sidecar;
import dev.stoker.io.OutputNames;
import dev.stoker.job.Job;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.sample.Samples;
import dev.stoker.source.SourceRequest;
import dev.stoker.source.Sources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that a killed run leaves and another process looks for, so they are spelled out here. */
class OutputNamesTest {
    @TempDir
    Path folder;

    private List<Path> namesOfAPack(Path output) {
        Path partial = OutputNames.partial(output);
        Path index = OutputNames.partial(Sidecar.beside(output));
        return List.of(
                partial,
                index,
                OutputNames.journal(partial),
                OutputNames.journals(partial),
                OutputNames.edges(partial),
                OutputNames.notes(partial),
                OutputNames.blocks(partial),
                OutputNames.old(partial),
                OutputNames.old(index),
                OutputNames.spool(output),
                OutputNames.rework(output),
                OutputNames.job(output));
    }

    @Test
    void aPackHasTheseNames() {
        assertThat(namesOfAPack(folder.resolve("out.tar")))
                .extracting(path -> folder.relativize(path).toString())
                .containsExactly(
                        "out.tar.partial",
                        "out.tar.stkx.partial",
                        "out.tar.partial.journal",
                        "out.tar.partial.journals",
                        "out.tar.partial.edges",
                        "out.tar.partial.notes",
                        "out.tar.partial.blocks",
                        "out.tar.partial.old",
                        "out.tar.stkx.partial.old",
                        "out.tar.spool",
                        "out.tar.rework",
                        ".out.tar.stoker-job");
    }

    @Test
    void othersHaveTheseNames() {
        Path output = Path.of("out");
        Path partial = OutputNames.partial(output);
        assertThat(List.of(
                        OutputNames.partial(output, "1f"),
                        OutputNames.partialIndex(output, "1f"),
                        OutputNames.edges(partial, 3),
                        OutputNames.repairBlocks(output),
                        OutputNames.sealing(partial),
                        OutputNames.salvaged(partial),
                        OutputNames.head(partial),
                        OutputNames.newHead(OutputNames.head(partial)),
                        OutputNames.save(output)))
                .extracting(Path::toString)
                .containsExactly(
                        "out.1f.partial",
                        "out.partial-1f",
                        "out.partial.edges-3",
                        "out.repair.blocks",
                        "out.partial.sealing",
                        "out.partial.salvaged",
                        "out.partial.head",
                        "out.partial.head.new",
                        ".out.stoker-save");
        assertThat(OutputNames.isPartialIndex(output, OutputNames.partialIndex(output, "1f")))
                .isTrue();
        assertThat(OutputNames.isPartialIndex(output, partial)).isFalse();
        assertThat(OutputNames.isEdges(partial, OutputNames.edges(partial, 3))).isTrue();
        assertThat(OutputNames.isEdges(partial, OutputNames.edges(partial))).isFalse();
    }

    @Test
    void whoLooksForAJournalOrAJobFindsIt() {
        Path output = folder.resolve("out.tar");
        Path journal = OutputNames.journal(OutputNames.partial(output));
        assertThat(PartialPackCheck.isJournal(journal.getFileName().toString().getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(Job.folder(output)).isEqualTo(OutputNames.job(output));
    }

    @Test
    void nothingOfAnOutputInItsSourceIsASample() throws IOException {
        Path output = folder.resolve("out.tar");
        for (Path name : namesOfAPack(output)) {
            Files.writeString(name, "no sample");
        }
        Files.writeString(output, "no sample");
        Files.writeString(Sidecar.beside(output), "no sample");
        Files.writeString(folder.resolve("a.bin"), "a sample");
        var request = new SourceRequest(folder, null, false, null, 1, BadFilePolicy.refused()).without(output);
        try (Samples samples = Sources.open(request)) {
            assertThat(samples.count()).isEqualTo(1);
            assertThat(samples.describe(0)).contains("a.bin");
        }
    }
}
