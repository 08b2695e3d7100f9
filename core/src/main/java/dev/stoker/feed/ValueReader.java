package dev.stoker.feed;

import dev.stoker.dataset.OpenDatasetFile;
import dev.stoker.os.Posix;
import java.lang.foreign.MemorySegment;

/**
 * Brings the values of a slot's rows to their places in its memory. Any number of threads may read different rows at
 * once; what a thread has for itself, it brings along.
 */
final class ValueReader {
    private static final int PROBES = 4;

    private final FeedContext job;
    private final BatchField[] fields;
    private final BatchSlot slot;
    private final BatchRows rows;
    private final BatchLayout layout;

    ValueReader(FeedContext job, BatchSlot slot) {
        this.job = job;
        this.fields = job.fields();
        this.slot = slot;
        this.rows = slot.rows();
        this.layout = slot.layout();
    }

    /** Reads all values of a row. Whatever is wrong with one of them is thrown, and names it. */
    void read(int row, ReaderThread thread) {
        OpenDatasetFile member = rows.hold(row);
        int f = 0;
        try {
            for (; f < fields.length; f++) {
                if (fields[f].shapeRank() > 0) {
                    layout.writeShape(slot.memory, f, row, member);
                }
                if (rows.isMissing(f, row)) {
                    slot.memory
                            .asSlice(layout.start(f, row), Math.max(0, layout.width(f)))
                            .fill((byte) 0);
                } else if (fields[f].isDecoded()) {
                    decode(f, row, member, thread);
                } else {
                    readValue(f, row, member, thread);
                }
            }
        } catch (InternalError e) {
            throw member.unreadable(rows.local(row), rows.source(f, row), e);
        } finally {
            rows.letGo(row);
        }
    }

    private void readValue(int f, int row, OpenDatasetFile member, ReaderThread thread) {
        long length = rows.length(f, row);
        long start = layout.start(f, row);
        if (isDirect(f, row, member)) {
            MemorySegment.copy(direct(f, row, member, thread), 0, slot.memory, start, length);
        } else {
            load(f, row, member, slot.memory, start);
        }
        if (job.verify()) {
            member.verify(rows.local(row), rows.source(f, row), slot.memory.asSlice(start, length));
        }
        if (layout.width(f) > length) {
            slot.memory.asSlice(start + length, layout.width(f) - length).fill((byte) 0);
        }
    }

    /** Brings the stored bytes of a value into memory. */
    private void load(int f, int row, OpenDatasetFile member, MemorySegment to, long at) {
        if (slot.cut.mode().isPositional()) {
            member.read(rows.local(row), rows.source(f, row), to, at, rows.length(f, row));
        } else {
            member.copy(rows.local(row), rows.source(f, row), to, at, rows.length(f, row));
        }
    }

    private void decode(int f, int row, OpenDatasetFile member, ReaderThread thread) {
        MemorySegment encoded;
        if (isDirect(f, row, member)) {
            encoded = direct(f, row, member, thread);
        } else if (slot.cut.mode().isPositional() || member.isLoose()) {
            encoded = thread.scratch(rows.length(f, row));
            load(f, row, member, encoded, 0);
        } else {
            encoded = member.slice(rows.local(row), rows.source(f, row));
        }
        if (job.verify()) {
            member.verify(rows.local(row), rows.source(f, row), encoded);
        }
        thread.decode(
                f,
                encoded,
                slot.memory,
                layout.start(f, row),
                slot.cut.start(),
                rows.place(row).sample());
    }

    private boolean isDirect(int f, int row, OpenDatasetFile member) {
        return slot.cut.mode() == ReadMode.DIRECT && isMapped(f, row, member);
    }

    private MemorySegment direct(int f, int row, OpenDatasetFile member, ReaderThread thread) {
        return member.readDirect(rows.local(row), rows.source(f, row), rows.length(f, row), thread::scratch);
    }

    /** Where mapped values are not in memory, as a few of them tell, the system is asked for all of them now. */
    void advise() {
        for (int f = 0; f < fields.length && slot.cut.mode() == ReadMode.MAP; f++) {
            boolean resident = true;
            for (int probe = 0; probe < PROBES && resident && rows.count() > 0; probe++) {
                resident = isResident(f, (int) ((long) probe * rows.count() / PROBES));
            }
            for (int row = 0; row < rows.count() && !resident; row++) {
                advise(f, row);
            }
        }
    }

    private boolean isResident(int f, int row) {
        OpenDatasetFile member = rows.hold(row);
        try {
            return !isMapped(f, row, member)
                    || member.isResident(rows.local(row), rows.source(f, row), rows.length(f, row));
        } finally {
            rows.letGo(row);
        }
    }

    private void advise(int f, int row) {
        OpenDatasetFile member = rows.hold(row);
        try {
            if (isMapped(f, row, member)) {
                member.advise(rows.local(row), rows.source(f, row), rows.length(f, row), Posix.Advice.WILL_NEED);
            }
        } finally {
            rows.letGo(row);
        }
    }

    private boolean isMapped(int f, int row, OpenDatasetFile member) {
        return !rows.isMissing(f, row) && !member.isLoose() && member.isInFile(rows.source(f, row));
    }
}
