package dev.stoker.collect;

import dev.stoker.StokerException;
import dev.stoker.format.Collecting;
import dev.stoker.format.Container;
import dev.stoker.format.Formats;
import dev.stoker.memory.Found;
import dev.stoker.memory.MappedFile;
import dev.stoker.memory.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Turns what {@link Collector}s wrote into a container. */
public final class Seal {
    private static final int SHOWN = 5;

    private Seal() {}

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
        if (!Found.exists(partial) && !SavedHead.of(partial).exists()) {
            throw MappedFile.cannotRead(partial, new NoSuchFileException(partial.toString()));
        }
        // A file of its own: the collected one is opened by all ranks, and gets another name.
        Path lock = partial.resolveSibling(partial.getFileName() + ".sealing");
        try (OutputFile sealing = OutputFile.claim(lock)) {
            if (sealing == null) {
                throw new StokerException("[" + output + "] is being sealed by another process; wait for it");
            }
            try {
                return run(output, partial, order, salvage);
            } finally {
                Files.deleteIfExists(lock);
            }
        } catch (IOException e) {
            throw OutputFile.cannotWrite(lock, e);
        }
    }

    private static Result run(Path output, Path partial, Order order, boolean salvage) {
        SavedHead saved = SavedHead.of(partial);
        if (Found.exists(output) && saved.exists() && !Found.exists(partial)) {
            return ended(output, saved);
        }
        if (!Found.exists(partial)) {
            throw MappedFile.cannotRead(partial, new NoSuchFileException(partial.toString()));
        }
        if (Found.exists(output)) {
            throw new StokerException("[" + output + "] already exists; move it away first");
        }
        try {
            var missing = new LinkedHashSet<String>();
            CollectHead head = takeFromRanks(output, partial, order, salvage, missing);
            Result sealed = seal(head, partial, order, missing);
            Files.move(partial, output, StandardCopyOption.ATOMIC_MOVE);
            OutputFile.syncFolderOf(output);
            saved.delete();
            return sealed;
        } catch (IOException e) {
            throw OutputFile.cannotWrite(output, e);
        }
    }

    /** From then on no rank has the file open that has the name, or all of them are done. */
    private static CollectHead takeFromRanks(
            Path output, Path partial, Order order, boolean salvage, Set<String> missing) throws IOException {
        try (OutputFile file = OutputFile.openExisting(partial)) {
            SavedHead.of(partial).restore(file);
            CollectHead head = CollectHead.read(file);
            if (head == null) {
                throw new StokerException("[" + partial + "] is empty: no rank has begun to collect");
            }
            if (order == Order.INDEX && !format(head).canReorder()) {
                throw new StokerException("[" + output + "] format " + head.format()
                        + " keeps samples as they were flushed; leave out --order index and sort by a column, or"
                        + " collect into a .stk");
            }
            List<String> found = missing(head, partial);
            if (found.isEmpty()) {
                return head;
            }
            if (!salvage) {
                throw new StokerException("[" + partial + "] is not complete. Missing: " + shown(found)
                        + ". Wait until all ranks are done, or close it with what is there: stoker seal --salvage");
            }
            missing.addAll(Salvage.takeOver(head, file));
            return head;
        }
    }

    private static Collecting format(CollectHead head) {
        return Formats.named(head.format()).collecting(head.schema());
    }

    /** An earlier try gave the file its name, and was killed before it had cleaned up. */
    private static Result ended(Path output, SavedHead saved) {
        try (Container container = Container.open(output)) {
            saved.delete();
            return new Result(container.count(), Files.size(output), List.of());
        } catch (IOException e) {
            throw OutputFile.cannotWrite(output, e);
        }
    }

    private static Result seal(CollectHead head, Path partial, Order order, Set<String> missing) throws IOException {
        try (OutputFile file = OutputFile.openExisting(partial);
                MappedFile mapped = MappedFile.open(partial)) {
            SavedHead.of(partial).save(file, head);
            var scan = new Scan(head, mapped.bytes());
            var all = new Gathered(mapped.path().toString(), head, mapped.bytes(), scan);
            format(head).seal(order == Order.INDEX ? all.byIndex() : all, file);
            file.sync();
            missing.addAll(scan.missing());
            return new Result(all.count(), file.size(), List.copyOf(missing));
        }
    }

    private static List<String> missing(CollectHead head, Path partial) {
        try (MappedFile mapped = MappedFile.open(partial)) {
            return new Scan(head, mapped.bytes()).missing();
        }
    }

    private static String shown(List<String> missing) {
        String first = String.join("; ", missing.subList(0, Math.min(SHOWN, missing.size())));
        return missing.size() > SHOWN ? first + "; and " + (missing.size() - SHOWN) + " more" : first;
    }
}
