package dev.stoker.bench.sweep;

import org.jspecify.annotations.Nullable;

/** Whether values of a container can be read from a mapped file, and by positional reads. */
enum Mapping {
    CHOICE,
    /** Values are in several files, or in blocks. */
    ALWAYS,
    /** Every sample is a file of its own. */
    NEVER;

    /** Why there is nothing to measure; null if there is. */
    @Nullable
    String refusal(Setting asked, Setting base) {
        if (this == ALWAYS && !asked.mmap()) {
            return "values in several files or blocks are always read through a mapping";
        }
        if (this == NEVER && asked.mmap() != base.mmap()) {
            return "loose files are never mapped";
        }
        return null;
    }
}
