package dev.stoker.formats.hdf5;

import java.lang.foreign.MemorySegment;

/** The raw data of a dataset, row by row: a row is all that has the same first index. */
abstract class Rows {
    private final Dataset dataset;
    private final long bytes;

    Rows(Dataset dataset) {
        this.dataset = dataset;
        this.bytes = dataset.rowBytes();
    }

    final Dataset dataset() {
        return dataset;
    }

    final long count() {
        return dataset.rows();
    }

    /** Bytes of a row. */
    final long bytes() {
        return bytes;
    }

    /** Where a row lies in the file, or -1 if it does not lie there in one piece. */
    abstract long place(long row);

    /** Copies a row. */
    abstract void copy(long row, MemorySegment to);

    /** Whether every row lies in the file in one piece. */
    boolean isInFile() {
        for (long row = 0; row < count(); row++) {
            if (place(row) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Where the first row begins if all lie one after another, else -1. */
    long base() {
        return -1;
    }

    /** All rows one after another. */
    static final class Contiguous extends Rows {
        private final long base;

        Contiguous(Dataset dataset, long base, long length) {
            super(dataset);
            this.base = base;
            long needed = Math.multiplyExact(count(), bytes());
            FileBytes file = dataset.file();
            if (length < needed) {
                throw file.corrupt(base, dataset.label() + " should have " + needed + " bytes but has " + length);
            }
            file.require(base, needed, dataset.label());
        }

        @Override
        long place(long row) {
            return base + row * bytes();
        }

        @Override
        void copy(long row, MemorySegment to) {
            MemorySegment.copy(dataset().file().bytes(), place(row), to, 0, bytes());
        }

        @Override
        boolean isInFile() {
            return true;
        }

        @Override
        long base() {
            return base;
        }
    }

    /** Never written: every element is the fill value, and no row lies anywhere. */
    static final class Unwritten extends Rows {
        private final FillValue fill;

        Unwritten(Dataset dataset) {
            super(dataset);
            this.fill = FillValue.of(dataset);
        }

        @Override
        long place(long row) {
            return -1;
        }

        @Override
        boolean isInFile() {
            return count() == 0 || bytes() == 0;
        }

        @Override
        void copy(long row, MemorySegment to) {
            fill.fill(to);
        }
    }
}
