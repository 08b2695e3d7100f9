package dev.stoker.image.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The build runs the tests of pixels twice, with the incubating module and without. */
class WithoutVectorsTest {
    @Test
    void plainJavaIsChosenExactlyWhereTheModuleIsMissing() {
        boolean present = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
        assertThat(Kernels.best() == Kernels.scalar()).isEqualTo(!present);
        assertThat(Kernels.best().name()).startsWith(present ? "vector " : "scalar");
    }
}
