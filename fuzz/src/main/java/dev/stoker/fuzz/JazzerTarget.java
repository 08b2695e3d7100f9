package dev.stoker.fuzz;

import dev.stoker.StokerException;

/**
 * A target as Jazzer calls it: {@code stoker.fuzz.target} names it. Jazzer finds this class by its name and the methods by
 * theirs; it is no dependency.
 */
public final class JazzerTarget {
    private static final Target TARGET = Targets.named(System.getProperty("stoker.fuzz.target", ""));

    private JazzerTarget() {}

    public static void fuzzerTestOneInput(byte[] input) throws Throwable {
        TARGET.sign(input);
        try {
            TARGET.read(input);
        } catch (StokerException e) {
            Fuzzer.requireFile(e);
        } catch (Throwable e) {
            if (!TARGET.isRefusal(e)) {
                throw e;
            }
        }
    }
}
