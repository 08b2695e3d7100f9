package dev.stoker.cli.output;

import dev.stoker.concurrent.Progress;
import dev.stoker.text.Printable;
import java.io.PrintStream;
import java.util.Locale;

/**
 * Shows a {@link Progress} on standard error: a bar that is drawn again and again on a terminal, a line every ten
 * seconds elsewhere, nothing for work that is over sooner.
 */
public final class ProgressBar implements AutoCloseable {
    private static final int WIDTH = 30;
    private static final int DRAW_MILLIS = 100;
    private static final int LINE_MILLIS = 10_000;

    private final Progress progress;
    private final PrintStream out = System.err;
    private final boolean terminal;
    private final long start = System.nanoTime();
    private final Thread thread;
    private boolean drawn;

    private ProgressBar(Progress progress, boolean terminal, boolean shown) {
        this.progress = progress;
        this.terminal = terminal;
        this.thread = Thread.ofPlatform().daemon().name("stoker-progress").unstarted(this::show);
        if (shown) {
            thread.start();
        }
    }

    public static ProgressBar of(Progress progress) {
        return of(progress, true);
    }

    /** Of several ranks one is enough to show how far the job is. */
    public static ProgressBar of(Progress progress, boolean shown) {
        // The launcher asks: Java's own console is slow to load, and knows nothing of standard error.
        return new ProgressBar(progress, Boolean.getBoolean("stoker.terminal"), shown);
    }

    private void show() {
        try {
            while (true) {
                Thread.sleep(terminal ? DRAW_MILLIS : LINE_MILLIS);
                draw();
            }
        } catch (InterruptedException e) {
            if (terminal && drawn) {
                out.print("\r\u001b[K");
                out.flush();
            }
        }
    }

    private void draw() {
        drawn = true;
        String line = line();
        if (terminal) {
            out.print("\r\u001b[K" + line);
        } else {
            out.println(line);
        }
        out.flush();
    }

    /** Prints a line that stays. */
    public void say(String line) {
        out.println((terminal ? "\r\u001b[K" : "") + Printable.line(line));
        out.flush();
    }

    private String line() {
        double seconds = (System.nanoTime() - start) / 1e9;
        long total = progress.totalSamples();
        long done = Math.min(progress.samples(), total);
        if (total == 0) {
            return progress.phase() + " " + Human.seconds(seconds);
        }
        double share = (double) done / total;
        double left = share > 0 ? seconds / share - seconds : 0;
        String bar = "█".repeat((int) (share * WIDTH)) + "░".repeat(WIDTH - (int) (share * WIDTH));
        return String.format(
                Locale.ROOT,
                "%s %s%3.0f %%  %s of %s %s  %s/s  %s left",
                progress.phase(),
                terminal ? bar + " " : "",
                100 * share,
                Human.count(done),
                Human.count(total),
                progress.unit(),
                progress.bytes() > 0 ? Human.bytes(progress.bytes() / seconds) : Human.rate(done / seconds),
                Human.seconds(left));
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
