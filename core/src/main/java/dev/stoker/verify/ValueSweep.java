package dev.stoker.verify;

import dev.stoker.StokerException;
import dev.stoker.concurrent.WorkerPool;
import dev.stoker.io.ByteSource;
import dev.stoker.io.Checksum;
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

    WorkerPool.Worker worker() {
        return new Sweeper();
    }

    /** Goes over the values of one field, from a place on. */
    private static final class Cursor {
        final PlacedValues values;
        private long first;
        long next;
        /** Of the next value; behind everything if there is none. */
        long offset;

        long length;
        /** Of all values that were passed. */
        long bytes;

        Cursor(PlacedValues values) {
            this.values = values;
        }

        void start(long place) {
            first = values.first(place);
            next = first;
            bytes = 0;
            look();
        }

        void next() {
            bytes += length;
            next++;
            look();
        }

        private void look() {
            boolean isThere = next < values.count();
            offset = isThere ? values.offset(next) : Long.MAX_VALUE;
            length = isThere ? values.length(next) : 0;
        }

        long passed() {
            return next - first;
        }
    }

    private final class Sweeper implements WorkerPool.Worker {
        private final ReadAheadBuffer window = new ReadAheadBuffer(source);
        private final Checksum checksum = new Checksum();
        private final Cursor[] cursors = fields.stream().map(Cursor::new).toArray(Cursor[]::new);

        @Override
        public void work(long piece) {
            long behind = (piece + 1) * stretch;
            for (Cursor cursor : cursors) {
                cursor.start(piece * stretch);
            }
            for (Cursor cursor = nearest(behind); cursor != null; cursor = nearest(behind)) {
                check(cursor, behind);
                cursor.next();
            }
            for (Cursor cursor : cursors) {
                findings.looked(cursor.values.field(), cursor.passed(), cursor.bytes);
            }
        }

        /** The field whose next value begins first; null if there is none before a place. */
        private @Nullable Cursor nearest(long behind) {
            Cursor nearest = null;
            long least = behind;
            for (Cursor cursor : cursors) {
                if (cursor.offset < least) {
                    least = cursor.offset;
                    nearest = cursor;
                }
            }
            return nearest;
        }

        private void check(Cursor at, long ahead) {
            String reason = reason(at.offset, at.length, at.values.checksum(at.next), ahead);
            if (reason != null) {
                findings.wrong(at.values.sample(at.next), at.values.field(), reason);
            }
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
