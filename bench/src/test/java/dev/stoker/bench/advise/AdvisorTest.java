package dev.stoker.bench.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.bench.advise.Advice.Command;
import dev.stoker.feed.ReadMode;
import dev.stoker.stage.StagingChoice;
import dev.stoker.stage.StagingMode;
import dev.stoker.stage.copy.StagedForm;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rules, in situations that no test machine is in. */
class AdvisorTest {
    private static final long MEMORY = 64L << 30;
    private static final StorageTrial FAST =
            measured(20, 200_000, 3e9, new StorageTrial.Packed(400_000, 100_000, 4096));
    /** As where files are large: one mapped file is hardly faster. */
    private static final StorageTrial EVEN = measured(20, 200_000, 3e9, new StorageTrial.Packed(105_000, 100_000, 4));

    private static final AdviseRequest PLAIN = request(Path.of("photos"), 0, 0, null);

    private static DataSurvey files(long count, long size, DataKind kind) {
        return files(count, new SizeSpread(size, size, size, size, size), kind, null, Double.NaN);
    }

    private static DataSurvey files(
            long count, SizeSpread sizes, DataKind kind, @Nullable String arrayType, double remains) {
        int sampled = (int) Math.min(count, 4096);
        return new DataSurvey(
                count,
                10,
                true,
                sampled,
                (long) (count * sizes.mean()),
                sizes,
                Map.of(kind, sampled),
                arrayType,
                kind == DataKind.JPEG ? new DataSurvey.Pictures(500, 375, 1) : null,
                0,
                remains,
                DataSurvey.Problems.NONE,
                null);
    }

    private static DataSurvey container(String format, boolean isArchive, boolean hasIndex, long blocks, long bytes) {
        var facts = new DataSurvey.ContainerFacts(
                format, List.of("data bytes"), isArchive, false, hasIndex, blocks, blocks > 0 ? bytes / 3 : bytes);
        return new DataSurvey(
                1000,
                0,
                true,
                1000,
                bytes,
                new SizeSpread(bytes / 1000, bytes / 1000, bytes / 1000, bytes / 1000, bytes / 1000.0),
                Map.of(),
                null,
                null,
                0,
                Double.NaN,
                DataSurvey.Problems.NONE,
                facts);
    }

    private static StorageTrial measured(
            double openMicros, double reads, double bytes, StorageTrial.@Nullable Packed packed) {
        var one = new StorageTrial.Pace(reads / 4, bytes / 4);
        var many = new StorageTrial.Pace(reads, bytes);
        return new StorageTrial(
                new StorageTrial.Metadata(openMicros, 3 * openMicros, 1e6 / openMicros, 8e6 / openMicros),
                new StorageTrial.Reads(one, many, many, bytes, true),
                packed,
                List.of());
    }

    private static NodeFacts node(int cores) {
        return new NodeFacts(cores, MEMORY, "memory available on the node", null, "", null, "ext4", false, 1L << 50);
    }

    private static AdviseRequest request(Path data, long memory, long sample, @Nullable Path local) {
        return new AdviseRequest(data, data, false, memory, sample, local);
    }

    /** As {@link StagingChoice} does: memory if the data take at most half of it. */
    private static StagingChoice stage(Path at, boolean isFolder, StagedForm form, long bytes, long files) {
        return bytes <= MEMORY / 2
                ? new StagingChoice(StagingMode.shm, form, "it fits")
                : new StagingChoice(
                        StagingMode.direct, form, "shm: too large; local: the data is already on that disk");
    }

    private static Advice advise(DataSurvey seen) {
        return advise(seen, FAST, node(2), PLAIN);
    }

    private static Advice advise(DataSurvey seen, StorageTrial measured, NodeFacts node, AdviseRequest request) {
        Advice advice = Advisor.advise(seen, measured, node, request, AdvisorTest::stage);
        assertThat(advice.points()).extracting(Advice.Point::topic).contains("format", "staging", "reading", "batch");
        assertThat(advice.points())
                .allSatisfy(point -> assertThat(point.reason()).isNotBlank());
        return advice;
    }

    private static String command(Advice advice, String purpose) {
        return advice.commands().stream()
                .filter(command -> command.purpose().equals(purpose))
                .map(Command::line)
                .collect(Collectors.joining("\n"));
    }

    private static String reason(Advice advice, String topic) {
        return advice.points().stream()
                .filter(point -> point.topic().equals(topic))
                .map(point -> point.choice() + ": " + point.reason())
                .collect(Collectors.joining("\n"));
    }

    @Test
    void manyTinyTextsArePacked() {
        Advice advice = advise(files(1_000_000, new SizeSpread(10, 600, 2000, 5000, 700), DataKind.TEXT, null, 0.4));
        assertThat(advice.picks().format()).isEqualTo("stk");
        assertThat(advice.picks().via()).isEqualTo(StagingMode.shm);
        assertThat(advice.picks().read()).isEqualTo(ReadMode.MAP);
        assertThat(advice.picks().threads()).isEqualTo(2);
        assertThat(advice.picks().batch()).isEqualTo(256);
        assertThat(advice.picks().codec()).isEmpty();
        assertThat(advice.picks().factor()).isEqualTo(4);
        assertThat(reason(advice, "format")).contains("400k", "100k", "(4.0x faster)", "1,000,000", ".arrow");
        assertThat(reason(advice, "compression")).contains("none", "40%", "fits into memory");
        assertThat(command(advice, "pack")).isEqualTo("stoker pack photos -o photos.stk");
        assertThat(command(advice, "try"))
                .isEqualTo("stoker run --data photos.stk -- sh -c"
                        + " 'stoker feed \"$STOKER_DATA\" --batch 256 --epochs 3'");
        assertThat(command(advice, "run")).isEqualTo("stoker run --data photos.stk -- python train.py");
    }

    @Test
    void photographsArePackedAsTheyAre() {
        Advice advice =
                advise(files(4000, new SizeSpread(13_000, 76_000, 227_000, 390_000, 80_000), DataKind.JPEG, null, 1));
        assertThat(advice.picks().format()).isEqualTo("stk");
        assertThat(reason(advice, "compression")).contains("none: zstd ");
        assertThat(advice.options()).extracting(Advice.Point::choice).contains("pack --restart-interval 8");
        assertThat(advice.options()).extracting(Advice.Point::choice).doesNotContain("pack --resize 256");
        assertThat(command(advice, "pack")).doesNotContain("--resize", "--restart-interval");
        assertThat(command(advice, "python")).contains("transform=\"RandomResizedCrop(224),RandomHorizontalFlip\"");
        assertThat(advice.picks().batch()).isEqualTo(256);
    }

    @Test
    void resizingIsOnlyMentioned() {
        DataSurvey small = files(4000, 3_000_000, DataKind.JPEG);
        DataSurvey large = new DataSurvey(
                small.samples(),
                small.folders(),
                true,
                small.sampled(),
                small.bytes(),
                small.sizes(),
                small.kinds(),
                null,
                new DataSurvey.Pictures(4000, 3000, 0),
                0,
                1,
                DataSurvey.Problems.NONE,
                null);
        Advice advice = advise(large);
        assertThat(advice.options()).extracting(Advice.Point::choice).contains("pack --resize 256");
        assertThat(advice.options()).extracting(Advice.Point::choice).doesNotContain("pack --restart-interval 8");
        assertThat(command(advice, "pack")).doesNotContain("--resize");
    }

    @Test
    void arraysOfOneShapeHaveFixedLength() {
        Advice advice = advise(files(
                50_000, new SizeSpread(12_416, 12_416, 12_416, 12_416, 12_416), DataKind.NPY, "uint8[3,64,64]", 1));
        assertThat(advice.picks().isFixed()).isTrue();
        assertThat(reason(advice, "layout")).contains("fixed length", "uint8[3,64,64]");
        Advice ragged = advise(
                files(50_000, new SizeSpread(10_000, 12_000, 13_000, 14_000, 12_000), DataKind.NPY, "uint8[*,*]", 1));
        assertThat(ragged.picks().isFixed()).isFalse();
        assertThat(reason(ragged, "layout")).contains("variable length");
    }

    @Test
    void fewHugeFilesAreLeft() {
        Advice advice = advise(files(6, 50_000_000, DataKind.BINARY), EVEN, node(2), PLAIN);
        assertThat(advice.picks().format()).isEqualTo("folder");
        assertThat(advice.picks().isNew()).isFalse();
        assertThat(advice.picks().read()).isEqualTo(ReadMode.PREAD);
        assertThat(advice.picks().threads()).isEqualTo(16);
        assertThat(advice.picks().batch()).isEqualTo(1);
        assertThat(command(advice, "pack")).isEmpty();
        assertThat(command(advice, "try")).startsWith("stoker run --data photos -- ");
    }

    @Test
    void hugeFilesBehindSlowMetadataArePacked() {
        StorageTrial slow = measured(40_000, 25, 1e9, null);
        assertThat(advise(files(200, 20 << 20, DataKind.BINARY), slow, node(2), PLAIN)
                        .picks()
                        .format())
                .isEqualTo("stk");
        assertThat(advise(files(200, 20 << 20, DataKind.BINARY), EVEN, node(2), PLAIN)
                        .picks()
                        .format())
                .isEqualTo("folder");
    }

    @Test
    void hugeFilesThatFitIntoMemoryArePackedIfThatWasFaster() {
        assertThat(advise(files(6, 50_000_000, DataKind.BINARY)).picks().format())
                .isEqualTo("stk");
        assertThat(advise(files(6000, 50_000_000, DataKind.BINARY)).picks().format())
                .isEqualTo("folder");
    }

    @Test
    void manyHugeFilesArePackedForTheirInodes() {
        assertThat(advise(files(50_000, 20 << 20, DataKind.BINARY)).picks().format())
                .isEqualTo("stk");
    }

    @Test
    void oneSampleBeyondTheFeedsMemoryGetsMore() {
        Advice advice = advise(files(6, 400_000_000, DataKind.BINARY));
        assertThat(advice.picks().batch()).isEqualTo(1);
        assertThat(command(advice, "try")).contains("--batch 1 --epochs 3 --memory 1145MiB");
        assertThat(command(advice, "python")).contains("memory=1200000000");
        assertThat(reason(advice, "batch")).contains("a single sample of", "using a batch of 1");
    }

    @Test
    void filesThatAreContainersAreLeft() {
        Advice advice = advise(files(100, 1 << 30, DataKind.PARQUET));
        assertThat(advice.picks().isNew()).isFalse();
        assertThat(command(advice, "try")).contains("stoker feed 'photos/*'");
    }

    @Test
    void whatDoesNotFitIsReadWhereItIs() {
        Advice advice = advise(files(1_000_000, 100_000, DataKind.JPEG), FAST, node(64), PLAIN);
        assertThat(advice.picks().via()).isEqualTo(StagingMode.direct);
        assertThat(advice.picks().read()).isEqualTo(ReadMode.PREAD);
        assertThat(advice.picks().threads()).isEqualTo(64);
        assertThat(reason(advice, "staging")).contains("none (direct)", "too large");
        assertThat(reason(advice, "reading")).contains("4.0x faster");
    }

    @Test
    void compressionIsForWhatFitsOnlyThen() {
        SizeSpread sizes = new SizeSpread(50_000, 50_000, 50_000, 50_000, 50_000);
        Advice advice = advise(files(1_000_000, sizes, DataKind.TEXT, null, 0.3));
        assertThat(advice.picks().codec()).isEqualTo("zstd");
        assertThat(advice.picks().via()).isEqualTo(StagingMode.shm);
        assertThat(command(advice, "pack")).endsWith("-o photos.stk --compression zstd");
        Advice never = advise(files(10_000_000, sizes, DataKind.TEXT, null, 0.3));
        assertThat(never.picks().codec()).isEmpty();
        assertThat(reason(never, "compression")).contains("either way");
    }

    @Test
    void compressedContainersAreConverted() {
        Advice advice = advise(
                container("parquet", false, true, 50, 1 << 30),
                FAST,
                node(2),
                request(Path.of("a.parquet"), 0, 0, null));
        assertThat(advice.picks().format()).isEqualTo("stk");
        assertThat(command(advice, "convert")).isEqualTo("stoker convert a.parquet -o a.parquet.stk");
        assertThat(reason(advice, "format")).contains("50 compressed blocks of about 20");
    }

    @Test
    void otherContainersAreLeft() {
        Advice arrow = advise(container("arrow", false, true, 0, 1 << 30));
        assertThat(arrow.picks().format()).isEqualTo("arrow");
        assertThat(arrow.picks().isNew()).isFalse();
        assertThat(arrow.commands()).extracting(Command::purpose).containsExactly("try", "run", "python");
        Advice unknown = advise(container("arrow", false, false, 0, 1 << 30));
        assertThat(command(unknown, "index")).isEqualTo("stoker index photos");
    }

    @Test
    void anArchiveIsStagedAsItIs() {
        Advice tar = advise(container("tar", true, true, 0, 1 << 30));
        assertThat(command(tar, "try"))
                .isEqualTo("stoker feed \"$(stoker stage photos --to shm)\" --batch 64 --epochs 3");
        Advice large = advise(container("tar", true, true, 0, 1L << 40));
        assertThat(command(large, "try")).startsWith("stoker feed photos --batch ");
    }

    @Test
    void looseContainersArePacked() {
        DataSurvey seen = container("folder", false, true, 0, 1 << 30);
        DataSurvey.ContainerFacts facts =
                new DataSurvey.ContainerFacts("folder", List.of("data bytes"), false, true, true, 0, 0);
        DataSurvey loose = new DataSurvey(
                seen.samples(),
                0,
                true,
                1000,
                seen.bytes(),
                seen.sizes(),
                Map.of(),
                null,
                null,
                0,
                Double.NaN,
                DataSurvey.Problems.NONE,
                facts);
        assertThat(advise(loose).picks().format()).isEqualTo("stk");
        assertThat(command(advise(loose), "convert")).startsWith("stoker convert photos");
    }

    @Test
    void batchesFitTheGivenMemory() {
        DataSurvey seen = files(100_000, 80_000, DataKind.BINARY);
        assertThat(advise(seen, FAST, node(2), request(Path.of("p"), 16L << 30, 100_000_000, null))
                        .picks()
                        .batch())
                .isEqualTo(128);
        assertThat(advise(seen, FAST, node(2), request(Path.of("p"), 1 << 20, 100_000_000, null))
                        .picks()
                        .batch())
                .isEqualTo(1);
        assertThat(advise(seen, FAST, node(2), request(Path.of("p"), 8 << 20, 0, null))
                        .picks()
                        .batch())
                .isEqualTo(64);
        assertThat(advise(files(5, 80_000, DataKind.BINARY)).picks().batch()).isEqualTo(4);
    }

    @Test
    void theDiskThatIsNamedIsInTheCommands() {
        Advice advice = advise(
                files(10_000, 1000, DataKind.TEXT),
                FAST,
                node(2),
                request(Path.of("p"), 0, 0, Path.of("/nvme/my job")));
        assertThat(command(advice, "run"))
                .isEqualTo("STOKER_LOCAL='/nvme/my job' stoker run --data p.stk -- python train.py");
    }

    @Test
    void onLustreTheContainerIsStriped() {
        var lustre = new NodeFacts(2, MEMORY, "", null, "", null, "lustre", true, 1L << 50);
        assertThat(command(advise(files(10_000, 1000, DataKind.TEXT), FAST, lustre, PLAIN), "pack"))
                .endsWith("--stripe auto");
    }

    @Test
    void whatCannotBeReadIsLeftOutAndNamed() {
        DataSurvey good = files(10_000, 1000, DataKind.TEXT);
        DataSurvey bad = new DataSurvey(
                good.samples(),
                1,
                false,
                good.sampled(),
                good.bytes(),
                good.sizes(),
                good.kinds(),
                null,
                null,
                7,
                Double.NaN,
                new DataSurvey.Problems(3, "photos/x: Permission denied"),
                null);
        Advice advice = advise(bad);
        assertThat(command(advice, "pack")).endsWith(" --skip-bad");
        assertThat(reason(advice, "format")).contains("more than 10,000");
        assertThat(advice.options())
                .extracting(Advice.Point::reason)
                .anySatisfy(reason -> assertThat(reason).contains("3 cannot be read", "Permission denied"))
                .anySatisfy(reason -> assertThat(reason).contains("7 of 4,096"));
    }

    @Test
    void withoutFiguresThereIsAdviceToo() {
        var nothing = new StorageTrial(null, null, null, List.of());
        Advice advice = advise(files(10_000, 1000, DataKind.TEXT), nothing, node(2), PLAIN);
        assertThat(advice.picks().factor()).isZero();
        assertThat(advice.picks().format()).isEqualTo("stk");
        assertThat(advise(files(10, 50 << 20, DataKind.BINARY), nothing, node(2), PLAIN)
                        .picks()
                        .format())
                .isEqualTo("folder");
    }

    @Test
    void noRoomAndNoMountAreSaid() {
        var full = new NodeFacts(2, MEMORY, "", null, "", "there is no /dev/fuse", "ext4", false, 1000);
        Advice advice = advise(
                files(10_000, 1000, DataKind.TEXT),
                FAST,
                full,
                new AdviseRequest(Path.of("p"), Path.of("p"), true, 0, 0, null));
        assertThat(advice.options())
                .extracting(Advice.Point::choice)
                .contains("pack elsewhere", "stage --extract", "stoker advise p.stk");
    }
}
