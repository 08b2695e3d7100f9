package dev.stoker.ledger;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.order.OrderFingerprint;
import dev.stoker.order.Position;
import dev.stoker.order.RangeSet;
import dev.stoker.order.Shard;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Proves from the ledgers of all ranks and restarts of a job that every position was accounted for exactly once, or
 * says which were not; and computes where a crashed job resumes. Memory is bounded by a bit map of {@link
 * EpochCoverage#CHUNK} positions; longer epochs are read several times.
 */
@PublicApi
public final class LedgerCheck {
    /** How many ranges of missing and of doubled positions a report lists. */
    public static final int MAX_LISTED = 1000;

    private final OrderFingerprint identity;
    /** The files that speak of each epoch. */
    private final NavigableMap<Long, Set<Path>> epochs;

    private LedgerCheck(OrderFingerprint identity, NavigableMap<Long, Set<Path>> epochs) {
        this.identity = identity;
        this.epochs = epochs;
    }

    /** Reads ledgers together with those of their earlier epochs; all must be of one job. */
    public static LedgerCheck of(Collection<Path> files) {
        Survey survey = new Survey();
        for (Path file : LedgerFiles.all(files)) {
            survey.file = file;
            LedgerReader.read(file, survey);
        }
        if (survey.identity == null) {
            throw new StokerException(files + " should hold what a job delivered but are empty");
        }
        return new LedgerCheck(survey.identity, survey.epochs);
    }

    /** The job that the ledgers are of. */
    public OrderFingerprint identity() {
        return identity;
    }

    /** One report for every epoch that the ledgers speak of. */
    public List<EpochReport> reports() {
        List<EpochReport> reports = new ArrayList<>();
        epochs.forEach((epoch, files) -> reports.add(report(epoch, files)));
        return reports;
    }

    /**
     * Where the job goes on so that nothing is lost or doubled: the cursor up to which all is accounted for, and what is
     * accounted for beyond it. The ledgers must begin with the beginning of an epoch; those before it count as done.
     */
    public Position state() {
        return state(new Position(identity, epochs.isEmpty() ? 0 : epochs.firstKey(), 0, RangeSet.EMPTY));
    }

    /** Where the job goes on that began at a position, with ledgers of what came since. */
    public Position state(Position start) {
        identity.requireSame(start.identity(), "the position that the ledgers begin at");
        RangeSet.Builder accounted = new RangeSet.Builder();
        epochs.tailMap(start.epoch()).forEach((epoch, files) -> {
            long base = Math.multiplyExact(epoch - start.epoch(), identity.size());
            new EpochCoverage(epoch, identity.size(), files).forEachRange((from, to, times) -> {
                if (times > 0) {
                    accounted.add(Math.addExact(base, from), Math.addExact(base, to));
                }
            });
        });
        RangeSet before = start.cursor() == 0 ? RangeSet.EMPTY : RangeSet.between(0, start.cursor());
        return new Position(
                identity, start.epoch(), 0, accounted.build().union(before).union(start.beyond()));
    }

    private EpochReport report(long epoch, Set<Path> files) {
        EpochCoverage map = new EpochCoverage(epoch, identity.size(), files);
        Listing missing = new Listing();
        Listing doubled = new Listing();
        map.forEachRange((from, to, times) -> {
            if (times == 0) {
                missing.add(from, to);
            } else if (times > 1) {
                doubled.add(from, to);
            }
        });
        return new EpochReport(
                epoch,
                identity.size(),
                map.total(Outcome.DELIVERED),
                map.total(Outcome.PADDED),
                map.total(Outcome.DROPPED),
                map.total(Outcome.BAD),
                missing.count,
                doubled.count,
                missing.first.build(),
                doubled.first.build());
    }

    private static final class Listing {
        private final RangeSet.Builder first = new RangeSet.Builder();
        private long count;

        void add(long from, long to) {
            count += to - from;
            if (first.rangeCount() < MAX_LISTED) {
                first.add(from, to);
            }
        }
    }

    private static final class Survey implements LedgerReader.Visitor {
        private final TreeMap<Long, Set<Path>> epochs = new TreeMap<>();
        private @Nullable OrderFingerprint identity;
        private Path file = Path.of("");

        @Override
        public void job(OrderFingerprint found) {
            if (identity == null) {
                identity = found;
            }
            identity.requireSame(found, file.toString());
        }

        @Override
        public void epoch(long epoch, Shard shard) {
            epochs.computeIfAbsent(epoch, e -> new LinkedHashSet<>()).add(file);
        }
    }
}
