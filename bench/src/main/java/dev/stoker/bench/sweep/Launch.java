package dev.stoker.bench.sweep;

import dev.stoker.json.Json;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How the process of a format is started. */
interface Launch {
    List<String> command(String format);

    /** By the Java that runs this, with the same flags and classes. */
    static Launch here(Workload workload, Path folder) {
        return format -> {
            var command = new ArrayList<String>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            // What a JVM that dies writes goes away with the containers.
            command.add("-XX:ErrorFile=" + folder.resolve(format + ".crash"));
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), Worker.class.getName()));
            var start = workload.toJson();
            start.put("format", format);
            start.put("folder", folder.toString());
            command.add(Json.write(start));
            return command;
        };
    }
}
