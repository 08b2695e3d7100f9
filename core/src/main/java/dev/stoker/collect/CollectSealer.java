package dev.stoker.collect;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.container.Container;
import dev.stoker.format.CollectingLayout;
import dev.stoker.format.Formats;
import dev.stoker.io.MappedFile;
import dev.stoker.io.OutputFile;
import dev.stoker.io.OutputNames;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Turns what {@link Collector}s wrote into a container. */
@PublicApi
public final class CollectSealer {
    private static final int SHOWN = 5;

    private CollectSealer() {}

    /** The order that the samples get. */
    public enum Order {
        /** By rank, and as each rank gave them. */
        RANK,
        /** By the index that each was given with. */
        INDEX
    }

    /** What was sealed, and a line for everything that is missing. */
    public record Result(long samples, long bytes, List<String> missing) {
        public Result {
            missing = List.copyOf(missing);
        }
    }

    /**
     * Seals the file that was collected under a name.
     *
     * @param salvage whether ranks that were not closed are left as they are; they cannot add anything from then on
     */
    public static Result run(Path output, Order order, boolean salvage) {
        Path partial = Collector.partial(output);
        if (!FileProbe.exists(partial) && !HeaderBackup.of(partial).exists()) {
            throw FileErrors.cannotRead(partial, new NoSuchFileException(partial.toString()));
        }
        // A file of its own: the collected one is opened by all ranks, and gets another name.
        Path lock = OutputNames.sealing(partial);
        try (OutputFile sealing = OutputFile.claim(lock)) {
            if (sealing == null) {
                throw new StokerException(output, "is being sealed by another process; wait for it");
            }
            try {
                return run(output, partial, order, salvage);
            } finally {
                Files.deleteIfExists(lock);
            }
        } catch (IOException e) {
            throw FileErrors.cannotWrite(lock, e);
        }
    }

    private static Result run(Path output, Path partial, Order order, boolean salvage) {
        HeaderBackup saved = HeaderBackup.of(partial);
        if (FileProbe.exists(output) && saved.exists() && !FileProbe.exists(partial)) {
            return ended(output, saved);
        }
        if (!FileProbe.exists(partial)) {
            throw FileErrors.cannotRead(partial, new NoSuchFileException(partial.toString()));
        }
        if (FileProbe.exists(output)) {
            throw new StokerException(output, "already exists; move it away first");
        }
        try {
            var missing = new LinkedHashSet<String>();
            CollectHeader head = takeFromRanks(output, partial, order, salvage, missing);
            Result sealed = seal(head, partial, order, missing);
            Files.move(partial, output, StandardCopyOption.ATOMIC_MOVE);
            OutputFile.syncFolderOf(output);
            saved.delete();
            return sealed;
        } catch (IOException e) {
            throw FileErrors.cannotWrite(output, e);
        }
    }

    /** From then on no rank has the file open that has the name, or all of them are done. */
    private static CollectHeader takeFromRanks(
            Path output, Path partial, Order order, boolean salvage, Set<String> missing) throws IOException {
        try (OutputFile file = OutputFile.openExisting(partial)) {
            HeaderBackup.of(partial).restore(file);
            CollectHeader head = CollectHeader.read(file);
            if (head == null) {
                throw new StokerException(partial, "is empty: no rank has begun to collect");
            }
            if (order == Order.INDEX && !format(head).canReorder()) {
                throw new UsageException(
                        output,
                        "format " + head.format()
                                + " keeps samples in the order they were flushed; leave out --order index and sort by a"
                                + " column, or collect into a .stk");
            }
            List<String> found = missing(head, partial);
            if (found.isEmpty()) {
                return head;
            }
            if (!salvage) {
                throw new StokerException(
                        partial,
                        "is not complete. Missing: " + shown(found)
                                + ". Wait until all ranks are done, or finish it with what was written: stoker seal --salvage");
            }
            missing.addAll(CollectSalvage.takeOver(head, file));
            return head;
        }
    }

    private static CollectingLayout format(CollectHeader head) {
        return Formats.named(head.format()).collecting(head.schema());
    }

    /** An earlier try gave the file its name, and was killed before it had cleaned up. */
    private static Result ended(Path output, HeaderBackup saved) {
        try (Container container = Container.open(output)) {
            saved.delete();
            return new Result(container.count(), Files.size(output), List.of());
        } catch (IOException e) {
            throw FileErrors.cannotWrite(output, e);
        }
    }

    private static Result seal(CollectHeader head, Path partial, Order order, Set<String> missing) throws IOException {
        try (OutputFile file = OutputFile.openExisting(partial);
                MappedFile mapped = MappedFile.open(partial)) {
            HeaderBackup.of(partial).save(file, head);
            var scan = new BatchScanner(head, mapped.bytes());
            var all = new BatchedSamples(mapped.path().toString(), head, mapped.bytes(), scan);
            format(head).seal(order == Order.INDEX ? all.byIndex() : all, file);
            file.sync();
            missing.addAll(scan.missing());
            return new Result(all.count(), file.size(), List.copyOf(missing));
        }
    }

    private static List<String> missing(CollectHeader head, Path partial) {
        try (MappedFile mapped = MappedFile.open(partial)) {
            return new BatchScanner(head, mapped.bytes()).missing();
        }
    }

    private static String shown(List<String> missing) {
        String first = String.join("; ", missing.subList(0, Math.min(SHOWN, missing.size())));
        return missing.size() > SHOWN ? first + "; and " + (missing.size() - SHOWN) + " more" : first;
    }
}
