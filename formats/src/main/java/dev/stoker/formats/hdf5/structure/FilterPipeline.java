package dev.stoker.formats.hdf5.structure;

import dev.stoker.block.CodecPipeline;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The filters that chunks of a dataset went through, the first one first; decoding goes back from the last. Those that
 * Stoker cannot undo are refused by name.
 */
public record FilterPipeline(List<Filter> filters) {
    static final FilterPipeline NONE = new FilterPipeline(List.of());

    private static final int GZIP = 1;
    private static final int SHUFFLE = 2;
    private static final int FLETCHER32 = 3;
    private static final int LZO = 305;
    private static final int LZF = 32000;
    private static final int ZSTD = 32015;
    /** From this number on a filter is no part of the library, and is written with its name. */
    private static final int NAMED = 256;

    /**
     * @param width the first of the numbers that it is written with: for shuffle the width of what it
     *     shuffles; 0 if it was never applied, as the library does with references to heaps
     */
    private record Filter(int id, long width) {}

    public static FilterPipeline of(DatasetHeader dataset) {
        ObjectHeader.Message message = dataset.header().find(HeaderMessages.FILTERS);
        if (message == null) {
            return NONE;
        }
        var read = new FilterPipeline(read(dataset.file(), message));
        read.requireKnown(dataset);
        return read;
    }

    private static List<Filter> read(FileBytes file, ObjectHeader.Message message) {
        int version = file.u8(message.at());
        int count = file.u8(message.at() + 1);
        if (version < 1 || version > 2) {
            throw file.unsupported("a list of filters has version " + version + "; Stoker reads 1 and 2");
        }
        var filters = new ArrayList<Filter>();
        long at = message.at() + (version == 1 ? 8 : 2);
        for (int i = 0; i < count; i++) {
            int id = file.u16(at);
            boolean isNamed = version == 1 || id >= NAMED;
            int nameBytes = isNamed ? file.u16(at + 2) : 0;
            int values = file.u16(at + (isNamed ? 6 : 4));
            long numbers = at + (isNamed ? 8 : 6) + (version == 1 ? nameBytes + 7 & -8 : nameBytes);
            at = numbers + 4L * values + (version == 1 && values % 2 == 1 ? 4 : 0);
            if (numbers + 4L * values > message.end()) {
                throw file.corrupt(message.at(), "a list of " + count + " filters should end at " + message.end());
            }
            filters.add(new Filter(id, values == 0 ? 0 : file.u32(numbers)));
        }
        return filters;
    }

    private void requireKnown(DatasetHeader dataset) {
        var seen = new HashSet<Integer>();
        for (Filter filter : filters) {
            boolean isKnown = switch (filter.id) {
                case GZIP, SHUFFLE, FLETCHER32, LZF, ZSTD -> true;
                default -> false;
            };
            if (!isKnown || !seen.add(filter.id) || compressing(seen) > 1) {
                throw dataset.file()
                        .unsupported(dataset.label() + " has chunks that went through " + names()
                                + "; Stoker undoes gzip, lzf, zstd, shuffle and fletcher32, each at most once and one that"
                                + " compresses; " + advice(dataset.path()));
            }
        }
    }

    /** What takes the filters off: hdf5plugin has all but that of PyTables for LZO. */
    private String advice(String path) {
        return filters.stream().anyMatch(filter -> filter.id == LZO)
                ? "copy the file with a PyTables that has LZO: ptrepack --complevel 5 --complib zlib IN OUT"
                : "copy it with h5py, after import hdf5plugin: OUT['" + path + "'] = IN['" + path + "'][()]";
    }

    private static long compressing(Set<Integer> ids) {
        return Stream.of(GZIP, LZF, ZSTD).filter(ids::contains).count();
    }

    public boolean isEmpty() {
        return filters.isEmpty();
    }

    /** Whether a chunk did not go through any of them. */
    public boolean isNone(int leftOut) {
        return Integer.bitCount(leftOut & all()) == filters.size();
    }

    /** The bits of all filters. */
    public int all() {
        return (1 << filters.size()) - 1;
    }

    /** The steps that decode a chunk. */
    public CodecPipeline pipeline(int leftOut) {
        CodecPipeline pipeline = CodecPipeline.NONE;
        for (int i = filters.size() - 1; i >= 0; i--) {
            if ((leftOut >> i & 1) == 0) {
                pipeline = then(pipeline, filters.get(i));
            }
        }
        return pipeline;
    }

    /** The same filters left out, as bits of the steps of {@code pipeline(0)}: the last filter is the first step. */
    public int stepsLeftOut(int leftOut) {
        return filters.isEmpty() ? 0 : Integer.reverse(leftOut & all()) >>> Integer.SIZE - filters.size();
    }

    private static CodecPipeline then(CodecPipeline pipeline, Filter filter) {
        return switch (filter.id) {
            case GZIP -> pipeline.then("zlib");
            case LZF -> pipeline.then("lzf");
            case ZSTD -> pipeline.then("zstd");
            case FLETCHER32 -> pipeline.then("fletcher32");
            case SHUFFLE -> pipeline.then("shuffle", filter.width);
            default -> throw new IllegalStateException("a filter that was not refused: " + filter);
        };
    }

    private String names() {
        return filters.stream().map(filter -> name(filter.id)).collect(Collectors.joining(", "));
    }

    private static String name(int id) {
        return switch (id) {
            case GZIP -> "gzip";
            case SHUFFLE -> "shuffle";
            case FLETCHER32 -> "fletcher32";
            case 4 -> "szip";
            case 5 -> "nbit";
            case 6 -> "scale-offset";
            case LZO -> "lzo";
            case 307 -> "bzip2";
            case LZF -> "lzf";
            case 32001 -> "blosc";
            case 32004 -> "lz4";
            case 32008 -> "bitshuffle";
            case 32013 -> "zfp";
            case ZSTD -> "zstd";
            case 32017 -> "sz";
            case 32026 -> "blosc2";
            default -> "filter " + id;
        };
    }
}
