package dev.stoker.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.job.SharedListing;
import dev.stoker.job.Team;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.listing.FolderSource;
import dev.stoker.listing.ListingContext;
import dev.stoker.listing.SourceFilter;
import dev.stoker.sample.Samples;
import dev.stoker.write.Packer;
import dev.stoker.write.ShareExecutor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job whose tasks run here: everything that they are given travels as Spark sends it. */
class ExecutorCheckTest {
    private static final int SHARES = 5;

    @TempDir
    private Path folder;

    /** Strings alone, since a Path cannot be sent. */
    private record Recipe(String source, String output) implements PackJobRecipe {
        @Override
        public Samples open(Team team) {
            return FolderSource.list(
                    Path.of(source),
                    true,
                    new ListingContext(2, BadFilePolicy.refused(), team, null, SourceFilter.usual()));
        }

        @Override
        public Packer packer(Samples samples) {
            var settings = new Packer.Settings(FormatOptions.NONE, 2, false, false, false);
            return new Packer(samples, Formats.named("stk"), Path.of(output), settings, new Progress());
        }
    }

    private static <T extends Serializable> T sent(T value) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
            out.flush();
            try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                @SuppressWarnings("unchecked")
                T received = (T) in.readObject();
                return received;
            }
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs every task, some twice, as Spark does with slow ones. */
    private record LocalExecutor(Recipe recipe, SharedListing findings, List<ShareExecutor.Work> seen)
            implements ShareExecutor {
        @Override
        public int shares() {
            return SHARES;
        }

        @Override
        public void fill(Work work, Consumer<Filled> filled) {
            seen.add(work);
            for (int share = work.shares() - 1; share >= 0; share--) {
                filled.accept(sent(task(share, work)));
                if (share % 2 == 0) {
                    task(share, work);
                }
            }
        }

        private Filled task(int share, Work work) {
            PackJobRecipe received = sent(recipe);
            Work its = sent(work);
            return ExecutorCheck.of(received, () -> sent(findings), its).fill(received, its, share);
        }
    }

    @BeforeEach
    void makeSource() throws IOException {
        for (int i = 0; i < 200; i++) {
            Path file = folder.resolve("source/class%d/%03d.txt".formatted(i % 3, i));
            Files.createDirectories(file.getParent());
            Files.writeString(file, "sample " + i + " ".repeat(i * 50));
        }
    }

    private Recipe recipe(String output) {
        return new Recipe(
                folder.resolve("source").toString(), folder.resolve(output).toString());
    }

    private List<ShareExecutor.Work> packWithExecutor(Recipe recipe) {
        var findings = new SharedListing(SHARES);
        var seen = new ArrayList<ShareExecutor.Work>();
        try (Samples samples = recipe.open(findings.finder())) {
            recipe.packer(samples)
                    .withExecutor(new LocalExecutor(recipe, findings, seen))
                    .run();
        }
        return seen;
    }

    @Test
    void aRecipeMakesTheSameAfterItWasSent() {
        Recipe recipe = recipe("out.stk");
        assertThat(sent(recipe)).isEqualTo(recipe);
        try (Samples here = recipe.open(Team.ALONE);
                Samples there = sent(recipe).open(Team.ALONE)) {
            assertThat(there.fingerprint()).isEqualTo(here.fingerprint());
            assertThat(there.count()).isEqualTo(200);
        }
    }

    @Test
    void theTasksWriteWhatOneProcessWrites() throws IOException {
        Recipe alone = recipe("alone.stk");
        try (Samples samples = alone.open(Team.ALONE)) {
            alone.packer(samples).run();
        }
        packWithExecutor(recipe("shared.stk"));
        assertThat(folder.resolve("shared.stk")).hasSameBinaryContentAs(folder.resolve("alone.stk"));
        assertThat(folder.resolve("shared.stk.partial")).doesNotExist();
    }

    @Test
    void allTasksOfAnExecutorShareOneListing() {
        List<ShareExecutor.Work> seen = packWithExecutor(recipe("shared.stk"));
        ShareExecutor.Work work = seen.getFirst();
        ExecutorCheck first = ExecutorCheck.of(recipe("shared.stk"), ExecutorCheckTest::unwanted, work);
        assertThat(ExecutorCheck.of(recipe("shared.stk"), ExecutorCheckTest::unwanted, sent(work)))
                .isSameAs(first);
    }

    private static SharedListing unwanted() {
        throw new AssertionError("it was there already");
    }

    @Test
    void aSourceThatChangedIsRefused() throws IOException {
        Recipe recipe = recipe("changed.stk");
        var findings = new SharedListing(SHARES);
        recipe.open(findings.finder()).close();
        var other = new ShareExecutor.Work("ab".repeat(32), SHARES, 0, Map.of());
        assertThatThrownBy(() -> ExecutorCheck.of(recipe, () -> findings, other))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("the process that leads");
    }
}
