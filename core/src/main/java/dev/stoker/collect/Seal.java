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
import java.time.Duration;
import java.util.List;

/** Turns what {@link Collector}s wrote into a container. */
public final class Seal {
    /** How long a write may be under way in a rank that looked whether it may just before. */
    private static final Duration UNDER_WAY = Duration.ofSeconds(2);

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
            throw new StokerException("[" + output + "] is there already; move it away first");
        }
        try (OutputFile file = OutputFile.open(partial)) {
            saved.restore(file);
            CollectHead head = CollectHead.read(file);
            if (head == null) {
                throw new StokerException("[" + partial + "] is empty: no rank has begun to collect");
            }
            Collecting format = Formats.named(head.format()).collecting(head.schema());
            if (order == Order.INDEX && !format.canReorder()) {
                throw new StokerException("[" + output + "] format " + head.format()
                        + " keeps samples as they were flushed; leave out --order index and sort by a column, or"
                        + " collect into a .stk");
            }
            Result result = seal(head, format, file, order, salvage);
            Files.move(partial, output, StandardCopyOption.ATOMIC_MOVE);
            OutputFile.syncFolderOf(output);
            saved.delete();
            return result;
        } catch (IOException e) {
            throw OutputFile.cannotWrite(output, e);
        }
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

    private static Result seal(CollectHead head, Collecting format, OutputFile file, Order order, boolean salvage)
            throws IOException {
        List<String> missing = missing(head, file);
        if (!missing.isEmpty()) {
            if (!salvage) {
                throw new StokerException("[" + file.path() + "] is not complete. Missing: " + shown(missing)
                        + ". Wait until all ranks are done, or close it with what is there: stoker seal --salvage");
            }
            CollectHead.markSealing(file);
            sleep(UNDER_WAY);
        }
        SavedHead.of(file.path()).save(file, head);
        try (MappedFile mapped = MappedFile.open(file.path())) {
            var scan = new Scan(head, mapped.bytes());
            var all = new Gathered(mapped.path().toString(), head, mapped.bytes(), scan);
            format.seal(order == Order.INDEX ? all.byIndex() : all, file);
            file.sync();
            return new Result(all.count(), file.size(), scan.missing());
        }
    }

    private static List<String> missing(CollectHead head, OutputFile file) {
        try (MappedFile mapped = MappedFile.open(file.path())) {
            return new Scan(head, mapped.bytes()).missing();
        }
    }

    private static String shown(List<String> missing) {
        String first = String.join("; ", missing.subList(0, Math.min(SHOWN, missing.size())));
        return missing.size() > SHOWN ? first + "; and " + (missing.size() - SHOWN) + " more" : first;
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StokerException("interrupted", e);
        }
    }
}
