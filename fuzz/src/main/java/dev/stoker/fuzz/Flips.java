package dev.stoker.fuzz;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.testkit.Flip;
import dev.stoker.testkit.Workshop;
import dev.stoker.verify.Verifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Turns over single bits of a packed container and of its Index, and compares what is read then with what was packed.
 * Whatever differs must be noticed by {@link Verifier}, which names the sample. That a sidecar knows its container by a
 * hash of head and tail notices much, but names no sample, so the checksums have to do that.
 */
public final class Flips {
    /** A hundred samples and more, some of them long: a container of some 50 to 200 KB. */
    private static final int SAMPLES = 120;

    private final Variant variant;
    private final Path place;
    private final List<Path> files;
    private final Values expected;
    private final RandomGenerator random;
    private long changed;
    private long refused;
    private long noticed;
    private long harmless;
    private final List<String> wrong = new ArrayList<>();

    /**
     * What became of the flips.
     *
     * @param changed how many changed a value: all of them were noticed, unless they are among the wrong
     * @param refused how many were noticed when the container was opened
     * @param noticed how many changed no value, but were noticed
     * @param harmless how many neither changed a value nor were noticed
     */
    public record Result(
            String variant, long bytes, long changed, long refused, long noticed, long harmless, List<String> wrong) {}

    public Flips(Variant variant, Path folder, long seed) {
        this.variant = variant;
        this.random = new SplittableRandom(seed);
        Workshop shop = variant.workshop(folder, seed);
        this.place = shop.pack(variant.samples(SAMPLES, seed), variant.label());
        this.files = new ArrayList<>(shop.paths(place));
        files.removeIf(file -> file.toFile().length() == 0);
        try (Container container = open()) {
            this.expected = Values.of(container);
            Verifier.Report report = Verifier.verify(container, 1, new Progress());
            Use.require(report.isIntact(), "damaged before anything was done: " + report.listed());
        }
    }

    public Result run(long flips) {
        Path sidecar = Sidecar.beside(place);
        long bytes = files.stream().mapToLong(file -> file.toFile().length()).sum();
        for (long n = 0; n < flips; n++) {
            // The Index is small, and should get its share.
            Path file = Files.exists(sidecar) && random.nextInt(4) == 0 ? sidecar : anyFile(bytes);
            flip(file);
        }
        return new Result(variant.label(), bytes, changed, refused, noticed, harmless, List.copyOf(wrong));
    }

    private Path anyFile(long bytes) {
        long at = random.nextLong(bytes);
        for (Path file : files) {
            at -= file.toFile().length();
            if (at < 0) {
                return file;
            }
        }
        return files.getLast();
    }

    private void flip(Path file) {
        try (var flip = Flip.random(file, random)) {
            String found;
            try {
                found = judge();
            } catch (RuntimeException | Error e) {
                found = e.toString();
            }
            if (found != null) {
                wrong.add(flip + ": " + found);
            }
        }
    }

    /** What is wrong, or null. */
    private @Nullable String judge() {
        try (Container container = open()) {
            Set<Long> differing = expected.differing(container);
            Verifier.Report report = Verifier.verify(container, 1, new Progress());
            count(differing, report);
            return differing.isEmpty() ? null : unnoticed(differing, report, isIndexIntact(container));
        } catch (StokerException e) {
            refused++;
            return String.valueOf(e.getMessage()).startsWith("[")
                    ? null
                    : "an error that names no file: " + e.getMessage();
        }
    }

    private void count(Set<Long> differing, Verifier.Report report) {
        if (!differing.isEmpty()) {
            changed++;
        } else if (report.isIntact()) {
            harmless++;
        } else {
            noticed++;
        }
    }

    /** Damage of the Index is told by its place there; else every sample that differs has to be named. */
    private static @Nullable String unnoticed(Set<Long> differing, Verifier.Report report, boolean isIndexIntact) {
        if (report.isIntact()) {
            return "samples " + differing + " differ, but all is said to be intact";
        }
        report.listed().forEach(damage -> differing.remove(damage.sample()));
        return differing.isEmpty() || !isIndexIntact
                ? null
                : "samples " + differing + " differ, but are not named: " + report.listed();
    }

    private static boolean isIndexIntact(Container container) {
        try {
            container.index().verify();
            return true;
        } catch (StokerException e) {
            return false;
        }
    }

    /** As {@code stoker verify} does. */
    private Container open() {
        return Files.isDirectory(place) ? Container.open(place, variant.format()) : Container.openDamaged(place);
    }
}
