package dev.stoker.pack;

import dev.stoker.StokerException;
import dev.stoker.block.Block;
import dev.stoker.block.BlockTable;
import dev.stoker.format.Container;
import dev.stoker.index.Column;
import dev.stoker.index.Placement;
import dev.stoker.memory.Found;
import dev.stoker.memory.MappedFile;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A container with a sidecar tells a second time where its values lie: it is looked through anew, and both must agree. */
final class FrameCheck {
    private final Container container;
    private final Verifier verifier;

    FrameCheck(Container container, Verifier verifier) {
        this.container = container;
        this.verifier = verifier;
    }

    void run() {
        if (container.index().isContainer() || container.isRemote()) {
            return;
        }
        try {
            if (UnknownFiles.canBeIn(container)) {
                checkUnknown();
            } else {
                checkFiles();
                checkEdges();
                compare();
            }
        } catch (StokerException e) {
            verifier.found(Verifier.Kind.FRAME, -1, "", String.valueOf(e.getMessage()));
        } catch (InternalError e) {
            String reason =
                    String.valueOf(MappedFile.unreadable(container.path(), e).getMessage());
            verifier.found(Verifier.Kind.FRAME, -1, "", reason);
        }
    }

    /** Loose files have no frame: the values have told whether all are there, but not whether there are more. */
    private void checkUnknown() {
        UnknownFiles unknown = UnknownFiles.of(container);
        if (unknown.count() > 0) {
            verifier.found(Verifier.Kind.FRAME, -1, "", unknown.describe(container.path()));
        }
    }

    /** The files of a folder are as long as what the Index says of their blocks. */
    private void checkFiles() {
        if (!container.index().hasBlocks() || !Found.isFolder(container.path())) {
            return;
        }
        BlockTable table = container.index().blocks();
        var ends = new long[table.files().size() + 1];
        for (long number = 0; number < table.count(); number++) {
            Block block = table.block(number);
            if (table.pipeline(block).isPlain()) {
                ends[block.file()] = Math.max(ends[block.file()], block.offset() + block.stored());
            }
        }
        for (int n = 1; n < ends.length; n++) {
            Path file = container.path().resolve(table.files().get(n - 1));
            long size = file.toFile().length();
            if (size < ends[n]) {
                verifier.found(
                        Verifier.Kind.FRAME,
                        -1,
                        "",
                        "[" + file + "] should have " + ends[n] + " bytes but has " + size);
            }
        }
    }

    private void checkEdges() {
        if (!container.fitsItsIndex()) {
            verifier.found(
                    Verifier.Kind.EDGE,
                    -1,
                    "",
                    "[" + container.path()
                            + "] its first or last 65,536 bytes are not those that its Index was made for");
        }
    }

    private void compare() {
        try (Container again = Container.openAnew(container.path(), container.format())) {
            if (again.count() != container.count()) {
                verifier.found(
                        Verifier.Kind.FRAME,
                        -1,
                        "",
                        "[" + container.path() + "] holds " + again.count() + " samples but its Index says "
                                + container.count());
                return;
            }
            compareMeta(again);
            FrameRows rows = FrameRows.of(container, again);
            try (var buffers = new Buffers()) {
                for (int f = 0; f < container.schema().size(); f++) {
                    compareField(again, rows, f, buffers);
                }
            }
        }
    }

    /** Not every format holds classes and splits; what it holds is the Index's. */
    private void compareMeta(Container again) {
        if (!again.schema().classes().isEmpty()
                && !again.schema().classes().equals(container.schema().classes())) {
            disagree(-1, "", "the classes");
        }
        if (!again.splits().isEmpty() && !again.splits().equals(container.splits())) {
            disagree(-1, "", "the splits");
        }
    }

    private void compareField(Container again, FrameRows rows, int field, Buffers buffers) {
        String name = container.schema().fields().get(field).name();
        int place = again.schema().find(name);
        Sameness sameness = place < 0 ? null : sameness(again, place, field, buffers);
        if (sameness == null) {
            return; // Held by the sidecar alone.
        }
        for (long i = 0; i < container.count(); i++) {
            long row = rows.of(i);
            if (row < 0 || !sameness.isSame(row, i)) {
                disagree(i, name, "this value");
            }
        }
    }

    private void disagree(long sample, String field, String about) {
        verifier.found(
                Verifier.Kind.FRAME, sample, field, "the container's own frame and the Index disagree about " + about);
    }

    /** Whether a row of the frame and a sample of the Index have the same value in some field. */
    private interface Sameness {
        boolean isSame(long row, long sample);
    }

    /** Stored values have checksums of their own; here it matters that both mean the same bytes. Null if they cannot be compared. */
    private @Nullable Sameness sameness(Container again, int place, int field, Buffers buffers) {
        FieldType derivedType = again.schema().type(place);
        FieldType keptType = container.schema().type(field);
        Column derived = again.column(place);
        Column kept = container.column(field);
        boolean samePlaces = isIn(again, place, Placement.Place.FILE) && isIn(container, field, Placement.Place.FILE)
                || isIn(again, place, Placement.Place.BLOCKS)
                        && isIn(container, field, Placement.Place.BLOCKS)
                        && again.index().hasSameBlocks(container.index());
        if (derivedType.equals(keptType) || isPlain(derivedType) && isPlain(keptType)) {
            return (row, i) -> derived.length(row) == kept.length(i)
                    && (kept.length(i) == 0 // nothing has no place
                            || (samePlaces
                                    ? derived.offset(row) == kept.offset(i)
                                    : buffers.areSame(
                                            new Buffers.Value(again, row, place),
                                            new Buffers.Value(container, i, field),
                                            kept.length(i))));
        }
        if (samePlaces) {
            // The Index knows more of the type: the numbers in a .npy, which are bytes to the frame.
            return (row, i) -> kept.length(i) == 0
                    || kept.offset(i) >= derived.offset(row)
                            && kept.offset(i) + kept.length(i) <= derived.offset(row) + derived.length(row);
        }
        if (derivedType instanceof FieldType.Scalar from && keptType instanceof FieldType.Scalar to) {
            MemorySegment converted = MemorySegment.ofArray(new byte[to.dtype().bytes()]);
            return (row, i) -> Numbers.convert(again.value(row, place), from.dtype(), converted, to.dtype())
                    && converted.mismatch(container.value(i, field)) < 0;
        }
        return null;
    }

    private static boolean isPlain(FieldType type) {
        return type instanceof FieldType.Bytes || type instanceof FieldType.Text;
    }

    private static boolean isIn(Container container, int field, Placement.Place place) {
        return container.index().placement(field).place() == place;
    }
}
