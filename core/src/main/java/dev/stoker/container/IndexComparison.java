package dev.stoker.container;

import dev.stoker.format.NumberConversion;
import dev.stoker.format.ReadBuffers;
import dev.stoker.index.Column;
import dev.stoker.index.Placement;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Whether a container's Index says what the container itself says. An Index holds copies: of numbers, keys and classes,
 * and of the places of all other values.
 */
public final class IndexComparison {
    private final Container container;
    private final Container again;

    /** Is told each difference. */
    public interface Differences {
        /** @param sample negative, and the field empty, if it is about the whole */
        void found(long sample, String field, String reason);
    }

    /** @param again the same container, looked through past its Index */
    public IndexComparison(Container container, Container again) {
        this.container = container;
        this.again = again;
    }

    public void compare(Differences differences) {
        if (again.count() != container.count()) {
            differences.found(
                    -1,
                    "",
                    "[" + container.path() + "] holds " + again.count() + " samples but its Index says "
                            + container.count());
            return;
        }
        compareMeta(differences);
        RowMapping rows = RowMapping.of(container, again);
        try (var buffers = new ReadBuffers()) {
            for (int f = 0; f < container.schema().size(); f++) {
                compareField(rows, f, buffers, differences);
            }
        }
    }

    /** Not every format holds classes and splits; what it holds is the Index's. */
    private void compareMeta(Differences differences) {
        if (!again.schema().classes().isEmpty()
                && !again.schema().classes().equals(container.schema().classes())) {
            disagree(differences, -1, "", "the classes");
        }
        if (!again.splits().isEmpty() && !again.splits().equals(container.splits())) {
            disagree(differences, -1, "", "the splits");
        }
    }

    private void compareField(RowMapping rows, int field, ReadBuffers buffers, Differences differences) {
        String name = container.schema().fields().get(field).name();
        int place = again.schema().find(name);
        Sameness sameness = place < 0 ? null : sameness(place, field, buffers);
        if (sameness == null) {
            return; // Held by the sidecar alone.
        }
        for (long i = 0; i < container.count(); i++) {
            long row = rows.of(i);
            if (row < 0 || !sameness.isSame(row, i)) {
                disagree(differences, i, name, "this value");
            }
        }
    }

    private static void disagree(Differences differences, long sample, String field, String about) {
        differences.found(sample, field, "the container's own frame and the Index disagree about " + about);
    }

    /** Whether a row of the frame and a sample of the Index have the same value in some field. */
    private interface Sameness {
        boolean isSame(long row, long sample);
    }

    /** Stored values have checksums of their own; here it matters that both mean the same bytes. Null if they cannot be compared. */
    private @Nullable Sameness sameness(int place, int field, ReadBuffers buffers) {
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
                                            new ReadBuffers.Value(again, row, place),
                                            new ReadBuffers.Value(container, i, field),
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
            return (row, i) -> NumberConversion.convert(again.value(row, place), from.dtype(), converted, to.dtype())
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
