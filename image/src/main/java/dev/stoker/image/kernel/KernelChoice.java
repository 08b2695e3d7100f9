package dev.stoker.image.kernel;

/** Chosen once, when the first decoder is made. */
final class KernelChoice {
    static final Kernels BEST = choose();

    private KernelChoice() {}

    private static Kernels choose() {
        boolean isScalar = Boolean.getBoolean("stoker.image.scalar") || !VectorModule.isPresent();
        return isScalar ? ScalarKernels.INSTANCE : vector();
    }

    /** A method of its own, so that VectorKernels is linked only when it is wanted. */
    private static Kernels vector() {
        return VectorKernels.isSupported() ? VectorKernels.INSTANCE : ScalarKernels.INSTANCE;
    }
}
