package dev.stoker.stage;

/**
 * Which staged data that nobody holds are deleted: always those whose owners have ended.
 *
 * @param keptToo also what is to be kept, or has a living owner
 * @param elsewhereToo also what other nodes and containers have staged, whether they need it or not: that cannot be told
 */
public record CleanupScope(boolean keptToo, boolean elsewhereToo) {
    /** What nobody needs any more. */
    public static final CleanupScope LEFTOVERS = new CleanupScope(false, false);

    boolean takes(StagedOwner.Life life) {
        return switch (life) {
            case ENDED -> true;
            case LIVES -> keptToo;
            case ELSEWHERE -> elsewhereToo;
        };
    }
}
