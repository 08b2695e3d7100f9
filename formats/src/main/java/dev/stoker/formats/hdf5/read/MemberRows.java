package dev.stoker.formats.hdf5.read;

import dev.stoker.formats.hdf5.structure.Datatype;
import dev.stoker.index.BlockRows;
import java.lang.foreign.MemorySegment;

/** One member of the records of a dataset of a compound type. */
final class MemberRows extends DatasetRows {
    private final DatasetRows records;
    private final long offset;

    MemberRows(DatasetRows records, Datatype.Compound.Member member) {
        super(records.dataset().member(member));
        this.records = records;
        this.offset = member.offset();
    }

    @Override
    long place(long row) {
        long place = records.place(row);
        return place < 0 ? -1 : place + offset;
    }

    @Override
    boolean isInFile() {
        return records.isInFile();
    }

    @Override
    long storedRows() {
        return records.storedRows();
    }

    @Override
    long blockBytes() {
        return records.blockBytes();
    }

    @Override
    long stride() {
        return records.bytes();
    }

    @Override
    long offset() {
        return offset;
    }

    @Override
    MemorySegment decodedRow(long row) {
        return records.decodedRow(row).asSlice(offset, bytes());
    }

    @Override
    void addBlocks(BlockRows blocks, int turned) {
        if (turned > 1) {
            throw new IllegalStateException("the numbers of a record are not all as wide");
        }
        records.addBlocks(blocks, 0);
    }
}
