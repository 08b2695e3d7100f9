package dev.stoker.pack;

import dev.stoker.StokerException;
import dev.stoker.block.Block;
import dev.stoker.block.BlockTable;
import dev.stoker.format.Container;
import dev.stoker.index.Column;
import dev.stoker.index.Placement;
import dev.stoker.memory.Checksum;
import dev.stoker.memory.MappedFile;
import dev.stoker.sample.Field;
import java.nio.file.Files;
import java.nio.file.Path;

/** A container with a sidecar tells a second time where its values lie: it is looked through anew, and both must agree. */
final class FrameCheck {
    private final Container container;
    private final Verifier verifier;

    FrameCheck(Container container, Verifier verifier) {
        this.container = container;
        this.verifier = verifier;
    }

    void run() {
        if (container.index().isContainer() || container.isRemote() || isTree()) {
            return;
        }
        try {
            checkFiles();
            checkEdges();
            compare();
        } catch (StokerException e) {
            verifier.found(Verifier.Kind.FRAME, -1, "", String.valueOf(e.getMessage()));
        } catch (InternalError e) {
            String reason =
                    String.valueOf(MappedFile.unreadable(container.path(), e).getMessage());
            verifier.found(Verifier.Kind.FRAME, -1, "", reason);
        }
    }

    /** Loose files have no frame: whether they are there, and what is in them, the values have told. */
    private boolean isTree() {
        for (int f = 0; f < container.schema().size(); f++) {
            if (isIn(container, f, Placement.Place.TREE)) {
                return true;
            }
        }
        return false;
    }

    /** The files of a folder are as long as what the Index says of their blocks. */
    private void checkFiles() {
        if (!container.index().hasBlocks() || !Files.isDirectory(container.path())) {
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
            FrameRows rows = FrameRows.of(container, again);
            try (var buffers = new Buffers()) {
                for (int f = 0; f < container.schema().size(); f++) {
                    compareField(again, rows, f, buffers);
                }
            }
        }
    }

    private void compareField(Container again, FrameRows rows, int field, Buffers buffers) {
        Field wanted = container.schema().fields().get(field);
        int place = again.schema().find(wanted.name());
        if (place < 0 || !again.schema().type(place).equals(wanted.type())) {
            return; // Held by the sidecar alone.
        }
        Column derived = again.column(place);
        Column kept = container.column(field);
        boolean samePlaces = isIn(again, place, Placement.Place.FILE) && isIn(container, field, Placement.Place.FILE)
                || isIn(again, place, Placement.Place.BLOCKS)
                        && isIn(container, field, Placement.Place.BLOCKS)
                        && Checksum.of(again.index().blocks().rows())
                                == Checksum.of(container.index().blocks().rows());
        for (long i = 0; i < container.count(); i++) {
            // Stored values have checksums of their own; here it matters that both mean the same bytes.
            long row = rows.of(i);
            boolean same = row >= 0
                    && derived.length(row) == kept.length(i)
                    && (kept.length(i) == 0 // nothing has no place
                            || (samePlaces
                                    ? derived.offset(row) == kept.offset(i)
                                    : buffers.areSame(
                                            new Buffers.Value(again, row, place),
                                            new Buffers.Value(container, i, field),
                                            kept.length(i))));
            if (!same) {
                verifier.found(
                        Verifier.Kind.FRAME,
                        i,
                        wanted.name(),
                        "the container's own frame and the Index disagree about this value");
            }
        }
    }

    private static boolean isIn(Container container, int field, Placement.Place place) {
        return container.index().placement(field).place() == place;
    }
}
