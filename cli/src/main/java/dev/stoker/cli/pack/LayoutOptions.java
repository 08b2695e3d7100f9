package dev.stoker.cli.pack;

import dev.stoker.cli.help.Grouped;
import dev.stoker.cli.help.OptionGroup;
import dev.stoker.format.BlockPlanner;
import dev.stoker.format.FormatOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how a container is laid out, where its format leaves a choice. */
@Grouped(OptionGroup.FIELDS)
public final class LayoutOptions {
    @Option(names = "--name", paramLabel = "FIELD=NAME", description = "Store FIELD under another NAME.")
    private Map<String, String> names = new LinkedHashMap<>();

    @Option(names = "--rows-per-batch", paramLabel = "N", description = "Arrow: samples per record batch.")
    private @Nullable String rowsPerBatch;

    @Option(
            names = "--rows-per-group",
            paramLabel = "N",
            description = "Parquet: maximum number of samples per row group.")
    private @Nullable String rowsPerGroup;

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            description = {
                "HDF5: vlen (default), csr (dense bytes and offsets) or fixed (values of one length).",
                "LMDB: folder (OUT/data.mdb; default for .lmdb) or file (default for .mdb)."
            })
    private @Nullable String layout;

    @Option(
            names = "--keys",
            paramLabel = "KEYS",
            description = "LMDB: number (000000042; default) or sample (the sample's own key).")
    private @Nullable String keys;

    @Option(
            names = "--compression",
            paramLabel = "CODEC",
            description = "Compress with a codec of the format, such as zstd; photographs don't get smaller.")
    private @Nullable String compression;

    @Option(names = "--block", paramLabel = "SIZE", description = "With --compression: block size (default: 1MiB).")
    private @Nullable String block;

    public FormatOptions options() {
        return new FormatOptions(names, settings());
    }

    private Map<String, String> settings() {
        var settings = new LinkedHashMap<String, String>();
        put(settings, "rows-per-batch", rowsPerBatch);
        put(settings, "rows-per-group", rowsPerGroup);
        put(settings, "layout", layout);
        put(settings, "keys", keys);
        put(settings, BlockPlanner.COMPRESSION, compression);
        put(settings, BlockPlanner.BLOCK, block);
        return settings;
    }

    private static void put(Map<String, String> settings, String name, @Nullable String value) {
        if (value != null) {
            settings.put(name, value);
        }
    }

    /** The options as words, which are the same for all ranks of a job. */
    @Override
    public String toString() {
        return (names.isEmpty() ? "" : ", names " + names)
                + settings().entrySet().stream()
                        .map(setting -> ", --" + setting.getKey() + " " + setting.getValue())
                        .collect(Collectors.joining());
    }
}
