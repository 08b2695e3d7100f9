package dev.stoker.bench.peer;

import dev.stoker.bench.peer.Standing.Turn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A contestant that takes part: tries its settings, keeps the best, and counts its turns. */
final class Entrant implements AutoCloseable {
    private final Peer peer;
    private final Contestant process;
    private final Exhibit exhibit;
    private final double turnSeconds;
    private final Map<String, Double> tried = new LinkedHashMap<>();
    private final Map<String, String> versions = new LinkedHashMap<>();
    private final List<Turn> turns = new ArrayList<>();
    private String setting = "";
    private double prepareSeconds;
    private double brightness;

    Entrant(Peer peer, Contestant process, Exhibit exhibit, double turnSeconds) {
        this.peer = peer;
        this.process = process;
        this.exhibit = exhibit;
        this.turnSeconds = turnSeconds;
    }

    Peer peer() {
        return peer;
    }

    /** Writes its files, and finds out which setting is best; every one is checked to deliver what it should. */
    void prepare(Map<String, Object> request) throws PeerFailure {
        Message prepared = process.ask(request);
        prepareSeconds = prepared.number("seconds");
        if (prepared.get("versions") instanceof Map<?, ?> found) {
            found.forEach((name, version) -> versions.put(String.valueOf(name), String.valueOf(version)));
        }
        List<String> settings = prepared.texts("settings");
        double best = 0;
        for (String each : settings) {
            check(each);
            double rate = turn(each).samplesPerSecond();
            tried.put(each, rate);
            if (rate > best) {
                best = rate;
                setting = each;
            }
        }
        // It may have been another one last: the workers of the best start again, and get warm.
        Message first = check(setting);
        Message second = check(setting);
        if (exhibit.isShuffleSeen() && first.whole("order") == second.whole("order")) {
            throw new PeerFailure("two epochs have the same order: they are not reshuffled");
        }
        brightness = second.number("brightness");
    }

    /** A turn that counts. */
    void play() throws PeerFailure {
        turns.add(turn(setting));
    }

    Standing standing() {
        return new Standing(peer, setting, tried, versions, prepareSeconds, brightness, turns);
    }

    private Message check(String which) throws PeerFailure {
        Message found = process.ask(ask("check", which));
        exhibit.check(found);
        return found;
    }

    private Turn turn(String which) throws PeerFailure {
        Map<String, Object> request = ask("turn", which);
        request.put("seconds", turnSeconds);
        Message found = process.ask(request);
        exhibit.checkTurn(found);
        double seconds = found.number("seconds");
        if (seconds <= 0) {
            throw new PeerFailure("a turn should take some time but took " + seconds + " s");
        }
        return new Turn(found.whole("epochs"), found.whole("samples"), seconds, found.number("cpu_seconds"));
    }

    private static Map<String, Object> ask(String what, String setting) {
        var request = new LinkedHashMap<String, Object>();
        request.put("do", what);
        request.put("setting", setting);
        return request;
    }

    @Override
    public void close() {
        process.close();
    }
}
