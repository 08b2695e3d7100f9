package dev.stoker.format;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * What people ask of a format for training data, in the words and the order that courses on the subject compare formats
 * by. Each answer follows from what a format says that it can do, and is proven by a test that every format passes.
 *
 * <p>FL: samples of fixed length. VL: samples of variable length.
 */
public enum Criterion {
    FAST_FL_RANDOM_ACCESS("fixedLengthSamplesAreReadWhereTheyLie", Ability.IN_PLACE),
    FAST_VL_RANDOM_ACCESS("samplesOfAnyLengthAreReadWhereTheyLie", Ability.IN_PLACE, Ability.VARIABLE_LENGTH),
    FL_USABILITY("fixedLengthSamplesAreReadByOneCall"),
    VL_USABILITY("samplesOfAnyLengthAreReadByOneCall", Ability.VARIABLE_LENGTH),
    FL_PARALLEL_WRITING("fixedLengthSamplesAreWrittenByManyAtOnce", Ability.PARALLEL_FILL),
    VL_PARALLEL_WRITING("samplesOfAnyLengthAreWrittenByManyAtOnce", Ability.PARALLEL_FILL, Ability.VARIABLE_LENGTH),
    SINGLE_FILE("aContainerIsOneFileOrNone", Ability.SINGLE_FILE),
    HAS_SPECIFICATION("whatOthersCanReadIsFoundWithoutTheIndex", Ability.SPECIFIED);

    private final String test;
    private final Set<Ability> needed = EnumSet.of(Ability.WRITE);

    Criterion(String test, Ability... needed) {
        this.test = test;
        this.needed.addAll(Set.of(needed));
    }

    /** Whether a format meets it. */
    public boolean isMetBy(Format format) {
        return format.abilities().containsAll(needed);
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
