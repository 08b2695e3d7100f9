package dev.stoker.testkit.bill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A jar by the name that Maven gives it. */
public record Jar(Path file, String artifact, String version) {
    private static final Pattern NAME = Pattern.compile("(.+?)-(\\d[^-]*)\\.jar");

    /** By their artifacts; what is no jar of Maven's is passed over. */
    public static Map<String, Jar> byArtifact(List<Path> files) {
        var jars = new TreeMap<String, Jar>();
        for (Path file : files) {
            Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
            if (name.matches()) {
                jars.put(name.group(1), new Jar(file, name.group(1), name.group(2)));
            }
        }
        return jars;
    }

    /** Those of a distribution. */
    public static Map<String, Jar> ofDistribution(Path root) throws IOException {
        try (Stream<Path> files = Files.list(root.resolve("build/dist/lib"))) {
            return byArtifact(files.toList());
        }
    }

    public boolean isOwn() {
        return artifact.startsWith("stoker-");
    }
}
