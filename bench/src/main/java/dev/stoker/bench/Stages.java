package dev.stoker.bench;

import dev.stoker.StokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * What the pipeline spends its time on. Counters in its loops would cost more than what they count, so the runtime's own
 * recorder looks where the threads are, a hundred times per second.
 */
final class Stages {
    /** The name of the threads that are looked at. */
    static final String THREAD = "pipeline";

    private static final String EVENT = "jdk.ExecutionSample";
    private static final int FEWEST = 50;

    private Stages() {}

    /** The share of each stage while something runs; empty if the runtime has no recorder, or saw too little to tell. */
    static Map<String, Double> shares(Runnable work) {
        var counts = new LinkedHashMap<String, Integer>();
        for (String stage : new String[] {"huffman", "idct", "colour", "resize", "other"}) {
            counts.put(stage, 0);
        }
        int all = 0;
        if (ModuleLayer.boot().findModule("jdk.jfr").isPresent()) {
            all = Recorder.count(work, counts);
        }
        var shares = new LinkedHashMap<String, Double>();
        if (all >= FEWEST) {
            for (var count : counts.entrySet()) {
                shares.put(count.getKey(), (double) count.getValue() / all);
            }
        }
        return shares;
    }

    /** A class of its own, so that a runtime without the recorder never loads it. */
    private static final class Recorder {
        private static int count(Runnable work, Map<String, Integer> counts) {
            int all = 0;
            try (var recording = new Recording()) {
                recording.enable(EVENT).withPeriod(Duration.ofMillis(10));
                recording.start();
                work.run();
                recording.stop();
                Path file = Files.createTempFile("stoker-bench", ".jfr");
                try {
                    recording.dump(file);
                    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
                        String stage = stage(event);
                        if (stage != null) {
                            counts.merge(stage, 1, Integer::sum);
                            all++;
                        }
                    }
                } finally {
                    Files.delete(file);
                }
            } catch (IOException e) {
                throw new StokerException("the profile cannot be read: " + e.getMessage(), e);
            }
            return all;
        }

        /** The stage that a sampled thread was in; null for other threads. */
        private static @Nullable String stage(RecordedEvent event) {
            if (event.getStackTrace() == null
                    || event.getThread("sampledThread") == null
                    || !THREAD.equals(event.getThread("sampledThread").getJavaName())) {
                return null;
            }
            for (RecordedFrame frame : event.getStackTrace().getFrames()) {
                String stage = Stages.stage(frame.getMethod().getType().getName());
                if (stage != null) {
                    return stage;
                }
            }
            return "other";
        }
    }

    /** The stage that a class of the image module stands for; null if the caller is to be asked. */
    private static @Nullable String stage(String type) {
        return switch (type.substring(type.lastIndexOf('.') + 1)) {
            case "VectorIdct", "ScalarIdct", "BlockTransform" -> "idct";
            case "BlockDecoder", "ProgressiveBlock", "HuffmanTable", "HuffmanCache" -> "huffman";
            case "EntropyData", "SequentialScan", "BufferedScan" -> "huffman";
            case "PixelRows" -> "colour";
            case "VectorResize", "ResizeTaps", "GeometryPainter" -> "resize";
            default -> null;
        };
    }
}
