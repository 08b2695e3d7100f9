package dev.stoker.feed;

import dev.stoker.dataset.Dataset;
import dev.stoker.dataset.DatasetFiles;
import dev.stoker.dataset.OpenDatasetFile;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Chooses how to read by looking at where the bytes of some samples are. */
final class ReadModeProbe {
    private static final int PROBES = 32;
    /** More than a page takes from memory, less than it takes from any disk. */
    private static final long FAST_NANOS = 20_000;

    private final List<Dataset> datasets;
    private final BatchField[] fields;
    private final ReadMode wanted;
    private final boolean isSequential;
    private boolean isAdvised;

    ReadModeProbe(List<Dataset> datasets, BatchField[] fields, ReadMode wanted, boolean isSequential) {
        this.datasets = datasets;
        this.fields = fields;
        this.wanted = wanted;
        this.isSequential = isSequential;
    }

    /** The way to read the epoch that begins now. */
    ReadMode choose() {
        ReadMode mode = wanted == ReadMode.AUTO ? (isInMemory() ? ReadMode.MAP : ReadMode.PREAD) : wanted;
        if (!isSequential && !isAdvised) {
            isAdvised = true;
            adviseRandom();
        }
        return mode;
    }

    /** Whether nearly all of some samples, which an own sequence of random numbers picks, are in memory. */
    private boolean isInMemory() {
        var random = new SplittableRandom(1);
        int slow = 0;
        var nanos = new long[PROBES];
        for (int i = 0; i < PROBES; i++) {
            Dataset dataset = datasets.get(random.nextInt(datasets.size()));
            if (dataset.count() == 0) {
                continue;
            }
            long sample = random.nextLong(dataset.count());
            long before = System.nanoTime();
            if (!isInMemory(dataset, sample)) {
                slow++;
            }
            nanos[i] = System.nanoTime() - before;
        }
        Arrays.sort(nanos);
        return slow <= PROBES / 10 && nanos[PROBES / 2] < FAST_NANOS;
    }

    /** Asks the system, and touches one byte: where the system does not tell, the time of the touch does. */
    private boolean isInMemory(Dataset dataset, long sample) {
        DatasetFiles members = dataset.members();
        int number = members.find(sample);
        long local = members.local(number, sample);
        OpenDatasetFile member = members.hold(number);
        try {
            for (BatchField field : fields) {
                int source = field.sources()[datasets.indexOf(dataset)];
                if (source < 0 || member.isLoose() || !member.isInFile(members.field(number, source))) {
                    continue;
                }
                int own = members.field(number, source);
                long length = member.length(local, own);
                if (length > 0) {
                    if (!member.isResident(local, own, length)) {
                        return false;
                    }
                    member.touch(local, own);
                }
            }
            return true;
        } catch (RuntimeException | InternalError e) {
            return true; // a damaged sample says nothing of the storage; whoever reads it reports it
        } finally {
            members.release(number);
        }
    }

    private void adviseRandom() {
        for (Dataset dataset : datasets) {
            DatasetFiles members = dataset.members();
            // Of many files each is small; then the little that the system reads too much does not matter.
            if (members.size() > 1 || members.isLoose()) {
                continue;
            }
            OpenDatasetFile member = members.hold(0);
            try {
                member.adviseRandom();
            } finally {
                members.release(0);
            }
        }
    }
}
