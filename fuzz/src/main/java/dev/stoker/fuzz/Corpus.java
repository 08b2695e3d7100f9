package dev.stoker.fuzz;

import dev.stoker.testkit.Workshop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The inputs in the repository: {@code corpus/TARGET/NAME}. They are real files by the formats' own tools ({@code
 * make_seeds.py}), and whatever once was a finding ({@code found-*}).
 */
public record Corpus(Path folder) {
    /** The repository's. */
    public static Corpus ofRepository() {
        return new Corpus(Path.of(System.getProperty("stoker.root", ".")).resolve("fuzz/corpus"));
    }

    /** The files of a target, by name. */
    public List<Path> files(Target target) {
        Path own = folder.resolve(target.name());
        if (!Files.isDirectory(own)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(own)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a target's inputs are made from. */
    public List<byte[]> seeds(Target target) {
        var seeds = new ArrayList<byte[]>();
        files(target).forEach(file -> seeds.add(Workshop.read(file)));
        seeds.addAll(target.made());
        if (seeds.isEmpty()) {
            throw new IllegalStateException("there is no input for " + target.name());
        }
        return seeds;
    }
}
