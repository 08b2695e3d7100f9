package dev.stoker.pack;

import dev.stoker.StokerException;
import dev.stoker.memory.ByteSource;
import dev.stoker.memory.Checksum;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares the values of some fields that lie in the same bytes with their checksums, from front to back. The bytes are
 * cut into stretches, each for one worker; a value belongs to the stretch that it begins in.
 */
final class ValueSweep {
    private static final long MOST_STRETCH = 16 << 20;
    private static final long LEAST_STRETCH = 1 << 20;
    private static final int STRETCHES_PER_WORKER = 8;

    private final ByteSource source;
    private final List<PlacedValues> fields;
    private final boolean readsAhead;
    private final long stretch;
    /** Behind the beginning of every value. The source may be shorter than it should be. */
    private final long end;

    private final Findings findings;

    /** Is told what was found. */
    interface Findings {
        void wrong(long sample, int field, String reason);

        /** So many values of a field, right or wrong, were looked at. Told once for each stretch, since values may be tiny. */
        void looked(int field, long values, long bytes);
    }

    /** @param readsAhead whether most of the bytes are needed; else only those of the values are read */
    ValueSweep(ByteSource source, List<PlacedValues> fields, boolean readsAhead, int workers, Findings findings) {
        this.source = source;
        this.fields = fields;
        this.readsAhead = readsAhead;
        this.end = fields.stream().mapToLong(PlacedValues::end).max().orElse(0);
        // A power of two: the order of the values is exact up to some bits at most.
        this.stretch = Long.highestOneBit(
                Math.clamp(end / ((long) workers * STRETCHES_PER_WORKER), LEAST_STRETCH, MOST_STRETCH));
        this.findings = findings;
    }

    long stretches() {
        return Math.ceilDiv(end, stretch);
    }

    Workers.Worker worker() {
        return new Sweeper();
    }

    private final class Sweeper implements Workers.Worker {
        private final Window window = new Window(source);
        private final Checksum checksum = new Checksum();
        private final long[] next = new long[fields.size()];
        private final long[] first = new long[fields.size()];
        private final long[] bytes = new long[fields.size()];

        @Override
        public void work(long piece) {
            long behind = (piece + 1) * stretch;
            for (int f = 0; f < next.length; f++) {
                first[f] = fields.get(f).first(piece * stretch);
                next[f] = first[f];
                bytes[f] = 0;
            }
            for (int f = nearest(behind); f >= 0; f = nearest(behind)) {
                bytes[f] += check(fields.get(f), next[f]++, behind);
            }
            for (int f = 0; f < next.length; f++) {
                findings.looked(fields.get(f).field(), next[f] - first[f], bytes[f]);
            }
        }

        /** The field whose next value begins first; -1 if there is none before a place. */
        private int nearest(long behind) {
            int nearest = -1;
            long least = behind;
            for (int f = 0; f < next.length; f++) {
                if (next[f] < fields.get(f).count() && fields.get(f).offset(next[f]) < least) {
                    least = fields.get(f).offset(next[f]);
                    nearest = f;
                }
            }
            return nearest;
        }

        /** Returns the length of the value. */
        private long check(PlacedValues values, long i, long ahead) {
            long offset = values.offset(i);
            long length = values.length(i);
            String reason = reason(offset, length, values.checksum(i), ahead);
            if (reason != null) {
                findings.wrong(values.sample(i), values.field(), reason);
            }
            return length;
        }

        private @Nullable String reason(long offset, long length, int expected, long ahead) {
            checksum.reset();
            long done = 0;
            try {
                while (done < length) {
                    MemorySegment part = window.at(offset + done, length - done, readsAhead ? ahead : 0);
                    checksum.add(part);
                    done += part.byteSize();
                }
            } catch (IOException | StokerException e) {
                return "[" + source.name(offset + done) + "] cannot be read at byte " + (offset + done) + ": "
                        + e.getMessage();
            }
            return checksum.value() == expected
                    ? null
                    : "its %d bytes from byte %d of [%s] on have the checksum %08x but should have %08x"
                            .formatted(length, offset, source.name(offset), checksum.value(), expected);
        }

        @Override
        public void close() {
            window.close();
        }
    }
}
