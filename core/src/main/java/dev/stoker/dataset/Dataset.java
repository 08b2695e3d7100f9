package dev.stoker.dataset;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.PathKind;
import dev.stoker.format.Formats;
import dev.stoker.io.Fingerprints;
import dev.stoker.listing.FolderSource;
import dev.stoker.order.RangeSet;
import dev.stoker.os.AvailableCores;
import dev.stoker.sample.Field;
import dev.stoker.sample.Omission;
import dev.stoker.sample.Schema;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Samples of one schema under one numbering, in one file or in many, of one format or of several, or in a folder of
 * loose files.
 *
 * <pre>{@code
 * try (var data = Dataset.open(path);
 *         var feed = Feed.of(data).batch(64).shuffle(7).shard(rank, world).start()) {
 *     for (Batch batch : feed) {
 *         train(batch.values("data"), batch.values("label"));
 *     }
 * }
 * }</pre>
 *
 * Close the feeds of a dataset before the dataset. Safe for any number of threads and feeds.
 */
@PublicApi
public final class Dataset implements AutoCloseable {
    /** How many files stay open that no batch in flight is read from. */
    public static final int OPEN_FILES = 256;

    private final DatasetFiles members;
    private final String fingerprint;

    private Dataset(DatasetFiles members) {
        this.members = members;
        MessageDigest digest = Fingerprints.begin();
        for (int i = 0; i < members.size(); i++) {
            Fingerprints.add(digest, members.fingerprint(i));
        }
        this.fingerprint = Fingerprints.end(digest).substring(0, 32);
    }

    /** Opens files as they are named, one after another. */
    public static Dataset open(Path... paths) {
        return of(Arrays.stream(paths)
                .map(path -> new FilePatterns.Choice(path, null))
                .toList());
    }

    /** Opens one split of every file. */
    public static Dataset openSplit(String split, Path... paths) {
        return of(Arrays.stream(paths)
                .map(path -> new FilePatterns.Choice(path, split))
                .toList());
    }

    /**
     * Opens what patterns name: {@code train.stk}, {@code train-{0000..0146}.tar}, {@code parts/*.arrow} (in the order
     * of the names), and of any of them one split: {@code all.h5:train}.
     */
    public static Dataset open(List<String> patterns) {
        return of(FilePatterns.expand(patterns));
    }

    private static Dataset of(List<FilePatterns.Choice> choices) {
        return new Dataset(new DatasetFiles(choices, OPEN_FILES));
    }

    /** Opens files of which so many stay open. */
    public static Dataset open(List<Path> paths, int openFiles) {
        return new Dataset(new DatasetFiles(
                paths.stream().map(path -> new FilePatterns.Choice(path, null)).toList(), openFiles));
    }

    static OpenDatasetFile openMember(Path place) {
        Path path = Formats.fileOf(place);
        boolean isLoose = PathKind.isLooseFiles(path);
        return new OpenDatasetFile(
                path, isLoose ? FolderSource.list(path, true, AvailableCores.allocated()) : Container.open(path));
    }

    public Schema schema() {
        return members.schema();
    }

    public long count() {
        return members.count();
    }

    /** What its files hold and no field delivers; what several leave out is listed once. */
    public List<Omission> omissions() {
        return members.omissions();
    }

    /** How many files there are. */
    public int files() {
        return members.size();
    }

    /** The same for the same samples in the same sequence, wherever their files lie. */
    public String fingerprint() {
        return fingerprint;
    }

    /** Whether those of its files that are open still are what they were; if not, only a new dataset can read them. */
    public boolean isUnchanged() {
        try {
            members.requireUnchanged();
            return true;
        } catch (StokerException e) {
            return false;
        }
    }

    /** The sample as a person knows it: its file, number there, and key. */
    public String describe(long sample) {
        int number = members.find(sample);
        return with(
                number,
                member -> "[" + member.path() + "] " + member.samples().describe(members.local(number, sample)));
    }

    /** The key of a sample. */
    public String key(long sample) {
        int number = members.find(sample);
        int field = members.field(number, schema().place(Field.KEY));
        return with(number, member -> text(member, members.local(number, sample), field));
    }

    /** The numbers of the samples that have these keys; a key that no sample has is an error. */
    public RangeSet find(Set<String> keys) {
        int key = schema().place(Field.KEY);
        var missing = new HashSet<>(keys);
        var found = new RangeSet.Builder();
        for (long sample = 0; sample < count(); sample++) {
            int number = members.find(sample);
            long local = members.local(number, sample);
            String name = with(number, member -> text(member, local, members.field(number, key)));
            if (keys.contains(name)) {
                found.add(sample, sample + 1);
                missing.remove(name);
            }
        }
        if (!missing.isEmpty()) {
            throw new StokerException(
                    "no sample has the key " + missing.iterator().next() + " (" + missing.size() + " of " + keys.size()
                            + " keys were not found); keys include the file extension");
        }
        return found.build();
    }

    private static String text(OpenDatasetFile member, long sample, int field) {
        int length = Math.toIntExact(member.length(sample, field));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(length);
            member.copy(sample, field, bytes, 0, length);
            return new String(bytes.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        }
    }

    private String with(int number, Function<OpenDatasetFile, String> use) {
        OpenDatasetFile member = members.hold(number);
        try {
            return use.apply(member);
        } finally {
            members.release(number);
        }
    }

    public DatasetFiles members() {
        return members;
    }

    @Override
    public void close() {
        members.close();
    }
}
