package dev.stoker.formats.lmdb;

import dev.stoker.UsageException;
import dev.stoker.format.AbstractFormat;
import dev.stoker.format.Capability;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.index.IndexBuilder;
import dev.stoker.io.MappedFile;
import dev.stoker.os.FileProbe;
import dev.stoker.sample.Samples;
import dev.stoker.text.Spelling;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An LMDB environment (file format 1, as LMDB 0.9 writes it with 64 bits): {@code NAME.lmdb/data.mdb}, as {@code
 * lmdb.open(path)} expects it, or with {@code --layout file}, and for names that end in {@code .mdb}, one file, as
 * {@code lmdb.open(path, subdir=False)} does.
 *
 * <p>Databases:
 *
 * <pre>
 *   without splits          the main database: key to the field data (to nothing, if there is no such field)
 *   split S                 the named database "S", the same
 *   each other field F      the named database "F", or "S/F": the same keys to the field's values
 *   main database           also "stoker.schema": CRC32C in 8 hexadecimal digits, a blank, and the META of an Index
 *                           (see docs/format/index.md) as JSON
 * </pre>
 *
 * A key is the number of the sample in its split, in nine decimal digits ({@code 000000042}; more if there are more
 * than 10^9 samples); with {@code --keys sample} it is the sample's own key, and there is no database for that. Values
 * are the canonical bytes: bytes, UTF-8, little-endian numbers, row-major tensors. An array with a shape of its own is a
 * {@code .npy} file, a list of texts is a JSON array.
 *
 * <pre>
 *   page 0, 1           meta pages: the same but for their transactions, 0 and 1
 *   for each database:  the named ones in the order of splits and fields, then main
 *     leaf pages        in the order of keys, filled from the first to the last
 *     branch pages      level by level, the root last
 *     overflow pages    values for which a leaf has no room (node over 2038 bytes), in the order of keys
 * </pre>
 *
 * Where every byte lies follows from the lengths of keys and values, so many writers fill one file. There is no free
 * list. The map size is the file's; who wants to add to it gives lmdb a larger one.
 *
 * <p>Reading. Any environment with pages of 512 bytes to 64 KiB, whoever wrote it; free pages and a second, older state
 * do no harm. One without "stoker.schema" has the fields key and data, and each named database is a split; what lies in
 * the main database beside them is the split "main". Keys that are not all UTF-8 are of type bytes. Refused by name:
 * databases with several values for a key (DUPSORT), and files by 32-bit or big-endian machines. With keys of samples,
 * and without its sidecar, the samples of a container are in the order of their keys.
 */
public final class LmdbFormat extends AbstractFormat {
    static final String NAME = "lmdb";
    static final String SCHEMA_KEY = "stoker.schema";

    private static final String DATA_FILE = "data.mdb";
    private static final String LAYOUT = "layout";
    private static final String KEYS = "keys";

    private final int pageBytes;

    public LmdbFormat() {
        this(Page.USUAL_BYTES);
    }

    /** Writes pages of another size, as systems with larger ones do. */
    LmdbFormat(int pageBytes) {
        super(NAME, List.of("lmdb", "mdb"), EnumSet.allOf(Capability.class));
        this.pageBytes = pageBytes;
    }

    @Override
    public Set<String> settings() {
        return Set.of(LAYOUT, KEYS);
    }

    @Override
    public boolean matches(Path path, MemorySegment head) {
        return LmdbFile.matches(head);
    }

    @Override
    public @Nullable Path fileIn(Path folder) {
        Path file = folder.resolve(DATA_FILE);
        return FileProbe.isFile(file) ? file : null;
    }

    @Override
    public Path fileFor(Path output, FormatOptions options) {
        String name = String.valueOf(output.getFileName()).toLowerCase(Locale.ROOT);
        boolean isFile = choice(options, LAYOUT, name.endsWith(".mdb") ? "file" : "folder", "folder", "file")
                .equals("file");
        return isFile ? output : output.resolve(DATA_FILE);
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options) {
        choice(options, LAYOUT, "folder", "folder", "file");
        boolean bySample = choice(options, KEYS, "number", "number", "sample").equals("sample");
        return new LmdbPlan(samples, options, bySample, pageBytes);
    }

    private static String choice(FormatOptions options, String setting, String otherwise, String... valid) {
        String value = options.setting(setting);
        if (value == null) {
            return otherwise;
        }
        if (!List.of(valid).contains(value)) {
            throw new UsageException("format lmdb has no --" + setting + " '" + value + "'; it has "
                    + String.join(" and ", valid) + Spelling.hint(value, List.of(valid)));
        }
        return value;
    }

    @Override
    public IndexBuilder derive(MappedFile file) {
        var lmdb = LmdbFile.open(file);
        byte[] schema = lmdb.find(SCHEMA_KEY);
        return schema != null ? new PackedLmdb(lmdb, schema).derive() : new ForeignLmdb(lmdb).derive();
    }
}
