package dev.stoker.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Sidecar;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.listing.FolderSource;
import dev.stoker.os.LocalSocket;
import dev.stoker.stage.copy.CopyJournal;
import dev.stoker.stage.copy.CopyPlan;
import dev.stoker.stage.copy.StageSource;
import dev.stoker.stage.copy.StagedForm;
import dev.stoker.stage.node.ProcessHome;
import dev.stoker.testkit.Workshop;
import dev.stoker.write.Packer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is staged, who sees it, and what is left of it. */
class StagerTest {
    private static final Map<String, String> JOB = Map.of("SLURM_JOB_ID", "123456789");

    private static final CleanupScope ALL = new CleanupScope(true, false);

    @TempDir
    Path temp;

    private Path source;
    private StagingPlace place;

    @BeforeEach
    void makePlaces() throws IOException {
        source = Files.createDirectory(temp.resolve("src"));
        for (String name : new String[] {"cat/1.jpg", "cat/2.jpg", "dog/ü.jpg"}) {
            Files.createDirectories(source.resolve(name).getParent());
            Files.writeString(source.resolve(name), "bytes of " + name);
        }
        Files.write(source.resolve("dog/empty"), new byte[0]);
        Files.write(source.resolve("dog/large"), new byte[9_000_000]);
        place = StagingPlace.at(Files.createDirectory(temp.resolve("place")));
    }

    private Stager stager() {
        return new Stager(place, JOB, new Progress());
    }

    private Stager.Request request(Path path, StagedForm form) {
        return new Stager.Request(StageSource.of(path), form, "", false, true);
    }

    private Path pack(String name) {
        Path packed = temp.resolve(name);
        var settings = new Packer.Settings(FormatOptions.NONE, 2, false, true, false);
        try (var samples = FolderSource.list(source, true, 2)) {
            new Packer(samples, Formats.forOutput(packed), packed, settings, new Progress()).run();
        }
        return packed;
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> entries = Files.list(place.folder())) {
            return entries.toList();
        }
    }

    private static void assertSameTree(Path found, Path expected) throws IOException {
        try (Stream<Path> files = Files.walk(expected)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(found.resolve(expected.relativize(file))).hasSameBinaryContentAs(file);
            }
        }
        try (Stream<Path> a = Files.walk(found);
                Stream<Path> b = Files.walk(expected)) {
            assertThat(a.count()).isEqualTo(b.count());
        }
    }

    @Test
    void aContainerIsCopiedWithItsIndexAndFoundAgain() throws IOException {
        Path packed = pack("x.arrow");
        Path data;
        try (StagedData staged = stager().stage(request(packed, StagedForm.FILE))) {
            data = staged.data();
            assertThat(data).hasSameBinaryContentAs(packed).hasFileName("x.arrow");
            assertThat(Sidecar.beside(data)).hasSameBinaryContentAs(Sidecar.beside(packed));
        }
        try (StagedData again = stager().stage(request(packed, StagedForm.FILE))) {
            assertThat(again.data()).isEqualTo(data);
        }
        Files.writeString(packed, "another");
        Files.delete(Sidecar.beside(packed));
        try (StagedData changed = stager().stage(request(packed, StagedForm.FILE))) {
            assertThat(changed.data()).isNotEqualTo(data).hasContent("another");
        }
    }

    @Test
    void onlyTheOwnerSeesWhatIsStaged() throws IOException {
        try (StagedData staged = stager().stage(request(source, StagedForm.TREE))) {
            assertSameTree(staged.data(), source);
            try (Stream<Path> all = Files.walk(staged.folder().path())) {
                for (Path path : all.toList()) {
                    String expected = Files.isDirectory(path) ? "rwx------" : "rw-------";
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                            .as(path.toString())
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void aTarAndAContainerAreExtracted() throws IOException {
        for (String name : new String[] {"x.tar", "x.tar.gz", "x.stk"}) {
            if (name.equals("x.tar")) {
                tar(temp.resolve(name), "-C", source.toString(), ".");
            } else if (name.equals("x.tar.gz")) {
                tar(temp.resolve(name), "-z", "-C", source.toString(), ".");
            } else {
                pack(name);
            }
            try (StagedData staged = stager().stage(request(temp.resolve(name), StagedForm.TREE))) {
                assertThat(staged.data()).hasFileName("x");
                assertSameTree(staged.data(), source);
            }
        }
    }

    @Test
    void aTruncatedCompressedTarIsRefused() throws IOException {
        Path archive = temp.resolve("x.tgz");
        tar(archive, "-z", "-C", source.toString(), ".");
        Files.write(archive, Arrays.copyOf(Files.readAllBytes(archive), (int) Files.size(archive) - 9));
        assertThatThrownBy(() -> stager().stage(request(archive, StagedForm.TREE)))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("x.tgz")
                .hasMessageContaining("truncated");
    }

    /** The archive is made by the system's tar, so that names are as they come. */
    private void tar(Path archive, String... words) throws IOException {
        var command = new java.util.ArrayList<>(List.of("tar", "-P", "-cf", archive.toString()));
        command.addAll(List.of(words));
        try {
            Process process = new ProcessBuilder(command)
                    .directory(temp.toFile())
                    .inheritIO()
                    .start();
            assertThat(process.waitFor()).isZero();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void hostileArchivesAreRefusedAndLeaveNothing() throws IOException {
        Path archive = temp.resolve("bad.tar");
        Files.createSymbolicLink(source.resolve("link"), Path.of("/etc/passwd"));
        Files.createDirectory(temp.resolve("sub"));
        record Case(String says, String... words) {}
        for (Case each : new Case[] {
            new Case("'..' leaves the folder", "--transform", "s,.*,../x,", "src/cat/1.jpg"),
            new Case("begins with '/'", source.resolve("cat/1.jpg").toString()),
            new Case("a symbolic link", "src/link"),
            new Case("a device or a pipe", "/dev/null")
        }) {
            tar(archive, each.words);
            assertThatThrownBy(() -> stager().stage(request(archive, StagedForm.TREE)))
                    .isInstanceOf(StokerException.class)
                    .hasMessageContaining("bad.tar")
                    .hasMessageContaining(each.says);
            stager().sweep(ALL);
            assertThat(left()).isEmpty();
        }
    }

    @Test
    void ofTwoMembersWithOneNameTheLaterCounts() throws IOException {
        Path archive = temp.resolve("twice.tar");
        tar(archive, "--transform", "s,.*,same,", "src/cat/1.jpg", "src/cat/2.jpg");
        try (StagedData staged = stager().stage(request(archive, StagedForm.TREE))) {
            assertThat(staged.data().resolve("same")).hasContent("bytes of cat/2.jpg");
        }
    }

    @Test
    void whatDoesNotFitIsRefusedWithTheNumbers() throws IOException {
        Path huge = temp.resolve("huge");
        try (var file = new RandomAccessFile(huge.toFile(), "rw")) {
            file.setLength(9_000_000_000_000L); // without a block of its own
        }
        assertThatThrownBy(() -> stager().stage(request(huge, StagedForm.FILE)))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("does not fit")
                .hasMessageContaining("9.0 TB")
                .hasMessageContaining("space on " + place);
        assertThat(left()).isEmpty();
    }

    @Test
    void anInterruptedCopyIsGoneOnWithAndDamageIsCopiedAgain() throws IOException {
        for (int i = 0; i < 200; i++) {
            Files.writeString(source.resolve("cat/many" + i), "bytes " + i);
        }
        Path data;
        try (StagedData staged = stager().stage(request(source, StagedForm.TREE))) {
            data = staged.data();
            Path folder = staged.folder().path();
            // As if it had been killed: of five pieces three are noted, and of these one is damaged.
            Files.delete(folder.resolve("complete"));
            try (StageSource toStage = StageSource.of(source);
                    CopyPlan plan = toStage.open(StagedForm.TREE);
                    CopyJournal journal = CopyJournal.open(folder.resolve("journal"));
                    Arena arena = Arena.ofConfined()) {
                MemorySegment buffer = arena.allocate(CopyPlan.BUFFER_BYTES);
                assertThat(plan.pieces()).isEqualTo(5);
                for (long piece = 0; piece < 3; piece++) {
                    journal.done(piece, plan.check(piece, data, buffer));
                }
            }
            Files.writeString(data.resolve("cat/1.jpg"), "damaged");
            Files.delete(data.resolve("dog/large"));
        }
        long untouched = Files.getLastModifiedTime(data.resolve("cat/many199")).toMillis();
        try (StagedData again = stager().stage(request(source, StagedForm.TREE))) {
            assertThat(again.data()).isEqualTo(data);
            assertSameTree(data, source);
            assertThat(Files.getLastModifiedTime(data.resolve("cat/many199")).toMillis())
                    .isEqualTo(untouched);
            assertThat(left()).hasSize(1);
        }
    }

    @Test
    void whatAPowerCutTookIsBroughtAgain() throws IOException {
        var kept = new Stager.Request(StageSource.of(source), StagedForm.TREE, "", true, false);
        Path data;
        try (StagedData staged = stager().stage(kept)) {
            data = staged.data();
            Files.writeString(data.resolve("cat/1.jpg"), "");
            Files.writeString(staged.folder().path().resolve("complete"), "another start");
        }
        try (StagedData again = stager().stage(kept)) {
            assertThat(again.data()).isEqualTo(data);
            assertSameTree(data, source);
        }
    }

    /** The same data, wanted by four threads of one job at once. */
    private List<StagedData> stagedByFour() {
        var shared = new Stager.Request(StageSource.of(source), StagedForm.TREE, "job 1", false, false);
        List<CompletableFuture<StagedData>> all = Stream.generate(
                        () -> CompletableFuture.supplyAsync(() -> stager().stage(shared)))
                .limit(4)
                .toList();
        return all.stream().map(CompletableFuture::join).toList();
    }

    @Test
    void processesOfOneJobShareACopyAndTheLastOneOutDeletesIt() throws IOException {
        List<StagedData> staged = stagedByFour();
        assertThat(staged)
                .extracting(StagedData::data)
                .containsOnly(staged.getFirst().data());
        var other = new Stager.Request(StageSource.of(source), StagedForm.TREE, "job 2", false, false);
        try (StagedData apart = stager().stage(other)) {
            assertThat(apart.data()).isNotEqualTo(staged.getFirst().data());
        }
        for (StagedData each : staged.subList(1, 4)) {
            each.close();
            assertSameTree(staged.getFirst().data(), source);
        }
        staged.getFirst().close();
        assertThat(left()).isEmpty();
    }

    @Test
    void keptDataStayAndLeftoversGo() throws IOException {
        var kept = new Stager.Request(StageSource.of(source), StagedForm.TREE, "job 1", true, false);
        try (StagedData staged = stager().stage(kept)) {
            assertThat(staged.folder().isUsed()).isTrue();
        }
        assertThat(stager().sweep(CleanupScope.LEFTOVERS)).isEmpty();
        var later = new Stager.Request(StageSource.of(source), StagedForm.TREE, "job 2", false, false);
        try (StagedData staged = stager().stage(later)) {
            assertThat(left()).containsExactly(staged.folder().path());
            assertThat(stager().sweep(ALL)).isEmpty(); // it is in use
        }
        Files.delete(left().getFirst().resolve("keep"));
        assertThat(stager().sweep(CleanupScope.LEFTOVERS)).hasSize(1);
        assertThat(left()).isEmpty();
    }

    @Test
    void whatBelongsToAJobGoesWithIt() throws IOException {
        stager().stage(request(source, StagedForm.TREE)).close();
        assertThat(stager().sweep(CleanupScope.LEFTOVERS)).isEmpty();
        assertThat(new Stager(place, Map.of(), new Progress()).sweep(CleanupScope.LEFTOVERS))
                .hasSize(1);
    }

    /** A home on this node, in another container. */
    private static ProcessHome container() {
        ProcessHome here = ProcessHome.current();
        return new ProcessHome(here.host(), here.boot(), "pid:[1]");
    }

    /** A copy that nobody holds, of an owner who seems to be dead here. */
    private Path owned(String owner, ProcessHome home) throws IOException {
        var note = new StagedNote(source.toString(), StagedForm.TREE, "identity", "", owner, home, "data/src");
        StagedFolder made = StagedFolder.create(place, note, true);
        made.leave();
        Files.delete(made.path().resolve("keep"));
        Files.setLastModifiedTime(made.path(), FileTime.from(Instant.now().minusSeconds(90)));
        return made.path();
    }

    @Test
    void theListHasSizesEvenOfWhatIsBeingDeleted() throws IOException {
        Path packed = pack("x.arrow");
        long[] expected = {
            Files.size(packed) + Files.size(Sidecar.beside(packed)),
            9_000_000 + "bytes of cat/1.jpg".length() * 2 + "bytes of dog/ü.jpg".getBytes(StandardCharsets.UTF_8).length
        };
        try (StagedData file = stager().stage(request(packed, StagedForm.FILE));
                StagedData tree = stager().stage(request(source, StagedForm.TREE))) {
            Files.createSymbolicLink(tree.data().resolve("loop"), tree.data());
            long link = tree.data().toString().length();
            var listed = new ArrayList<Stager.Listed>();
            stager().list(listed::add);
            assertThat(listed)
                    .extracting(Stager.Listed::bytes)
                    .containsExactlyInAnyOrder(expected[0], expected[1] + link);
            Stager.Listed gone =
                    new Stager.Listed(temp.resolve("gone"), "", StagedForm.FILE.name(), file.data(), "", false, "");
            assertThat(gone.bytes()).isZero();
            Stager.Listed mount = new Stager.Listed(
                    listed.getFirst().folder(), "", StagedForm.MOUNT.name(), file.data(), "", false, "");
            assertThat(mount.bytes()).as("a mount holds nothing of its own").isZero();
        }
    }

    @Test
    void whatAnotherNodeOrContainerStagedStays() throws IOException {
        ProcessHome here = ProcessHome.current();
        var node = new ProcessHome("other", "another start", here.processes());
        var sameName = new ProcessHome(here.host(), "another start", "pid:[1]");
        for (String owner : new String[] {"session 999999999 1", "Slurm job 999999999"}) {
            for (ProcessHome home : new ProcessHome[] {node, sameName, container()}) {
                Path theirs = owned(owner, home);
                assertThat(stager().sweep(CleanupScope.LEFTOVERS)).isEmpty();
                assertThat(stager().sweep(ALL)).isEmpty();
                var listed = new ArrayList<Stager.Listed>();
                stager().list(listed::add);
                assertThat(listed).singleElement().satisfies(each -> {
                    assertThat(each.folder()).isEqualTo(theirs);
                    assertThat(each.elsewhere()).isEqualTo(home.describe(here));
                    assertThat(each.state()).isEqualTo("owned by " + home.describe(here));
                });
                assertThat(stager().sweep(new CleanupScope(false, true))).containsExactly(theirs);
            }
            Path mine = owned(owner, here);
            assertThat(stager().sweep(CleanupScope.LEFTOVERS)).containsExactly(mine);
        }
    }

    @Test
    void aRunOfAnotherNodeStaysAndOneOfAnotherContainerIsToldByItsLock() throws IOException {
        Path theirs = owned(StagedOwner.NONE, new ProcessHome("other", "another start", "pid:[1]"));
        assertThat(stager().sweep(ALL)).isEmpty();
        Path left = owned(StagedOwner.NONE, container());
        assertThat(stager().sweep(CleanupScope.LEFTOVERS)).containsExactly(left);
        assertThat(theirs).exists();
    }

    @Test
    void whatIsLeftFromBeforeARestartGoes() throws IOException {
        ProcessHome here = ProcessHome.current();
        var before = new ProcessHome(here.host(), "another start", "pid:[4026531836]");
        assumeTrue(before.isEarlier(here), "only outside a container can an earlier start of the node be told");
        assumeTrue(
                StagingPlace.isOfOneNode(place.folder()), "only a local filesystem tells that no other node sees it");
        Path left = owned("session 999999999 1", before);
        assertThat(stager().sweep(CleanupScope.LEFTOVERS)).containsExactly(left);
    }

    @Test
    void anUnreadableNoteMayNameAnyone() throws IOException {
        for (String text : new String[] {"", "{}", "{\"source\":\"/x\",\"form\":\"LATER\"}"}) {
            Path folder = owned("session 999999999 1", ProcessHome.current());
            Files.writeString(folder.resolve("note.json"), text);
            Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minusSeconds(90)));
            assertThat(stager().sweep(CleanupScope.LEFTOVERS)).isEmpty();
            var listed = new ArrayList<Stager.Listed>();
            stager().list(listed::add);
            assertThat(listed).extracting(Stager.Listed::state).containsExactly("its note cannot be read");
            assertThat(stager().sweep(new CleanupScope(false, true))).containsExactly(folder);
        }
    }

    @Test
    void aLockThatCannotBeOpenedIsNotTakenForNone() throws IOException {
        Path folder = owned("session 999999999 1", ProcessHome.current());
        Files.delete(folder.resolve("lock"));
        Files.createDirectory(folder.resolve("lock")); // cannot be opened for writing
        Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minusSeconds(90)));
        assertThatThrownBy(() -> stager().sweep(CleanupScope.LEFTOVERS)).hasMessageContaining("lock] cannot be opened");
        assertThat(folder.resolve("data")).exists();
    }

    @Test
    void anotherJobsCopyThatMayGoFirstIsNotUsed() throws IOException {
        StagedData first = stager().stage(request(source, StagedForm.TREE));
        first.close();
        var other = new Stager(place, Map.of("SLURM_JOB_ID", "2"), new Progress());
        // Held, since the second job sees no process of the first and would delete its copy.
        try (StagedData held =
                stager().stage(new Stager.Request(StageSource.of(source), StagedForm.TREE, "", false, false))) {
            assertThat(held.data()).isEqualTo(first.data());
            try (StagedData second = other.stage(request(source, StagedForm.TREE))) {
                assertThat(second.data()).isNotEqualTo(first.data());
            }
        }
    }

    @Test
    void aCopyOfAnotherNodeIsNotUsed() throws IOException {
        var kept = new Stager.Request(StageSource.of(source), StagedForm.TREE, "", true, false);
        Path folder;
        try (StagedData staged = stager().stage(kept)) {
            folder = staged.folder().path();
        }
        StagedNote note = StagedNote.read(folder);
        var node = new ProcessHome("other", "another start", "pid:[1]");
        new StagedNote(note.source(), note.form(), note.identity(), note.job(), note.owner(), node, note.data())
                .write(folder);
        try (StagedData again = stager().stage(kept)) {
            assertThat(again.folder().path()).isNotEqualTo(folder);
        }
        assertThat(folder).exists();
    }

    @Test
    void whoLocksThePlaceDisturbsNobody() throws Exception {
        var locked = new ProcessBuilder("flock", place.folder().toString(), "cat").start();
        try {
            var probe = new ProcessBuilder("flock", "-n", place.folder().toString(), "true");
            while (probe.start().waitFor() == 0) {
                Thread.onSpinWait(); // not locked yet
            }
            List<StagedData> staged = stagedByFour();
            assertThat(staged)
                    .extracting(StagedData::data)
                    .containsOnly(staged.getFirst().data());
            staged.forEach(StagedData::close);
        } finally {
            locked.destroy();
            locked.waitFor();
        }
    }

    @Test
    void aLockOfAnotherUserIsNamed() throws IOException {
        assumeTrue(LocalSocket.user() == 0, "only root can give files away");
        Path lock = Files.createFile(place.folder().resolve(".stoker-0.lock"));
        Files.setAttribute(lock, "unix:uid", 12_345);
        assertThatThrownBy(() -> stager().stage(request(source, StagedForm.TREE)))
                .isInstanceOf(StokerException.class)
                .hasMessage("[" + lock + "] should be yours, since it is the lock that your processes stage with, but"
                        + " belongs to another user; ask for it to be deleted, or choose another place with --to");
    }

    @Test
    void nobodyJoinsWhatIsHalfDeleted() throws IOException {
        var kept = new Stager.Request(StageSource.of(source), StagedForm.TREE, "", true, false);
        StagedData first = stager().stage(kept);
        first.close();
        Path half = first.folder().path();
        Files.delete(half.resolve("lock")); // and then its process was killed
        try (StagedData second = stager().stage(kept)) {
            assertThat(second.folder().path()).isNotEqualTo(half);
            assertThat(stager().sweep(ALL)).isEmpty(); // it may be alive after all
            Files.setLastModifiedTime(half, FileTime.from(Instant.now().minusSeconds(90)));
            assertThat(stager().sweep(ALL)).containsExactly(half);
        }
    }

    @Test
    void deletionTakesTheNoteEarlyAndTheLockLast() throws IOException {
        for (int i = 0; i < 3000; i++) {
            Files.writeString(source.resolve("cat/many" + i), "");
        }
        StagedData staged =
                stager().stage(new Stager.Request(StageSource.of(source), StagedForm.TREE, "", false, false));
        Path folder = staged.folder().path();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(staged::close);
        while (!closing.isDone()) {
            boolean isLocked = Files.exists(folder.resolve("lock"));
            boolean hasUsers = Files.exists(folder.resolve("users"));
            boolean hasData = Files.exists(staged.data().resolve("dog/empty"));
            boolean isNoted = Files.exists(folder.resolve("note.json"));
            assertThat(isNoted && !(hasUsers && hasData))
                    .as("noted, with a part")
                    .isFalse();
            assertThat(!isLocked && (hasUsers || hasData))
                    .as("a part, without lock")
                    .isFalse();
        }
        closing.join();
        assertThat(left()).isEmpty();
    }

    @Test
    void whatOthersPlantIsNotFollowed() throws IOException {
        Path victim = Files.createDirectory(temp.resolve("victim"));
        Files.writeString(victim.resolve("note.json"), "{}");
        Path planted = place.folder().resolve("stoker-" + "0".repeat(32));
        Files.createSymbolicLink(planted, victim);
        Path open = Files.createDirectory(place.folder().resolve("stoker-" + "1".repeat(32)));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(stager().sweep(ALL)).isEmpty();
        assertThat(victim.resolve("note.json")).exists();
        assertThat(open).exists();
    }

    @Test
    void aPlaceWhereOthersCouldReplaceFilesIsRefused() throws IOException {
        Path open = Files.createDirectory(temp.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> StagingPlace.at(open)).hasMessageContaining("other users could replace its contents");
        assertThatThrownBy(() -> StagingPlace.at(temp.resolve("none"))).hasMessageContaining("there is no such folder");
    }

    @Test
    void aPlaceThatOthersCouldMoveAwayIsRefused() throws IOException {
        Path open = Files.createDirectory(temp.resolve("open"));
        Path mine = Files.createDirectories(open.resolve("a/mine"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> StagingPlace.at(mine))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("mine] cannot be staged into: others could replace it, since [")
                .hasMessageContaining("open] is world-writable without the sticky bit")
                .hasMessageContaining("[" + open.toRealPath() + "]");
        Files.setAttribute(open, "unix:mode", 01777);
        assertThat(StagingPlace.at(mine).folder()).isEqualTo(mine.toRealPath());
        Files.setAttribute(open, "unix:mode", 02770); // colleagues are trusted
        assertThat(StagingPlace.at(mine).folder()).isEqualTo(mine.toRealPath());
    }

    @Test
    void aPlaceBelowAnotherUsersFolderIsRefusedWhereEverybodyWrites() throws IOException {
        assumeTrue(LocalSocket.user() == 0, "only root can give files away");
        Path open = Files.createDirectory(temp.resolve("open"));
        Path theirs = Files.createDirectory(open.resolve("theirs"));
        Path mine = Files.createDirectory(theirs.resolve("mine"));
        Files.setAttribute(theirs, "unix:uid", 12_345);
        assertThat(StagingPlace.at(mine).folder()).isEqualTo(mine.toRealPath()); // a colleague's
        Files.setAttribute(open, "unix:mode", 01777);
        assertThatThrownBy(() -> StagingPlace.at(mine))
                .hasMessageContaining("[" + theirs.toRealPath() + "] belongs to user");
    }

    @Test
    void aUsualPlaceThatIsRefusedIsPassedOver() throws IOException {
        Path open = Files.createDirectory(temp.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(StagingPlace.usual(Map.of("STOKER_LOCAL", open.toString())))
                .extracting(StagingPlace::folder)
                .containsExactly(Path.of("/dev/shm"));
    }

    /** Each way in which a file is read while it is staged. */
    @Test
    void aFileThatIsWrittenWhileItIsStagedGivesNoCopy() throws IOException {
        Path plain = Files.write(temp.resolve("plain"), new byte[100]);
        Path archive = temp.resolve("x.tar");
        tar(archive, "src/cat");
        Path compressed = temp.resolve("x.tar.gz");
        try (var out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
            Files.copy(archive, out);
        }
        record Case(Path path, StagedForm form) {}
        for (Case each : new Case[] {
            new Case(plain, StagedForm.FILE),
            new Case(archive, StagedForm.TREE),
            new Case(compressed, StagedForm.TREE),
            new Case(pack("x.arrow"), StagedForm.TREE)
        }) {
            var writing = new Stager(place, JOB, new Progress(), folder -> rewrite(each.path));
            assertThatThrownBy(() -> writing.stage(request(each.path, each.form)))
                    .isInstanceOf(StokerException.class)
                    .hasMessageStartingWith("[" + each.path + "] changed while it was being");
            assertThat(left())
                    .allSatisfy(folder -> assertThat(folder.resolve("complete")).doesNotExist());
        }
    }

    /** Writes a file with the bytes and the time that it has: only the time of its last change is another. */
    private static void rewrite(Path file) {
        try {
            FileTime before = Files.getLastModifiedTime(file);
            Files.write(file, Files.readAllBytes(file));
            Files.setLastModifiedTime(file, before);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aDamagedSourceIsFound() throws IOException {
        Path packed = pack("x.stk");
        byte[] bytes = Workshop.read(packed);
        byte[] wanted = "bytes of cat/1.jpg".getBytes(StandardCharsets.UTF_8);
        int at =
                new String(bytes, StandardCharsets.ISO_8859_1).indexOf(new String(wanted, StandardCharsets.ISO_8859_1));
        bytes[at]++;
        Workshop.write(packed, bytes);
        assertThatThrownBy(() -> stager().stage(request(packed, StagedForm.FILE)))
                .hasMessageContaining(
                        "1 of 15 values don't match their checksums; the copy equals its source, so the source is damaged");
    }
}
