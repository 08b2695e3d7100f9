package dev.stoker.cli.container;

import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import java.util.Locale;

/**
 * What people ask of a format for training data, in the words and the order that courses on the subject compare formats
 * by. Each answer follows from what a format says that it can do, and is proven by a test that every format passes.
 *
 * <p>FL: samples of fixed length. VL: samples of variable length.
 */
public enum Criterion {
    FAST_FL_RANDOM_ACCESS("fixedLengthSamplesAreReadWhereTheyLie", Capability.IN_PLACE, false),
    FAST_VL_RANDOM_ACCESS("samplesOfAnyLengthAreReadWhereTheyLie", Capability.IN_PLACE, true),
    FL_USABILITY("fixedLengthSamplesAreReadByOneCall", Capability.WRITE, false),
    VL_USABILITY("samplesOfAnyLengthAreReadByOneCall", Capability.WRITE, true),
    FL_PARALLEL_WRITING("fixedLengthSamplesAreWrittenByManyAtOnce", Capability.PARALLEL_FILL, false),
    VL_PARALLEL_WRITING("samplesOfAnyLengthAreWrittenByManyAtOnce", Capability.PARALLEL_FILL, true),
    SINGLE_FILE("aContainerIsOneFileOrNone", Capability.SINGLE_FILE, false),
    HAS_SPECIFICATION("whatOthersCanReadIsFoundWithoutTheIndex", Capability.SPECIFIED, false);

    private final String test;
    private final Capability needed;
    private final boolean isOfAnyLength;

    Criterion(String test, Capability needed, boolean isOfAnyLength) {
        this.test = test;
        this.needed = needed;
        this.isOfAnyLength = isOfAnyLength;
    }

    /** Whether a format that Stoker writes meets it. */
    public boolean isMetBy(Format format) {
        return format.can(Capability.WRITE)
                && format.can(needed)
                && (!isOfAnyLength || format.can(Capability.VARIABLE_LENGTH));
    }

    /** The test of the format contract that proves the answer, whether it is yes or no. */
    public String test() {
        return test;
    }

    /** As people read it: {@code fast FL random access}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT)
                .replace('_', ' ')
                .replace("fl ", "FL ")
                .replace("vl ", "VL ");
    }
}
