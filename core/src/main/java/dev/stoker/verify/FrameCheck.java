package dev.stoker.verify;

import dev.stoker.StokerException;
import dev.stoker.block.Block;
import dev.stoker.block.BlockTable;
import dev.stoker.container.Container;
import dev.stoker.container.IndexComparison;
import dev.stoker.listing.UnknownFiles;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
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
                    String.valueOf(FileErrors.unreadable(container.path(), e).getMessage());
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
        if (!container.index().hasBlocks() || !FileProbe.isFolder(container.path())) {
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
            new IndexComparison(container, again)
                    .compare((sample, field, reason) -> verifier.found(Verifier.Kind.FRAME, sample, field, reason));
        }
    }
}
