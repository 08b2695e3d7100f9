package dev.stoker.bench.peer;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a contestant did.
 *
 * @param setting the one that was best in its warm-up
 * @param tried samples per second of each setting in the warm-up
 * @param versions of its packages
 * @param prepareSeconds how long it took to write its own files
 * @param brightness the mean of all its photos' values, from 0 to 255
 * @param turns one for each round
 */
public record Standing(
        Peer peer,
        String setting,
        Map<String, Double> tried,
        Map<String, String> versions,
        double prepareSeconds,
        double brightness,
        List<Turn> turns) {
    /** Whole epochs. */
    public record Turn(long epochs, long samples, double seconds, double cpuSeconds) {
        public double samplesPerSecond() {
            return samples / seconds;
        }
    }

    /** One that is not among them. */
    public record Absence(Peer peer, String reason) {}

    /** All of a job, the fastest first; and who is not among them. */
    public record Table(Job job, long samples, long bytes, List<Standing> standings, List<Absence> absences) {
        /** The standing of a peer, or null. */
        public @Nullable Standing of(String name) {
            return standings.stream()
                    .filter(standing -> standing.peer().name().equals(name))
                    .findFirst()
                    .orElse(null);
        }
    }

    /** The median of its turns. */
    public double samplesPerSecond() {
        double[] rates = rates();
        return (rates[(rates.length - 1) / 2] + rates[rates.length / 2]) / 2;
    }

    public double lowest() {
        return rates()[0];
    }

    public double highest() {
        return rates()[turns.size() - 1];
    }

    /** Processor time for each sample, of all its processes, over all turns. */
    public double cpuMicros() {
        double seconds = turns.stream().mapToDouble(Turn::cpuSeconds).sum();
        return 1e6 * seconds / turns.stream().mapToLong(Turn::samples).sum();
    }

    private double[] rates() {
        return turns.stream().mapToDouble(Turn::samplesPerSecond).sorted().toArray();
    }
}
