package dev.stoker.format;

import dev.stoker.index.IndexLayout;
import java.util.List;

/**
 * What a plan comes to.
 *
 * @param index the Index that the finished container will have, in itself or as its sidecar
 * @param length bytes of the finished container (of all its files together, where it is a folder)
 * @param runs the pieces that writers fill
 */
public record PlanOutline(IndexLayout index, long length, List<Run> runs) {
    public PlanOutline {
        runs = List.copyOf(runs);
    }
}
