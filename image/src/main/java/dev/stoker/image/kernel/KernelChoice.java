package dev.stoker.image.kernel;

/** Chosen once, when the first decoder is made. */
final class KernelChoice {
    static final Kernels BEST = choose();

    private KernelChoice() {}

    private static Kernels choose() {
        boolean present = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
        return present && !Boolean.getBoolean("stoker.image.scalar") ? vector() : ScalarKernels.INSTANCE;
    }

    /** A method of its own, so that VectorKernels is linked only when it is wanted. */
    private static Kernels vector() {
        return VectorKernels.isSupported() ? VectorKernels.INSTANCE : ScalarKernels.INSTANCE;
    }
}
