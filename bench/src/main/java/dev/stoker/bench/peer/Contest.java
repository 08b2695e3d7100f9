package dev.stoker.bench.peer;

import dev.stoker.StokerException;
import dev.stoker.bench.peer.Standing.Absence;
import dev.stoker.bench.peer.Standing.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets peers do a job in turn: all are prepared, then each has a turn in every round, whose direction alternates, so
 * that what else the machine does meets all of them. Only one works at a time.
 */
public final class Contest {
    /** How far the photos of one may be from the others' in mean brightness: random crops differ by less than one. */
    private static final double BRIGHTNESS_RANGE = 10;

    private final Catalog catalog;
    private final Settings settings;
    private final Commands commands;
    private final Installation installation;
    private final Consumer<String> said;

    /**
     * How to measure.
     *
     * @param samples so many at most
     * @param rounds turns that count of each contestant
     * @param turnSeconds a turn is whole epochs, and lasts so long at least
     * @param limit of every answer of a contestant
     * @param existing a virtual environment of the user's to build on, or null
     * @param environments where further ones are made
     * @param work where contestants write their files; the logs stay there
     */
    public record Settings(
            int samples,
            int batch,
            int workers,
            int rounds,
            double turnSeconds,
            Duration limit,
            long seed,
            @Nullable Path existing,
            Path environments,
            Path work) {}

    /** How the process of a peer is started; the scripts lie in a folder. */
    @FunctionalInterface
    interface Commands {
        List<String> of(Peer peer, Job job, Path scripts) throws PeerFailure;
    }

    public Contest(Catalog catalog, Settings settings, Consumer<String> said) {
        this.catalog = catalog;
        this.settings = settings;
        this.said = said;
        this.installation = Installation.find();
        var environments = new Environments(settings.environments(), settings.existing(), catalog, said);
        this.commands = (peer, job, scripts) -> peer.script().isEmpty()
                ? List.of(installation.command(), "bench", "contestant", job.word())
                : python(environments.pythonFor(peer), peer, scripts);
    }

    Contest(Catalog catalog, Settings settings, Consumer<String> said, Commands commands) {
        this.catalog = catalog;
        this.settings = settings;
        this.said = said;
        this.installation = Installation.find();
        this.commands = commands;
    }

    /** Does one job with the files of a folder. */
    public Table run(Job job, Path data) {
        Path work = settings.work().toAbsolutePath().resolve(job.word());
        Path scripts = settings.work().toAbsolutePath().resolve("scripts");
        try {
            Files.createDirectories(work);
            catalog.writeScripts(scripts);
            installation.linkPackage(scripts);
        } catch (IOException e) {
            throw new StokerException(settings.work(), "cannot be written: " + e, e);
        }
        Exhibit exhibit = Exhibit.choose(
                job,
                data.toAbsolutePath().normalize(),
                work.resolve("manifest.json"),
                settings.samples(),
                settings.batch() * settings.workers());
        var absences = new ArrayList<Absence>();
        var entrants = new ArrayList<Entrant>();
        try {
            for (Peer peer : catalog.peers()) {
                if (peer.jobs().contains(job)) {
                    admit(peer, job, exhibit, work, scripts, absences).ifPresent(entrants::add);
                }
            }
            for (int round = 0; round < settings.rounds(); round++) {
                said.accept(job.word() + ": round " + (round + 1) + " of " + settings.rounds());
                playRound(round % 2 == 0 ? entrants : entrants.reversed(), absences);
                entrants.removeIf(entrant ->
                        absences.stream().anyMatch(absence -> absence.peer().equals(entrant.peer())));
            }
            return table(job, exhibit, entrants, absences);
        } finally {
            entrants.forEach(Entrant::close);
            catalog.peers().forEach(peer -> delete(files(work, peer)));
        }
    }

    /** Where a contestant writes; all of it is deleted, since each has as much as the data. */
    private static Path files(Path work, Peer peer) {
        return work.resolve(peer.name() + ".files");
    }

    private void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException | UncheckedIOException e) {
            said.accept("[" + folder + "] cannot be deleted: " + e.getMessage());
        }
    }

    private Optional<Entrant> admit(
            Peer peer, Job job, Exhibit exhibit, Path work, Path scripts, List<Absence> absences) {
        said.accept(job.word() + ": " + peer.name() + " gets ready");
        Contestant process = null;
        try {
            delete(files(work, peer)); // of a run that was killed
            Path own = Files.createDirectories(files(work, peer));
            process = Contestant.start(
                    commands.of(peer, job, scripts),
                    installation.variables(peer.name()),
                    work.resolve(peer.name() + ".log"),
                    settings.limit());
            var entrant = new Entrant(peer, process, exhibit, settings.turnSeconds());
            entrant.prepare(request(job, exhibit, own));
            return Optional.of(entrant);
        } catch (PeerFailure e) {
            absences.add(new Absence(peer, e.reason()));
        } catch (IOException e) {
            absences.add(new Absence(peer, "has no folder: " + e.getMessage()));
        }
        if (process != null) {
            process.close();
        }
        return Optional.empty();
    }

    static List<String> python(Path interpreter, Peer peer, Path scripts) {
        var command = new ArrayList<>(List.of(
                interpreter.toString(),
                "-u",
                scripts.resolve("contest.py").toString(),
                scripts.resolve(peer.script()).toString()));
        if (!peer.variant().isEmpty()) {
            command.add(peer.variant());
        }
        return command;
    }

    private Map<String, Object> request(Job job, Exhibit exhibit, Path own) {
        var request = new HashMap<String, Object>();
        request.put("do", "prepare");
        request.put("job", job.word());
        request.put("root", exhibit.root().toString());
        request.put("manifest", exhibit.manifest().toString());
        request.put("work", own.toString());
        request.put("batch", settings.batch());
        request.put("workers", settings.workers());
        request.put("seed", settings.seed());
        request.put("stoker", installation.commandOrEmpty());
        return request;
    }

    private static void playRound(List<Entrant> entrants, List<Absence> absences) {
        for (Entrant entrant : entrants) {
            try {
                entrant.play();
            } catch (PeerFailure e) {
                entrant.close();
                absences.add(new Absence(entrant.peer(), e.reason()));
            }
        }
    }

    private static Table table(Job job, Exhibit exhibit, List<Entrant> entrants, List<Absence> absences) {
        var standings = new ArrayList<>(entrants.stream().map(Entrant::standing).toList());
        double usual = medianBrightness(standings);
        for (Standing standing : List.copyOf(standings)) {
            if (standings.size() > 2 && Math.abs(standing.brightness() - usual) > BRIGHTNESS_RANGE) {
                standings.remove(standing);
                absences.add(new Absence(
                        standing.peer(),
                        String.format(
                                "its photos have a mean brightness of %.0f, those of the other peers %.0f: they are not the same",
                                standing.brightness(), usual)));
            }
        }
        standings.sort(Comparator.comparingDouble(Standing::samplesPerSecond).reversed());
        return new Table(job, exhibit.samples(), exhibit.bytes(), standings, absences);
    }

    private static double medianBrightness(List<Standing> standings) {
        double[] all =
                standings.stream().mapToDouble(Standing::brightness).sorted().toArray();
        return all.length == 0 ? 0 : all[all.length / 2];
    }
}
