package dev.stoker.bench.sweep;

import dev.stoker.StokerException;
import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.os.AvailableCores;
import dev.stoker.remote.RemotePath;
import dev.stoker.sample.Samples;
import dev.stoker.source.SourceRequest;
import dev.stoker.source.Sources;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is packed and read.
 *
 * @param data the user's own, a folder or a container; null for generated arrays
 * @param samples how many; of the user's own so many at most, 0 for all
 * @param sampleBytes of a generated array, on average
 */
public record Workload(@Nullable Path data, long samples, int sampleBytes, long seed) {
    /** A picture of 64 x 64 pixels in three colours. */
    public static final int SAMPLE_BYTES = 64 * 64 * 3;

    public static final long SAMPLES = 20_000;

    public boolean isGenerated() {
        return data == null;
    }

    /**
     * The samples as a format gets them. Where all have one length, a format that knows types of numbers is told so. The
     * caller closes.
     */
    Samples open(Format format, boolean fixed) {
        boolean onlyBytes = format.can(Capability.VARIABLE_LENGTH) && !format.can(Capability.ANY_FIELDS);
        return open(fixed, fixed && !onlyBytes);
    }

    /** The samples as they are. The caller closes. */
    Samples open(boolean fixed, boolean asTensor) {
        if (data == null) {
            return new GeneratedArrays(samples, sampleBytes, fixed, asTensor, seed);
        }
        Samples all = Sources.open(
                new SourceRequest(data, null, true, null, 4 * AvailableCores.allocated(), BadFilePolicy.refused()));
        if (all.count() == 0) {
            all.close();
            throw new StokerException(data, "has no samples: there is nothing to measure");
        }
        return samples > 0 && samples < all.count() ? new SomeSamples(all, samples) : all;
    }

    Map<String, @Nullable Object> toJson() {
        var values = new LinkedHashMap<String, @Nullable Object>();
        values.put("data", data == null ? null : data.toString());
        values.put("samples", samples);
        values.put("sample_bytes", sampleBytes);
        values.put("seed", seed);
        return values;
    }

    /** What {@link #toJson} wrote. */
    static Workload of(Message message) {
        return new Workload(
                message.member("data") instanceof String path ? RemotePath.of(path) : null,
                message.number("samples"),
                (int) message.number("sample_bytes"),
                message.number("seed"));
    }
}
