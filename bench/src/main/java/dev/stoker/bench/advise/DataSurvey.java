package dev.stoker.bench.advise;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the data are, as far as a bounded look tells.
 *
 * @param samples files of a folder, or samples of a container
 * @param folders with the one that was given; 0 for a container
 * @param isAll whether all files were listed; else there are more
 * @param sampled how many of them were looked at: what follows is said of these
 * @param bytes of all samples; reckoned from those that were looked at
 * @param kinds how many of those that were looked at are of which kind; empty for a container
 * @param arrayType the type that packing gives the values, if all are arrays of one kind, such as {@code uint8[3,64,64]}
 * @param pictures null if most are none
 * @param duplicates how many of those that were looked at have the content of another of them
 * @param remains the part of the bytes that compressing leaves; not a number if that was not tried
 * @param problems what could not be read
 * @param container null for a folder of files
 */
public record DataSurvey(
        long samples,
        long folders,
        boolean isAll,
        int sampled,
        long bytes,
        SizeSpread sizes,
        Map<DataKind, Integer> kinds,
        @Nullable String arrayType,
        @Nullable Pictures pictures,
        int duplicates,
        double remains,
        Problems problems,
        @Nullable ContainerFacts container) {

    /** Pictures, by the headers of some: medians. */
    public record Pictures(int width, int height, double withoutMarkers) {
        int shortSide() {
            return Math.min(width, height);
        }
    }

    /** Files that cannot be read, and why the first of them cannot. */
    public record Problems(long count, String first) {
        static final Problems NONE = new Problems(0, "");
    }

    /**
     * A container as it is.
     *
     * @param isArchive whether its files can be extracted as they are
     * @param isLoose whether every sample is a file of its own
     * @param hasIndex whether the places of its samples are known without looking it through
     * @param blocks compressed blocks that samples lie in; 0 if each lies there as it is
     * @param storedBytes of its file
     */
    public record ContainerFacts(
            String format,
            List<String> fields,
            boolean isArchive,
            boolean isLoose,
            boolean hasIndex,
            long blocks,
            long storedBytes) {
        boolean isCompressed() {
            return blocks > 0;
        }
    }

    /** Whether most files hold many samples themselves. */
    boolean areContainers() {
        int found = 0;
        for (var entry : kinds.entrySet()) {
            found += entry.getKey().isContainer() ? entry.getValue() : 0;
        }
        return found > 0.9 * sampled;
    }

    /** Whether all values have one length, which is known when packing. */
    public boolean isFixed() {
        return arrayType != null && !arrayType.contains("*");
    }
}
