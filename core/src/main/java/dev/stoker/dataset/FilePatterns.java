package dev.stoker.dataset;

import dev.stoker.StokerException;
import dev.stoker.container.HuggingFaceFolder;
import dev.stoker.container.Sidecar;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import dev.stoker.remote.RemotePath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of a dataset as people write them: {@code train-{0000..0146}.tar}, {@code {a,b}.stk}, {@code
 * parts/*.arrow}, {@code FILE:SPLIT}, and a folder that Hugging Face datasets saved. A name that exists is never a
 * pattern.
 */
final class FilePatterns {
    private static final int MAX_FILES = 1_000_000;
    private static final Pattern BRACES = Pattern.compile("\\{([^{}]*)}");
    private static final Pattern SEQUENCE = Pattern.compile("(\\d{1,9})\\.\\.(\\d{1,9})");
    private static final Pattern GLOB = Pattern.compile("[*?\\[]");

    /** A file, and the split of it that is meant, if not all. */
    record Choice(Path path, @Nullable String split) {}

    private FilePatterns() {}

    static List<Choice> expand(List<String> patterns) {
        var choices = new ArrayList<Choice>();
        for (String pattern : patterns) {
            expand(pattern, choices);
        }
        return choices;
    }

    private static void expand(String pattern, List<Choice> to) {
        int colon = pattern.lastIndexOf(':');
        boolean hasSplit = colon > 0 && pattern.indexOf('/', colon) < 0 && !FileProbe.exists(RemotePath.of(pattern));
        String split = hasSplit ? pattern.substring(colon + 1) : null;
        String name = hasSplit ? pattern.substring(0, colon) : pattern;
        if (HuggingFaceFolder.isSaved(RemotePath.of(name))) {
            match(RemotePath.of(name).resolve("*.arrow").toString()).forEach(path -> to.add(new Choice(path, split)));
            return;
        }
        if (FileProbe.exists(RemotePath.of(name))) {
            to.add(new Choice(RemotePath.of(name), split));
            return;
        }
        var names = new ArrayList<String>();
        expandBraces(name, pattern, names);
        for (String one : names) {
            if (GLOB.matcher(one).find()) {
                match(one).forEach(path -> to.add(new Choice(path, split)));
            } else {
                to.add(new Choice(RemotePath.of(one), split));
            }
        }
    }

    private static void expandBraces(String name, String pattern, List<String> to) {
        Matcher braces = BRACES.matcher(name);
        if (!braces.find()) {
            if (to.size() == MAX_FILES) {
                throw new StokerException(pattern + ": should name at most " + MAX_FILES + " files but names more");
            }
            to.add(name);
            return;
        }
        String before = name.substring(0, braces.start());
        String after = name.substring(braces.end());
        for (String word : words(braces.group(1), pattern)) {
            expandBraces(before + word + after, pattern, to);
        }
    }

    private static List<String> words(String inside, String pattern) {
        Matcher sequence = SEQUENCE.matcher(inside);
        if (!sequence.matches()) {
            return List.of(inside.split(",", -1));
        }
        int from = Integer.parseInt(sequence.group(1));
        int to = Integer.parseInt(sequence.group(2));
        if (to < from || to - from >= MAX_FILES) {
            throw new StokerException(
                    pattern + ": {" + inside + "} should ascend, by at most " + MAX_FILES + " numbers");
        }
        // As in a shell, a leading zero gives all numbers the same width.
        String format =
                sequence.group(1).startsWith("0") ? "%0" + sequence.group(1).length() + "d" : "%d";
        var words = new ArrayList<String>();
        for (int number = from; number <= to; number++) {
            words.add(format.formatted(number));
        }
        return words;
    }

    private static List<Path> match(String glob) {
        Path pattern = RemotePath.of(glob);
        List<Path> found = List.of(pattern.isAbsolute() ? pattern.getRoot() : Path.of(""));
        for (Path component : pattern) {
            var next = new ArrayList<Path>();
            for (Path folder : found) {
                if (GLOB.matcher(component.toString()).find()) {
                    list(folder, component.toString(), next);
                } else {
                    next.add(folder.resolve(component));
                }
            }
            found = next;
        }
        List<Path> existing = found.stream().filter(FileProbe::exists).sorted().toList();
        if (existing.isEmpty()) {
            throw new StokerException(
                    glob, "no file matches; check the pattern, or quote it if the shell should not expand it");
        }
        return existing;
    }

    private static void list(Path folder, String glob, List<Path> to) {
        Path listed = folder.toString().isEmpty() ? Path.of(".") : folder;
        if (!FileProbe.isFolder(listed)) {
            return;
        }
        try {
            for (Path entry : FileProbe.in(listed, glob)) {
                // An Index is no file of the dataset, though its name fits.
                if (!entry.toString().endsWith(Sidecar.ENDING)) {
                    to.add(folder.resolve(entry.getFileName()));
                }
            }
        } catch (IOException e) {
            throw FileErrors.cannotRead(folder, e);
        }
    }
}
