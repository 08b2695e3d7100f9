package dev.stoker.metric;

/** Something that counts while it works. Any thread may ask at any time. */
@FunctionalInterface
public interface Measurable {
    /** The count so far, or the state now; times in nanoseconds; 0 for what it does not count. */
    long now(Metric metric);

    /** What it is doing, in a word or two; may be empty. */
    default String note() {
        return "";
    }
}
