package dev.stoker.cli.output;

import dev.stoker.concurrent.Progress;
import dev.stoker.os.Terminal;
import dev.stoker.text.Printable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Shows a {@link Progress} on standard error: a bar that is drawn again and again on a terminal, a line every ten
 * seconds elsewhere, nothing for work that is over sooner.
 *
 * <p>While there is a bar, standard error is a stream that erases the bar before anything else is written, so that no
 * line is glued to it. When the process is told to end, the bar goes too, and the user reads what is kept.
 */
public final class ProgressBar implements AutoCloseable {
    private static final int MOST_WIDTH = 30;
    private static final int DRAW_MILLIS = 100;
    private static final int LINE_MILLIS = 10_000;
    private static final int USUAL_COLUMNS = 80;
    private static final String ERASE = "\r\u001b[K";

    private final Progress progress;
    private final PrintStream out = System.err;
    private final PrintStream others = new PrintStream(new ErasingStream(), true, System.err.charset());
    private final boolean terminal;
    private final long start = System.nanoTime();
    private final Thread thread;
    private final Thread atEnd = new Thread(this::interrupted, "stoker-bar-end");
    private Supplier<String> advice = () -> "";
    private boolean drawn;
    private boolean closed;

    private ProgressBar(Progress progress, boolean terminal, boolean shown) {
        this.progress = progress;
        this.terminal = terminal;
        this.thread = Thread.ofPlatform().daemon().name("stoker-progress").unstarted(this::show);
        if (shown) {
            System.setErr(others);
            Runtime.getRuntime().addShutdownHook(atEnd);
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

    /** What a user reads who interrupts the work: what of it is kept, and how to resume; nothing if it is empty. */
    public synchronized ProgressBar onInterrupt(Supplier<String> advice) {
        this.advice = advice;
        return this;
    }

    private void show() {
        try {
            while (true) {
                Thread.sleep(terminal ? DRAW_MILLIS : LINE_MILLIS);
                draw(terminal ? columns() : Integer.MAX_VALUE);
            }
        } catch (InterruptedException e) {
            // The work is over.
        }
    }

    /** Asked each time: a window may be made narrower, and a line that wraps cannot be erased. */
    private static int columns() {
        int columns = Terminal.ofErrors().map(Terminal::columns).orElse(0);
        return columns > 0 ? columns : USUAL_COLUMNS;
    }

    private synchronized void draw(int columns) {
        if (closed) {
            return;
        }
        if (terminal) {
            drawn = true;
            out.print(ERASE + fitted(line(MOST_WIDTH), columns));
        } else {
            out.println(line(0));
        }
        out.flush();
    }

    /** The line with a bar that is as long as the terminal has room for, or what fits of the line without one. */
    private String fitted(String line, int columns) {
        int tooLong = line.length() - (columns - 1);
        if (tooLong <= 0) {
            return line;
        }
        String shorter = line(Math.max(0, MOST_WIDTH - tooLong));
        return shorter.length() < columns ? shorter : shorter.substring(0, Math.max(0, columns - 1));
    }

    private synchronized void erase() {
        if (drawn) {
            drawn = false;
            out.print(ERASE);
            out.flush();
        }
    }

    /** Prints a line that stays. */
    public synchronized void say(String line) {
        erase();
        out.println(Printable.line(line));
        out.flush();
    }

    private String line(int width) {
        double seconds = (System.nanoTime() - start) / 1e9;
        long total = progress.totalSamples();
        long done = Math.min(progress.samples(), total);
        if (total == 0) {
            return progress.phase() + " " + Human.seconds(seconds);
        }
        double share = (double) done / total;
        double left = share > 0 ? seconds / share - seconds : 0;
        int filled = (int) (share * width);
        return String.format(
                Locale.ROOT,
                "%s %s%3.0f%%  %s of %s %s  %s/s  %s left",
                progress.phase(),
                width > 0 ? "█".repeat(filled) + "░".repeat(width - filled) + " " : "",
                100 * share,
                Human.count(done),
                Human.count(total),
                progress.unit(),
                progress.bytes() > 0 ? Human.bytes(progress.bytes() / seconds) : Human.rate(done / seconds),
                Human.seconds(left));
    }

    /** The process is told to end by Ctrl-C, or by a batch system. */
    private synchronized void interrupted() {
        if (closed) {
            return;
        }
        closed = true;
        erase();
        String said = advice.get();
        if (!said.isEmpty()) {
            out.println("stoker: interrupted; " + Printable.line(said));
            out.flush();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            erase();
            restore();
        }
        thread.interrupt();
        try {
            Runtime.getRuntime().removeShutdownHook(atEnd);
        } catch (IllegalStateException e) {
            // The process is about to end.
        }
    }

    /** Unless somebody else has put another stream there meanwhile. */
    @SuppressWarnings("ReferenceEquality") // the very stream
    private void restore() {
        if (System.err == others) {
            System.setErr(out);
        }
    }

    /** What other parts write to standard error: the bar makes room for it. */
    private final class ErasingStream extends FilterOutputStream {
        ErasingStream() {
            super(System.err);
        }

        @Override
        public void write(int value) throws IOException {
            synchronized (ProgressBar.this) {
                erase();
                out.write(value);
            }
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            synchronized (ProgressBar.this) {
                erase();
                out.write(bytes, from, length);
            }
        }
    }
}
