package dev.stoker.feed;

/** What became of a position. All but padding account for it; {@link LedgerCheck} wants each accounted for once. */
public enum Outcome {
    DELIVERED,
    /** Delivered again only to give every rank equally many: {@link Tail#EVEN}. */
    PADDED,
    /** Left out on purpose: {@link Tail#DROP} or {@link LastBatch#DROP}. */
    DROPPED,
    /** Not delivered because its sample cannot be read, and the user chose to go on. */
    BAD
}
