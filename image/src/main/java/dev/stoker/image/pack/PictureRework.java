package dev.stoker.image.pack;

import dev.stoker.StokerException;
import dev.stoker.image.ImageException;
import dev.stoker.image.jpeg.JpegDecoder;
import dev.stoker.image.jpeg.RestartInserter;
import dev.stoker.transform.ValueTransform;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes pictures while they are packed. What needs no change stays byte for byte.
 *
 * @param size how small pictures are made
 * @param restartInterval MCUs between restart markers in JPEGs; 0 for none
 * @param check every picture is decoded; those that cannot be are bad
 */
public record PictureRework(Optional<SizeLimit> size, int restartInterval, boolean check) implements ValueTransform {
    public PictureRework {
        if (restartInterval != 0) {
            new RestartInserter(restartInterval); // refuses what is no interval
        }
    }

    @Override
    public String phase() {
        return size.isPresent() ? "resizing" : restartInterval != 0 ? "adding restart markers" : "checking pictures";
    }

    @Override
    public String settings() {
        return toString();
    }

    @Override
    public Worker worker() {
        var shrinker = size.map(Shrinker::new).orElse(null);
        var restarts = restartInterval == 0 ? null : new RestartInserter(restartInterval);
        var check = this.check ? new PictureCheck() : null;
        return value -> {
            try {
                return apply(value, check, shrinker, restarts);
            } catch (ImageException e) {
                throw new StokerException("byte " + e.offset() + ": " + e.reason(), e);
            }
        };
    }

    private static byte @Nullable [] apply(
            MemorySegment value,
            @Nullable PictureCheck check,
            @Nullable Shrinker shrinker,
            @Nullable RestartInserter restarts) {
        if (check != null) {
            check.decode(value);
        }
        byte[] smaller = shrinker == null ? null : shrinker.apply(value);
        MemorySegment now = smaller == null ? value : MemorySegment.ofArray(smaller);
        byte[] marked = restarts != null && JpegDecoder.isJpeg(now) ? restarts.insert(now) : null;
        return marked != null ? marked : smaller;
    }
}
