package dev.stoker.bench.sweep;

import java.util.ArrayList;
import java.util.List;

/** Results of sweeps that never ran. */
public final class Made {
    public static final Setting BASE = new Setting(true, false, true, 2, 64, false);
    private static final long SAMPLES = 1000;
    private static final long BYTES = 10_000_000;

    private final List<Measurement> measurements = new ArrayList<>();
    private final List<Setting> settings = new ArrayList<>(List.of(BASE));
    private final List<String> formats = new ArrayList<>();

    /** A format with a setting that took so many seconds for 1,000 samples, round by round. */
    public Made with(String format, Setting setting, double... seconds) {
        var measurement = new Measurement(format, setting);
        measurement.packed(new Packed("/data/" + format, BYTES, 0.5, Mapping.CHOICE));
        for (double each : seconds) {
            measurement.add(
                    new Pass(SAMPLES, BYTES, each, each, new double[] {10, 20, 4000}, 90_000_000, 1_000_000, 0));
        }
        return add(measurement);
    }

    /** A format with a setting that could not be measured. */
    public Made failed(String format, Setting setting, String reason) {
        var measurement = new Measurement(format, setting);
        measurement.fail(reason);
        return add(measurement);
    }

    private Made add(Measurement measurement) {
        measurements.add(measurement);
        if (!formats.contains(measurement.format())) {
            formats.add(measurement.format());
        }
        if (!settings.contains(measurement.setting())) {
            settings.add(measurement.setting());
        }
        return this;
    }

    public SweepResult result() {
        var machine = new Machine(2, "A <processor>", 8_000_000_000L, "Linux 6", "Java 25", "ext4", 5_000_000_000L);
        return new SweepResult(
                machine,
                new Workload(null, SAMPLES, 12_288, 1),
                SAMPLES,
                BYTES,
                3,
                12.5,
                settings,
                formats,
                measurements,
                List.of("a note"));
    }
}
