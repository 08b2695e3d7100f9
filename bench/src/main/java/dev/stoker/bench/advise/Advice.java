package dev.stoker.bench.advise;

import dev.stoker.feed.ReadMode;
import dev.stoker.stage.StagingMode;
import java.util.List;

/**
 * What to do, and why.
 *
 * @param points one for each thing that can be chosen
 * @param commands to be run as they stand, in this order
 * @param options what may be worth it, but only the user can know
 */
public record Advice(Picks picks, List<Point> points, List<Command> commands, List<Point> options) {
    public Advice {
        points = List.copyOf(points);
        commands = List.copyOf(commands);
        options = List.copyOf(options);
    }

    /**
     * What is chosen, for programs.
     *
     * @param format of the container, or {@code folder} for files that stay as they are
     * @param isNew whether a container is to be written
     * @param codec that compresses; empty for none
     * @param factor how many times as fast as the loose files it is expected to be; 0 if that is not known
     */
    public record Picks(
            String format,
            boolean isNew,
            String codec,
            boolean isFixed,
            StagingMode via,
            ReadMode read,
            int threads,
            int ahead,
            int batch,
            double factor) {}

    /** One choice with its reason, which has the figure that decided. */
    public record Point(String topic, String choice, String reason) {}

    /**
     * A command for the shell, or a line of Python.
     *
     * @param purpose one word: pack, convert, index, try, run, python
     */
    public record Command(String purpose, String line) {}
}
