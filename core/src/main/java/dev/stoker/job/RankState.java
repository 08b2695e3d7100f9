package dev.stoker.job;

import dev.stoker.StokerException;
import dev.stoker.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a rank says of itself in its file.
 *
 * @param who the process, for people: its number and its node
 * @param nonce tells it from every other process, also from one with the same number on another node
 * @param launcher the scheduler's name of the job; empty if there is none
 * @param work what the rank was given to do
 * @param beat grows as long as the process lives
 * @param told the steps that it reached, with their texts
 * @param failure why it left early; null while it did not
 */
record RankState(
        int rank,
        int world,
        String who,
        String nonce,
        String launcher,
        String work,
        long beat,
        Map<String, String> told,
        @Nullable String failure) {
    RankState {
        told = new LinkedHashMap<>(told);
    }

    RankState withBeat() {
        return new RankState(rank, world, who, nonce, launcher, work, beat + 1, told, failure);
    }

    RankState with(Team.Step step, String text) {
        var more = new LinkedHashMap<>(told);
        more.put(step.name(), text);
        return new RankState(rank, world, who, nonce, launcher, work, beat, more, failure);
    }

    RankState withFailure(String reason) {
        return new RankState(rank, world, who, nonce, launcher, work, beat, told, reason);
    }

    @Nullable
    String told(Team.Step step) {
        return told.get(step.name());
    }

    /** Whether the process said that it does nothing any more. */
    boolean isOver() {
        return failure != null || told(Team.Step.LEFT) != null;
    }

    /** Whether another state shows that somebody was alive in between. */
    boolean isSameMoment(RankState other) {
        return beat == other.beat && nonce.equals(other.nonce);
    }

    /** The rank for messages. */
    String name() {
        return "rank " + rank + " (" + who + ")";
    }

    /** The job for messages. */
    String job() {
        return (launcher.isEmpty() ? "a job" : launcher) + " of " + world + " ranks, " + name() + ", with: " + work;
    }

    byte[] toJson() {
        var all = new LinkedHashMap<String, @Nullable Object>();
        all.put("rank", (long) rank);
        all.put("world", (long) world);
        all.put("who", who);
        all.put("nonce", nonce);
        all.put("launcher", launcher);
        all.put("work", work);
        all.put("beat", beat);
        all.put("told", told);
        all.put("failure", failure);
        return Json.write(all).getBytes(StandardCharsets.UTF_8);
    }

    /** Reads what {@link #toJson} wrote; null for anything else: a file that a filesystem shows in parts is not there yet. */
    static @Nullable RankState ofJson(String file, byte[] json) {
        try {
            if (!(Json.parse(json, file) instanceof Map<?, ?> all)
                    || !(all.get("rank") instanceof Long rank)
                    || !(all.get("world") instanceof Long world)
                    || !(all.get("who") instanceof String who)
                    || !(all.get("nonce") instanceof String nonce)
                    || !(all.get("launcher") instanceof String launcher)
                    || !(all.get("work") instanceof String work)
                    || !(all.get("beat") instanceof Long beat)
                    || !(all.get("told") instanceof Map<?, ?> steps)) {
                return null;
            }
            var told = new LinkedHashMap<String, String>();
            steps.forEach((step, text) -> told.put(String.valueOf(step), String.valueOf(text)));
            String failure = all.get("failure") instanceof String reason ? reason : null;
            return new RankState(
                    Math.toIntExact(rank), Math.toIntExact(world), who, nonce, launcher, work, beat, told, failure);
        } catch (StokerException | ArithmeticException e) {
            return null;
        }
    }
}
