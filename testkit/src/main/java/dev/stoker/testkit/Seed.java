package dev.stoker.testkit;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Randomness of the tests of one class. Maven by itself takes another seed in each run; {@code ./check} gives everyone the
 * same, so that a change fails by its own fault, and {@code STOKER_SEED=N ./check} another. A failure names the seed, and
 * {@code -Dstoker.seed=N} sets it again. Every call of {@link #random} starts over, so that each test can be repeated alone.
 */
public final class Seed implements TestExecutionExceptionHandler {
    private final long value = Long.getLong("stoker.seed", System.nanoTime());

    public RandomGenerator random() {
        return new SplittableRandom(value);
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        if (failure instanceof TestAbortedException) {
            throw failure;
        }
        System.out.println(context.getDisplayName() + ": repeat with -Dstoker.seed=" + value);
        throw failure;
    }
}
