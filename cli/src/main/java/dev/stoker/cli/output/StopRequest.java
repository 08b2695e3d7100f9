package dev.stoker.cli.output;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end in order when the process is told to end by SIGTERM or SIGINT, as a batch system does shortly before
 * it kills: the command sees {@link #isMade} between two steps, saves what it has, and closes this; until then the process
 * lives on, but not longer than {@link #PATIENCE_SECONDS}.
 */
public final class StopRequest implements AutoCloseable {
    /** Slurm kills 30 seconds after SIGTERM unless it is set to less. */
    private static final int PATIENCE_SECONDS = 20;

    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::waitForTheCommand, "stoker-stop");
    private volatile boolean isMade;

    public StopRequest() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Whether the process is to end. */
    public boolean isMade() {
        return isMade;
    }

    private void waitForTheCommand() {
        isMade = true;
        try {
            var _ = done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The command has saved what it has. */
    @Override
    public void close() {
        done.countDown();
        if (!isMade) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The process has just been told to end; the hook will see that the command is done.
            }
        }
    }
}
