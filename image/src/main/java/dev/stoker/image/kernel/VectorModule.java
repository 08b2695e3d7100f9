package dev.stoker.image.kernel;

/**
 * The JDK's module of vectors. It is incubating, so the JVM prints a warning when an option of the command line asks for it.
 * The launcher asks by a property instead, and the module is loaded here, by the JDK's own way of loading a module late.
 * Where that fails, pictures are decoded without vectors.
 */
public final class VectorModule {
    private static final String NAME = "jdk.incubator.vector";
    private static final String WANTED = "stoker.image.vectors";
    private static final boolean IS_PRESENT = load();

    private VectorModule() {}

    /** Whether this JVM has the module, or could load it. */
    public static boolean isPresent() {
        return IS_PRESENT;
    }

    private static boolean load() {
        if (ModuleLayer.boot().findModule(NAME).isPresent()) {
            return true;
        }
        if (!Boolean.getBoolean(WANTED)) {
            return false;
        }
        try {
            Class.forName("jdk.internal.module.Modules")
                    .getMethod("loadModule", String.class)
                    .invoke(null, NAME);
            return true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return false; // another JDK, which has no such way
        }
    }
}
