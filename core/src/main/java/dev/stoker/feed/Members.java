package dev.stoker.feed;

import dev.stoker.StokerException;
import dev.stoker.memory.Posix;
import dev.stoker.pack.Workers;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The files of a dataset under one numbering. Each is opened once to learn what it holds; later at most {@code limit}
 * are open that nobody holds, those held last. A file that is held is never closed.
 *
 * <p>Safe for any number of threads.
 */
final class Members implements AutoCloseable {
    private static final long CHECK_NANOS = 1_000_000_000L;
    private static final int OPENING_THREADS = 16;

    private final List<Patterns.Choice> choices;
    private final int limit;
    private final Holder[] holders;
    /** The dataset's number of the first sample of each file, and at the end the number of all. */
    private final long[] starts;

    private final Schema schema;
    /** The files that are open and not held, the one held longest ago first. Guarded by this. */
    private final LinkedHashSet<Holder> idle = new LinkedHashSet<>();

    /** What is known of a file, open or not. */
    private static final class Holder {
        final Patterns.Choice choice;
        // Set when the file is opened for the first time.
        Schema schema;
        Posix.Stat stat;
        String fingerprint;
        long first;
        long count;
        boolean isLoose;
        /** The dataset's fields in the order of the file's own. */
        int[] fields;

        volatile long checkedNanos = System.nanoTime();
        /** How many hold it; guarded by the enclosing Members. */
        int held;

        @Nullable
        Member member;

        @SuppressWarnings("NullAway.Init")
        Holder(Patterns.Choice choice) {
            this.choice = choice;
        }

        /** Opens the file if it is not; opening different files goes on at the same time. */
        synchronized Member open() {
            Member open = member;
            if (open == null) {
                open = openFile();
                member = open;
            }
            return open;
        }

        private Member openFile() {
            Path path = choice.path();
            Posix.Stat now = Member.stat(path);
            Member opened = Dataset.openMember(path);
            try {
                if (stat == null) {
                    learn(opened, now);
                } else {
                    requireUnchanged(path, stat, now);
                }
                return opened;
            } catch (RuntimeException e) {
                opened.close();
                throw e;
            }
        }

        private void learn(Member opened, Posix.Stat now) {
            stat = now;
            schema = opened.samples().schema();
            fingerprint = opened.samples().fingerprint();
            isLoose = opened.isLoose();
            count = opened.samples().count();
            if (choice.split() != null) {
                Split split = find(opened.samples().splits(), choice);
                first = split.first();
                count = split.count();
            }
        }

        synchronized void close() {
            Member open = member;
            if (open != null) {
                member = null;
                open.close();
            }
        }
    }

    Members(List<Patterns.Choice> choices, int limit) {
        if (choices.isEmpty()) {
            throw new StokerException("a dataset should have at least one file but none is given");
        }
        this.choices = choices;
        this.limit = limit;
        this.holders = choices.stream().map(Holder::new).toArray(Holder[]::new);
        this.starts = new long[holders.length + 1];
        try {
            Workers.run(OPENING_THREADS, holders.length, () -> piece -> {
                hold(holders[(int) piece]);
                release(holders[(int) piece]);
            });
            this.schema = holders[0].schema;
            for (int i = 0; i < holders.length; i++) {
                holders[i].fields = fieldsOf(holders[i]);
                starts[i + 1] = Math.addExact(starts[i], holders[i].count);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static Split find(List<Split> splits, Patterns.Choice choice) {
        for (Split split : splits) {
            if (split.name().equals(choice.split())) {
                return split;
            }
        }
        throw new StokerException("[" + choice.path() + "] has no split '" + choice.split() + "'; "
                + (splits.isEmpty()
                        ? "it has none"
                        : "its splits are " + splits.stream().map(Split::name).collect(Collectors.joining(", "))));
    }

    private int[] fieldsOf(Holder holder) {
        int[] fields = new int[schema.size()];
        boolean fits =
                holder.schema.size() == schema.size() && holder.schema.classes().equals(schema.classes());
        for (int f = 0; f < fields.length && fits; f++) {
            fields[f] = holder.schema.find(schema.fields().get(f).name());
            fits = fields[f] >= 0 && holder.schema.type(fields[f]).equals(schema.type(f));
        }
        if (!fits) {
            throw new StokerException("[" + choices.getFirst().path() + "] has the fields " + describe(schema)
                    + " but [" + holder.choice.path() + "] has " + describe(holder.schema)
                    + "; files of one dataset should have the same. Feed them as several datasets: mixed by weights");
        }
        return fields;
    }

    private static String describe(Schema schema) {
        String fields = schema.fields().stream()
                .map(field -> field.name() + " " + field.type().label())
                .collect(Collectors.joining(", "));
        return schema.classes().isEmpty()
                ? fields
                : fields + " and " + schema.classes().size() + " classes from "
                        + schema.classes().getFirst() + " to "
                        + schema.classes().getLast();
    }

    Schema schema() {
        return schema;
    }

    int size() {
        return holders.length;
    }

    long count() {
        return starts[holders.length];
    }

    String fingerprint(int number) {
        Holder holder = holders[number];
        return holder.fingerprint + ":" + holder.first + ":" + holder.count;
    }

    /** Whether some file is a folder of loose files. */
    boolean isLoose() {
        return Arrays.stream(holders).anyMatch(holder -> holder.isLoose);
    }

    /** The file that a sample of the dataset lies in. */
    int find(long sample) {
        Objects.checkIndex(sample, count());
        int found = Arrays.binarySearch(starts, sample);
        if (found < 0) {
            return -found - 2;
        }
        // Files without samples begin where the next one begins.
        while (starts[found + 1] == sample) {
            found++;
        }
        return found;
    }

    /** The number that a sample of the dataset has in its file. */
    long local(int number, long sample) {
        return sample - starts[number] + holders[number].first;
    }

    /** The number that a field of the dataset has in a file. */
    int field(int number, int field) {
        return holders[number].fields[field];
    }

    /** Holds a file open; {@link #release} gives it back. Reports a file that is no longer what it was. */
    Member hold(int number) {
        return hold(holders[number]);
    }

    void release(int number) {
        release(holders[number]);
    }

    private Member hold(Holder holder) {
        synchronized (this) {
            if (holder.held++ == 0) {
                idle.remove(holder);
            }
        }
        try {
            Member member = holder.open();
            checkNowAndThen(holder);
            return member;
        } catch (RuntimeException e) {
            release(holder);
            throw e;
        }
    }

    private void release(Holder holder) {
        synchronized (this) {
            if (--holder.held > 0 || holder.isLoose) {
                return;
            }
            idle.add(holder);
            if (idle.size() > limit) {
                idle.removeFirst().close();
            }
        }
    }

    private static void checkNowAndThen(Holder holder) {
        long now = System.nanoTime();
        if (now - holder.checkedNanos > CHECK_NANOS && !holder.isLoose) {
            holder.checkedNanos = now;
            requireUnchanged(holder.choice.path(), holder.stat, Member.stat(holder.choice.path()));
        }
    }

    private static void requireUnchanged(Path path, Posix.Stat then, Posix.Stat now) {
        if (then.kind() == Posix.Kind.FOLDER || then.equals(now)) {
            return;
        }
        String what = then.size() != now.size()
                ? "it had " + then.size() + " bytes and has " + now.size()
                : then.inode() != now.inode() || then.device() != now.device()
                        ? "another file has its name"
                        : "it was written at another time";
        throw new ChangedFileException("[" + path + "] changed while it was fed: " + what
                + ". What was delivered may be of both; start again with a file that stays as it is");
    }

    @Override
    public void close() {
        synchronized (this) {
            for (Holder holder : holders) {
                holder.close();
            }
            idle.clear();
        }
    }
}
