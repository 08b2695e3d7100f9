package dev.stoker.ledger;

import dev.stoker.feed.LastBatch;
import dev.stoker.order.TailPolicy;
import org.jspecify.annotations.Nullable;

/** What became of a position. All but padding account for it; {@link LedgerCheck} wants each accounted for once. */
public enum Outcome {
    DELIVERED(0),
    /** Delivered again only to give every rank equally many: {@link TailPolicy#EVEN}. */
    PADDED(1),
    /** Left out on purpose: {@link TailPolicy#DROP} or {@link LastBatch#DROP}. */
    DROPPED(2),
    /** Not delivered because its sample cannot be read, and the user chose to go on. */
    BAD(3);

    private final int code;

    Outcome(int code) {
        this.code = code;
    }

    /** The number that stands for it in a ledger; less than {@link #values()} has elements. */
    int code() {
        return code;
    }

    static @Nullable Outcome ofCode(int code) {
        return switch (code) {
            case 0 -> DELIVERED;
            case 1 -> PADDED;
            case 2 -> DROPPED;
            case 3 -> BAD;
            default -> null;
        };
    }
}
