package dev.stoker.dataset;

import dev.stoker.StokerException;
import dev.stoker.concurrent.WorkerPool;
import dev.stoker.container.Container;
import dev.stoker.sample.Omission;
import dev.stoker.sample.Schema;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The files of a dataset under one numbering. Each is opened once to learn what it holds; later at most {@code limit}
 * are open that nobody holds, those held last. A file that is held is never closed.
 *
 * <p>Safe for any number of threads.
 */
public final class DatasetFiles implements AutoCloseable {
    private static final int OPENING_THREADS = 16;

    private final List<FilePatterns.Choice> choices;
    private final int limit;
    private final DatasetFile[] files;
    /** The dataset's number of the first sample of each file, and at the end the number of all. */
    private final long[] starts;

    private final Schema schema;
    /** The files that are open and not held, the one held longest ago first. Guarded by this. */
    private final LinkedHashSet<DatasetFile> idle = new LinkedHashSet<>();

    DatasetFiles(List<FilePatterns.Choice> choices, int limit) {
        if (choices.isEmpty()) {
            throw new StokerException("a dataset should have at least one file but none is given");
        }
        this.choices = choices;
        this.limit = limit;
        this.files = choices.stream().map(DatasetFile::new).toArray(DatasetFile[]::new);
        this.starts = new long[files.length + 1];
        try {
            WorkerPool.run(OPENING_THREADS, files.length, () -> piece -> {
                hold(files[(int) piece]);
                release(files[(int) piece]);
            });
            this.schema = files[0].schema;
            for (int i = 0; i < files.length; i++) {
                files[i].fields = fieldsOf(files[i]);
                starts[i + 1] = Math.addExact(starts[i], files[i].count);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private int[] fieldsOf(DatasetFile file) {
        int[] fields = new int[schema.size()];
        boolean fits =
                file.schema.size() == schema.size() && file.schema.classes().equals(schema.classes());
        for (int f = 0; f < fields.length && fits; f++) {
            fields[f] = file.schema.find(schema.fields().get(f).name());
            fits = fields[f] >= 0 && file.schema.type(fields[f]).equals(schema.type(f));
        }
        if (!fits) {
            throw new StokerException(
                    choices.getFirst().path(),
                    "has the fields " + describe(schema)
                            + " but [" + file.choice.path() + "] has " + describe(file.schema)
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

    public int size() {
        return files.length;
    }

    long count() {
        return starts[files.length];
    }

    String fingerprint(int number) {
        DatasetFile file = files[number];
        return file.fingerprint + ":" + file.first + ":" + file.count;
    }

    List<Omission> omissions() {
        return Arrays.stream(files)
                .flatMap(file -> file.omissions.stream())
                .distinct()
                .toList();
    }

    /** Whether some file is a folder of loose files. */
    public boolean isLoose() {
        return Arrays.stream(files).anyMatch(file -> file.isLoose);
    }

    /** Whether all files may stay open, so that a batch can hold those of all its samples. */
    public boolean keepsOpen() {
        return files.length <= limit;
    }

    /**
     * Reports a file that is no longer what it was. Those that are not open were looked at when they last were, and will
     * be when they are opened again.
     */
    public void requireUnchanged() {
        for (DatasetFile file : files) {
            if (file.isOpen()) {
                file.requireUnchanged();
            }
        }
    }

    /** The file that a sample of the dataset lies in. */
    public int find(long sample) {
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
    public long local(int number, long sample) {
        return sample - starts[number] + files[number].first;
    }

    /** The number that a field of the dataset has in a file. */
    public int field(int number, int field) {
        return files[number].fields[field];
    }

    /** Compares the Index of every file with its checksums and with the file. */
    public void verifyIndexes() {
        WorkerPool.run(OPENING_THREADS, files.length, () -> piece -> {
            OpenDatasetFile member = hold(files[(int) piece]);
            try {
                if (member.samples() instanceof Container container) {
                    container.verifyIndex();
                }
            } finally {
                release(files[(int) piece]);
            }
        });
    }

    /** Holds a file open; {@link #release} gives it back. Reports a file that is no longer what it was. */
    public OpenDatasetFile hold(int number) {
        return hold(files[number]);
    }

    public void release(int number) {
        release(files[number]);
    }

    private OpenDatasetFile hold(DatasetFile file) {
        synchronized (this) {
            if (file.held++ == 0) {
                idle.remove(file);
            }
        }
        try {
            OpenDatasetFile member = file.open();
            file.checkNowAndThen();
            return member;
        } catch (RuntimeException e) {
            release(file);
            throw e;
        }
    }

    private void release(DatasetFile file) {
        synchronized (this) {
            // One that could not be opened is not idle either.
            if (--file.held > 0 || !file.isOpen() || file.isFolder()) {
                return;
            }
            idle.add(file);
            if (idle.size() > limit) {
                idle.removeFirst().close();
            }
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            for (DatasetFile file : files) {
                file.close();
            }
            idle.clear();
        }
    }
}
