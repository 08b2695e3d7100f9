package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Capability;
import dev.stoker.format.Plan;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The answers of {@code stoker formats}, each in a test: a yes is shown, a no is refused or shown not to be. */
public interface TableContract extends Contract {
    /** Enough for several runs. */
    int SAMPLES = 1000;

    int BYTES = 5000;

    @Test
    default void fixedLengthSamplesAreReadWhereTheyLie() {
        assertReadWhereTheyLie(fixed());
    }

    @Test
    default void samplesOfAnyLengthAreReadWhereTheyLie() {
        assumeHoldsAnyLength();
        assertReadWhereTheyLie(variable());
    }

    @Test
    default void fixedLengthSamplesAreReadByOneCall() {
        assertReadByOneCall(fixed());
    }

    @Test
    default void samplesOfAnyLengthAreReadByOneCall() {
        if (workshop().format().can(Capability.VARIABLE_LENGTH)) {
            assertReadByOneCall(variable());
            return;
        }
        assertThatThrownBy(() -> workshop().pack(variable(), "refused")).isInstanceOf(StokerException.class);
        assertThat(workshop().place("refused")).doesNotExist();
    }

    @Test
    default void fixedLengthSamplesAreWrittenByManyAtOnce() {
        assertWrittenByMany(fixed());
    }

    @Test
    default void samplesOfAnyLengthAreWrittenByManyAtOnce() {
        assumeHoldsAnyLength();
        assertWrittenByMany(variable());
    }

    /** What has a specification is a container without Stoker's Index too. */
    @Test
    default void whatOthersCanReadIsFoundWithoutTheIndex() {
        Workshop shop = workshop();
        assumeTrue(shop.format().can(Capability.SPECIFIED), "it has no specification");
        MemorySamples samples = fixed();
        Path place = shop.pack(samples, "bare");
        Workshop.delete(Sidecar.beside(place));
        try (Container container = shop.open(place)) {
            int data = samples.schema().place(Field.DATA);
            int found = container.schema().place(Field.DATA);
            for (long i = 0; i < SAMPLES; i++) {
                assertThat(Same.bytes(container, i, found)).isEqualTo(Same.bytes(samples, i, data));
            }
        }
    }

    private void assumeHoldsAnyLength() {
        assumeTrue(workshop().format().can(Capability.VARIABLE_LENGTH), "samples of any length are refused");
    }

    /** The value is no copy: asked for twice, it is the same memory, which is no array of this program. */
    private void assertReadWhereTheyLie(MemorySamples samples) {
        assumeTrue(!isCompressed(), "what is compressed is decoded");
        Workshop shop = workshop();
        try (Container container = shop.open(shop.pack(samples, "placed"))) {
            int data = container.schema().place(Field.DATA);
            for (long i = SAMPLES - 1; i > 0; i /= 2) {
                MemorySegment value = container.value(i, data);
                boolean isInPlace = value.isNative()
                        && value.address() == container.value(i, data).address();
                assertThat(isInPlace)
                        .as(
                                "sample %d of format %s lies in the mapped container",
                                i, shop.format().name())
                        .isEqualTo(shop.format().can(Capability.IN_PLACE));
            }
        }
    }

    private void assertReadByOneCall(MemorySamples samples) {
        Workshop shop = workshop();
        int data = samples.schema().place(Field.DATA);
        try (Container container = shop.open(shop.pack(samples, "read"))) {
            for (long i = 0; i < SAMPLES; i++) {
                byte[] found =
                        container.value(i, container.schema().place(Field.DATA)).toArray(ValueLayout.JAVA_BYTE);
                assertThat(found).isEqualTo(Same.bytes(samples, i, data));
            }
        }
    }

    private void assertWrittenByMany(MemorySamples samples) {
        Workshop shop = workshop();
        Plan plan = shop.format().plan(samples, shop.options());
        assertThat(plan.runs() > 1 || !shop.isFile()).isEqualTo(shop.format().can(Capability.PARALLEL_FILL));
        var alone = shop.files(shop.pack(samples, "alone"));
        Path many = shop.place("many");
        shop.pack(samples, many, 7, Workshop.Existing.FORCE);
        var byMany = shop.files(many);
        assertThat(byMany.keySet()).isEqualTo(alone.keySet());
        byMany.forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(alone.get(name)));
    }

    private MemorySamples fixed() {
        var format = workshop().format();
        boolean isTensor = format.can(Capability.ANY_FIELDS) || !format.can(Capability.VARIABLE_LENGTH);
        return samples(isTensor ? new FieldType.Tensor(DType.UINT8, List.of(50L, 100L)) : new FieldType.Bytes(), 0);
    }

    private MemorySamples variable() {
        return samples(new FieldType.Bytes(), 97);
    }

    /** @param step by how many bytes a sample is shorter than the one before, up to the tenth */
    private MemorySamples samples(FieldType data, int step) {
        var samples = MemorySamples.of(new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, data));
        RandomGenerator random = workshop().random();
        for (int i = 0; i < SAMPLES; i++) {
            var bytes = new byte[BYTES - i % 10 * step];
            random.nextBytes(bytes);
            samples.add("class %d/%04d.bin".formatted(i % 3, i), bytes);
        }
        return samples.build();
    }
}
