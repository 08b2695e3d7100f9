package dev.stoker.feed;

import dev.stoker.StokerException;
import dev.stoker.dataset.ChangedFileException;
import dev.stoker.dataset.DatasetFiles;
import dev.stoker.dataset.OpenDatasetFile;
import dev.stoker.ledger.Outcome;
import dev.stoker.order.SampleRef;
import dev.stoker.os.FileErrors;
import java.util.ArrayList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which samples a batch has: for each sample of the cut its position and what became of it, and for each row of the
 * batch the file it comes from. That is held open until {@link #release}; of a dataset of more files than may stay open
 * it is held only while it is used, between {@link #hold} and {@link #letGo}. Bad samples that are known are left out or
 * replaced here, so that reading never changes a batch.
 */
final class BatchRows {
    private final FeedContext job;
    private final BatchField[] fields;
    private BatchRange cut;

    private long[] positions = new long[0];
    private Outcome[] outcomes = new Outcome[0];

    private SampleRef[] places = new SampleRef[0];
    private @Nullable OpenDatasetFile[] members = new OpenDatasetFile[0];
    private int[] memberNumbers = new int[0];
    /** Whether the file is held for this row, and not by one before it. */
    private boolean[] holds = new boolean[0];

    private long[] locals = new long[0];
    private long[] rowPositions = new long[0];
    private boolean[] areRepeats = new boolean[0];
    private final long[][] lengths;
    private int count;
    private long bytes;
    private boolean isHeld;

    @SuppressWarnings("NullAway.Init")
    BatchRows(FeedContext job) {
        this.job = job;
        this.fields = job.fields();
        this.lengths = new long[fields.length][0];
    }

    /** Finds the samples of a cut and the length of every value. */
    void find(BatchRange newCut) {
        cut = newCut;
        count = 0;
        bytes = 0;
        isHeld = true;
        makeRoom(cut.count());
        for (int k = 0; k < cut.count(); k++) {
            addSample(k);
        }
    }

    private void makeRoom(int size) {
        if (positions.length < size) {
            positions = new long[size];
            outcomes = new Outcome[size];
            places = new SampleRef[size];
            members = new OpenDatasetFile[size];
            memberNumbers = new int[size];
            holds = new boolean[size];
            locals = new long[size];
            rowPositions = new long[size];
            areRepeats = new boolean[size];
            for (int f = 0; f < fields.length; f++) {
                lengths[f] = new long[size];
            }
        }
    }

    private void addSample(int k) {
        long position = cut.share().position(cut.from() + k);
        positions[k] = position;
        outcomes[k] = cut.share().isPadding(cut.from() + k) ? Outcome.PADDED : Outcome.DELIVERED;
        SampleRef wanted = cut.places().at(position);
        SampleRef place = wanted;
        for (long step = 1; ; step++) {
            if (!job.bad().contains(place)) {
                try {
                    addRow(position, place);
                    areRepeats[count - 1] = outcomes[k] == Outcome.PADDED;
                    break;
                } catch (StokerException e) {
                    if (job.badPolicy() == BadPolicy.FAIL || e instanceof ChangedFileException) {
                        throw e;
                    }
                    job.bad().add(place, String.valueOf(e.getMessage()));
                }
            }
            if (job.badPolicy() == BadPolicy.SKIP) {
                outcomes[k] = Outcome.BAD;
                return;
            }
            place = neighbour(position, wanted, step);
        }
        if (!place.equals(wanted) && outcomes[k] == Outcome.DELIVERED) {
            outcomes[k] = Outcome.BAD;
        }
    }

    /** The place some positions on in the same epoch, if it is of the same dataset. */
    private SampleRef neighbour(long position, SampleRef wanted, long step) {
        long size = cut.start().identity().size();
        for (long s = step; s < size; s++) {
            SampleRef place = cut.places().at((position + s) % size);
            if (place.dataset() == wanted.dataset() && !job.bad().contains(place)) {
                return place;
            }
        }
        throw new StokerException(job.describe(wanted) + " is bad, and so is every sample that could take its place");
    }

    private void addRow(long position, SampleRef place) {
        DatasetFiles all = job.members(place.dataset());
        int number = all.find(place.sample());
        OpenDatasetFile held = heldBefore(place.dataset(), number);
        OpenDatasetFile member = held == null ? all.hold(number) : held;
        long local = all.local(number, place.sample());
        try {
            for (int f = 0; f < fields.length; f++) {
                int source = fields[f].sources()[place.dataset()];
                long length = source < 0 ? 0 : member.length(local, all.field(number, source));
                lengths[f][count] = length;
                bytes += length;
            }
        } catch (RuntimeException e) {
            releaseUnless(held != null, all, number);
            throw e;
        } catch (InternalError e) {
            releaseUnless(held != null, all, number);
            FileErrors.requireFault(e);
            throw new StokerException(
                    member.path(),
                    "its Index could not be read at sample " + local + "; it became shorter, or its storage failed",
                    e);
        }
        boolean isKept = all.keepsOpen();
        if (!isKept) {
            all.release(number);
        }
        members[count] = isKept ? member : null;
        holds[count] = isKept && held == null;
        memberNumbers[count] = number;
        locals[count] = local;
        places[count] = place;
        rowPositions[count] = position;
        count++;
    }

    /** The file, if the row before is of it too: then it is held already. */
    private @Nullable OpenDatasetFile heldBefore(int dataset, int number) {
        int before = count - 1;
        boolean isSame = before >= 0 && memberNumbers[before] == number && places[before].dataset() == dataset;
        return isSame ? members[before] : null;
    }

    private static void releaseUnless(boolean isHeldBefore, DatasetFiles all, int number) {
        if (!isHeldBefore) {
            all.release(number);
        }
    }

    /** Lets go of the files. */
    void release() {
        if (isHeld) {
            for (int row = 0; row < count; row++) {
                if (holds[row]) {
                    job.members(places[row].dataset()).release(memberNumbers[row]);
                }
            }
            Arrays.fill(members, null);
            isHeld = false;
        }
    }

    int count() {
        return count;
    }

    /** The stored bytes of all values. */
    long bytes() {
        return bytes;
    }

    SampleRef place(int row) {
        return places[row];
    }

    long position(int row) {
        return rowPositions[row];
    }

    /** Whether a row is there only so that all ranks deliver equally many. */
    boolean isRepeat(int row) {
        return areRepeats[row];
    }

    /** The file of a row; {@link #letGo} follows. */
    OpenDatasetFile hold(int row) {
        OpenDatasetFile member = members[row];
        return member != null ? member : job.members(places[row].dataset()).hold(memberNumbers[row]);
    }

    void letGo(int row) {
        if (members[row] == null) {
            job.members(places[row].dataset()).release(memberNumbers[row]);
        }
    }

    /** The number of the sample in its file. */
    long local(int row) {
        return locals[row];
    }

    /** The number of a field in the file of a row. */
    int source(int f, int row) {
        int dataset = places[row].dataset();
        return job.members(dataset).field(memberNumbers[row], fields[f].sources()[dataset]);
    }

    /** The stored bytes of a value; 0 where it is missing. */
    long length(int f, int row) {
        return lengths[f][row];
    }

    /** Whether the dataset of a row does not have the field. */
    boolean isMissing(int f, int row) {
        return fields[f].sources()[places[row].dataset()] < 0;
    }

    /** What became of every sample of the cut. */
    DeliveryLog.BatchOutcome outcome() {
        var samples = new ArrayList<DeliveryLog.SampleOutcome>(cut.count());
        for (int k = 0; k < cut.count(); k++) {
            // Padding accounts for nothing: where its sample is bad there is nothing to say.
            if (outcomes[k] != Outcome.BAD || !cut.share().isPadding(cut.from() + k)) {
                samples.add(new DeliveryLog.SampleOutcome(outcomes[k], positions[k]));
            }
        }
        var closing = cut.closesEpoch() ? new BatchRange.Closing(cut.epoch(), cut.share(), cut.to()) : null;
        return new DeliveryLog.BatchOutcome(cut.epoch(), samples, closing);
    }
}
