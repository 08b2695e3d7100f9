package dev.stoker.fuzz;

import dev.stoker.format.Capability;
import dev.stoker.format.Formats;
import java.nio.file.Path;
import java.util.List;

/**
 * The program of {@code checks/flips.sh}.
 *
 * <pre>
 *   --flips N       bits for each format, 10000 unless told
 *   --seed S        1 unless told
 *   --only NAME     a format, with all its ways of compressing, or one of these as tar, arrow-zstd; may be repeated
 * </pre>
 */
public final class FlipsMain {
    private FlipsMain() {}

    public static void main(String[] words) {
        var arguments = Arguments.of(words, "--flips", "--seed", "--only");
        long seed = arguments.number("--seed", 1);
        List<String> only = arguments.all("--only");
        Path folder = Sandbox.make("flips");
        boolean isGood = true;
        for (Variant variant : Variant.all()) {
            boolean isWanted = only.isEmpty() || only.contains(variant.label()) || only.contains(variant.format());
            if (isWanted && Formats.named(variant.format()).can(Capability.WRITE)) {
                isGood &= flip(new Flips(variant, folder, seed), seed, arguments.number("--flips", 10_000));
            }
        }
        System.exit(isGood ? 0 : 1);
    }

    private static boolean flip(Flips flips, long seed, long count) {
        long start = System.nanoTime();
        Flips.Result result = flips.run(count);
        System.out.printf(
                "%-15s seed %d: %,d flips in %,d bytes and the Index: %,d refused when opening, %,d changed a value and were found,"
                        + " %,d found besides, %,d harmless, %d wrong, %.0f s%n",
                result.variant(),
                seed,
                count,
                result.bytes(),
                result.refused(),
                result.changed(),
                result.noticed(),
                result.harmless(),
                result.wrong().size(),
                (System.nanoTime() - start) / 1e9);
        result.wrong().stream().limit(10).forEach(each -> System.out.println("    " + each));
        return result.wrong().isEmpty();
    }
}
