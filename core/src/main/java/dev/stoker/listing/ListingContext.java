package dev.stoker.listing;

import dev.stoker.concurrent.WorkerPool;
import dev.stoker.job.Team;
import dev.stoker.json.Json;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * How the files of a source are looked at: each rank of the team looks at its share, and all know the whole.
 *
 * @param threads how many requests of this rank are under way at once
 * @param output what is no part of the source where it lies in its folder; null if nothing is
 * @param filter which files are samples
 */
public record ListingContext(
        int threads, BadFilePolicy bad, Team team, @Nullable Path output, SourceFilter filter) {
    public static ListingContext alone(int threads, BadFilePolicy bad) {
        return new ListingContext(threads, bad, Team.ALONE, null, SourceFilter.usual());
    }

    /**
     * Does something with each of this rank's share of the numbers 0 … count - 1, then puts what the others found beside
     * it.
     *
     * @param what names what is found, for messages
     * @param about what the numbers stand for; must be the same in all ranks
     * @param rows a row for each number
     */
    void each(String what, String about, long count, MemorySegment rows, long width, LongConsumer look) {
        long first = team.share(count, team.rank());
        long end = team.share(count, team.rank() + 1);
        WorkerPool.each(threads, end - first, i -> {
            team.requireGoing();
            look.accept(first + i);
        });
        team.exchange(what, about, rows.asSlice(first * width, (end - first) * width), (rank, theirs) -> {
            MemorySegment to = rows.asSlice(team.share(count, rank) * width, theirs.byteSize());
            to.copyFrom(theirs);
        });
    }

    /** Lets all ranks know the bad files of each, where these are left out. */
    void shareBad() {
        if (!bad.areSkipped()) {
            return;
        }
        var mine = new ArrayList<Map<String, Object>>();
        bad.list().forEach(one -> mine.add(Map.of("path", one.path(), "reason", one.reason())));
        byte[] json = Json.write(mine).getBytes(StandardCharsets.UTF_8);
        team.exchange("bad files", "", MemorySegment.ofArray(json), (rank, theirs) -> {
            if (Json.parse(theirs.toArray(ValueLayout.JAVA_BYTE), "rank " + rank) instanceof List<?> list) {
                list.forEach(entry -> {
                    if (entry instanceof Map<?, ?> one) {
                        bad.add(String.valueOf(one.get("path")), String.valueOf(one.get("reason")));
                    }
                });
            }
        });
    }
}
