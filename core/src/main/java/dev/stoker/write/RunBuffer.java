package dev.stoker.write;

import dev.stoker.block.BlockTable;
import dev.stoker.format.BlockPlan;
import dev.stoker.format.Plan;
import dev.stoker.format.Run;
import dev.stoker.format.RunWriter;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.Placement;
import dev.stoker.io.Checksum;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.io.OutputFile;
import dev.stoker.sample.Samples;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One worker's way of filling runs: their bytes gather in a buffer that is written in large pieces; places and
 * checksums of values gather beside it and go to the Index when the run is done.
 *
 * <p>Owned by one thread.
 */
final class RunBuffer implements RunWriter, AutoCloseable {
    /** Large enough for large writes, small enough to stay in a core's cache between reading and writing. */
    private static final long CAPACITY = 1 << 20;

    private static final int CHECKSUM_BYTES = 4;

    private final Samples samples;
    private final Plan plan;
    private final PlanOutput output;
    private final OutputFile indexFile;
    private final @Nullable DeferredValues notes;
    private final @Nullable BlockSpool blocks;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment buffer = arena.allocate(CAPACITY, 4096);
    private final FieldRows[] rows;
    private final Checksum runChecksum = new Checksum();
    private final Checksum valueChecksum = new Checksum();
    private final GrowingBuffer noteRows = new GrowingBuffer();

    private java.util.zip.@Nullable Checksum digest;
    /** What the run is written to; none where each sample gets a file of its own. */
    private @Nullable OutputFile file;

    /** Where that file begins among the container's bytes. */
    private long fileStart;

    /** A file that only this run is written to. */
    private @Nullable OutputFile member;
    /** Whether the run's bytes are in the file already, so that nothing is written but the Index. */
    private boolean adopting;

    /** The place in the file of the buffer's first byte. */
    private long start;

    private long filled;
    private long total;
    private long firstNote;

    RunBuffer(
            Samples samples,
            Plan plan,
            PlanOutput output,
            OutputFile indexFile,
            @Nullable DeferredValues notes,
            @Nullable BlockSpool blocks) {
        this.samples = samples;
        this.plan = plan;
        this.output = output;
        this.indexFile = indexFile;
        this.notes = notes;
        this.blocks = blocks;
        List<Placement> placements = plan.index().meta().placements();
        this.rows = placements.stream().map(FieldRows::new).toArray(FieldRows[]::new);
    }

    /** Fills a run and returns the checksum of its bytes. */
    int fill(int number) {
        Run run = plan.run(number);
        begin(run);
        plan.fill(number, this);
        endMember();
        if (total != run.length()) {
            throw new IllegalStateException(
                    "run " + number + " was planned with " + run.length() + " bytes but has " + total);
        }
        writeRows();
        return runChecksum.value();
    }

    /**
     * Takes over a run that an earlier try filled, if its bytes still have their checksum: only what the Index is to
     * know of it is found out again.
     */
    boolean adopt(int number, int checksum) {
        Run run = plan.run(number);
        begin(run);
        if (file == null
                || !addFromFile(run.offset(), run.length(), runChecksum::add)
                || runChecksum.value() != checksum) {
            closeMember();
            return false;
        }
        adopting = true;
        plan.fill(number, this);
        adopting = false;
        closeMember();
        writeRows();
        return true;
    }

    private boolean addFromFile(long offset, long length, Consumer<MemorySegment> to) {
        OutputFile from = Objects.requireNonNull(file, "what has no file is not taken over");
        for (long done = 0; done < length; ) {
            MemorySegment part = buffer.asSlice(0, Math.min(CAPACITY, length - done));
            if (!from.read(offset - fileStart + done, part)) {
                return false;
            }
            to.accept(part);
            done += part.byteSize();
        }
        return true;
    }

    private void begin(Run run) {
        PlanOutput.Place place = output.place(run.offset());
        file = place.file();
        fileStart = place.start();
        member = place.isOwn() ? file : null;
        start = run.offset();
        filled = 0;
        total = 0;
        runChecksum.reset();
        digest = null;
        noteRows.clear();
        for (FieldRows row : rows) {
            row.clear();
        }
    }

    private void writeRows() {
        for (int f = 0; f < rows.length; f++) {
            writeRows(f);
        }
        if (notes != null && noteRows.size() > 0) {
            notes.write(firstNote, noteRows.bytes());
        }
    }

    /** Hands the rows of consecutive samples to the Index. */
    private void writeRows(int field) {
        FieldRows row = rows[field];
        IndexLayout index = plan.index();
        if (row.extentRows.size() > 0) {
            indexFile.write(index.extents(field) + row.first * IndexLayout.EXTENT_BYTES, row.extentRows.bytes());
        }
        if (row.checksumRows.size() > 0) {
            indexFile.write(index.checksums(field) + row.first * CHECKSUM_BYTES, row.checksumRows.bytes());
        }
    }

    /** How many values of a field the run gave. */
    long given(int field) {
        return rows[field].given;
    }

    @Override
    public long position() {
        return start + filled;
    }

    @Override
    public void put(MemorySegment bytes) {
        digestBytes(bytes);
        if (adopting) {
            start += bytes.byteSize();
            return;
        }
        for (long done = 0; done < bytes.byteSize(); ) {
            long part = Math.min(room(), bytes.byteSize() - done);
            MemorySegment.copy(bytes, done, buffer, filled, part);
            filled += part;
            done += part;
        }
    }

    @Override
    public void zeros(long count) {
        if (adopting) {
            digestZeros(count);
            start += count;
            return;
        }
        for (long done = 0; done < count; ) {
            long part = Math.min(room(), count - done);
            digestBytes(buffer.asSlice(filled, part).fill((byte) 0));
            filled += part;
            done += part;
        }
    }

    @Override
    public void value(long sample, int field) {
        long length = samples.length(sample, field);
        FieldRows row = rowFor(sample, field);
        if (row.extents) {
            row.extentRows.addLong(position());
            row.extentRows.addLong(length);
        }
        valueChecksum.reset();
        if (adopting) {
            boolean needed = row.checksums || digest != null;
            addFromFile(position(), needed ? length : 0, part -> {
                valueChecksum.add(part);
                digestBytes(part);
            });
            start += length;
        } else {
            readValue(sample, field, length, row.checksums);
        }
        if (row.checksums) {
            samples.verify(sample, field, valueChecksum::value);
            row.checksumRows.addInt(valueChecksum.value());
        }
    }

    /** Where a sample's value is noted; rows hold consecutive samples only. */
    private FieldRows rowFor(long sample, int field) {
        FieldRows row = rows[field];
        if (sample != row.first + row.count) {
            writeRows(field);
            row.restart(sample);
        }
        row.count++;
        row.given++;
        return row;
    }

    private void readValue(long sample, int field, long length, boolean checksum) {
        if (length > CAPACITY - filled && length <= CAPACITY) {
            flush();
        }
        long done = 0;
        // Once at least: only by reading does a source notice that a file is no longer empty.
        do {
            long part = Math.min(room(), length - done);
            MemorySegment to = buffer.asSlice(filled, part);
            samples.read(sample, field, done, to);
            if (checksum) {
                valueChecksum.add(to);
            }
            digestBytes(to);
            filled += part;
            done += part;
        } while (done < length);
    }

    @Override
    public void block(int block) {
        BlockSpool spool = Objects.requireNonNull(blocks, "a plan without blocks");
        long at = plan.index().blocks() + (long) block * BlockTable.ROW_BYTES;
        indexFile.write(at, spool.row(block, position()));
        noteValues(spool, block);
        copyStored(spool, block);
    }

    /** What the Index is to know of the values of a block; their places are among the decoded bytes. */
    private void noteValues(BlockSpool spool, int block) {
        BlockPlan cut = spool.cut();
        int field = cut.field(block);
        long at = spool.address(block);
        for (long i = cut.first(cut.group(block)); i < cut.end(cut.group(block)); i++) {
            FieldRows row = rowFor(i, field);
            long length = samples.length(i, field);
            at += cut.before();
            row.extentRows.addLong(at);
            row.extentRows.addLong(length);
            row.checksumRows.addInt(spool.checksum(i, field));
            at += length;
        }
    }

    private void copyStored(BlockSpool spool, int block) {
        long stored = spool.stored(block);
        if (adopting) {
            start += stored;
            return;
        }
        for (long done = 0; done < stored; ) {
            // Asked first: for room the buffer may have to be emptied.
            long length = Math.min(room(), stored - done);
            MemorySegment part = buffer.asSlice(filled, length);
            spool.read(block, done, part);
            filled += part.byteSize();
            done += part.byteSize();
        }
    }

    @Override
    public void digest(java.util.zip.@Nullable Checksum next) {
        digest = next;
    }

    private void digestBytes(MemorySegment bytes) {
        if (digest != null) {
            digest.update(bytes.asByteBuffer());
        }
    }

    private void digestZeros(long count) {
        for (long done = 0; digest != null && done < count; ) {
            long part = Math.min(CAPACITY, count - done);
            digestBytes(buffer.asSlice(0, part).fill((byte) 0));
            done += part;
        }
    }

    @Override
    public void note(long place, int number) {
        if (noteRows.size() == 0) {
            firstNote = place;
        } else if (place != firstNote + noteRows.size() / Integer.BYTES) {
            throw new IllegalStateException("a run noted place " + place + " out of turn");
        }
        noteRows.addInt(number);
    }

    @Override
    public int[] noted(long first, int count) {
        return Objects.requireNonNull(notes, "a plan without late runs").read(first, count);
    }

    @Override
    public void file(byte[] path) {
        endMember();
        member = output.member(path);
        file = member;
        start = 0;
    }

    /** All of the member's bytes were given: what an earlier try left behind them is cut off. A planned file has its length. */
    private void endMember() {
        flush();
        if (member != null && !output.isPlanned()) {
            member.resize(start);
        }
        closeMember();
    }

    private void closeMember() {
        if (member != null) {
            member.close();
            member = null;
            file = null;
        }
    }

    /** Free bytes of the buffer, at least one. */
    private long room() {
        if (filled == CAPACITY) {
            flush();
        }
        return CAPACITY - filled;
    }

    private void flush() {
        if (filled > 0) {
            MemorySegment bytes = buffer.asSlice(0, filled);
            Objects.requireNonNull(file, "a folder needs file()").write(start - fileStart, bytes);
            runChecksum.add(bytes);
            total += filled;
        }
        start += filled;
        filled = 0;
    }

    @Override
    public void close() {
        closeMember();
        noteRows.close();
        for (FieldRows row : rows) {
            row.extentRows.close();
            row.checksumRows.close();
        }
        arena.close();
    }
}
