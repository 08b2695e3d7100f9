package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The docs name only what exists. */
class DocsTest {
    private static final Path ROOT = Path.of(System.getProperty("stoker.root"));
    private static final Pattern CLASS = Pattern.compile("`(?:dev\\.stoker\\.[a-z.]*)?([A-Z][a-z]\\w+)(?:\\.\\w+)?`");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)\\)");

    @Test
    void architectureNamesClassesThatExist() throws IOException {
        Set<String> classes;
        try (Stream<Path> all = Files.walk(ROOT)) {
            classes = all.map(path -> path.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .collect(Collectors.toSet());
        }
        List<Path> pages;
        try (Stream<Path> decisions = Files.list(ROOT.resolve("docs/decisions"))) {
            pages = Stream.concat(Stream.of(ROOT.resolve("ARCHITECTURE.md")), decisions)
                    .toList();
        }
        var named = new ArrayList<String>();
        for (Path page : pages) {
            named.addAll(found(CLASS, page));
        }
        assertThat(named).isNotEmpty();
        assertThat(classes).containsAll(named);
    }

    /** Every package of core has its line, and every package that is named exists. */
    @Test
    void architectureNamesThePackagesThatExist() throws IOException {
        Path source = ROOT.resolve("core/src/main/java");
        Set<String> packages;
        try (Stream<Path> all = Files.walk(source)) {
            packages = all.filter(path -> path.endsWith("package-info.java"))
                    .map(path -> source.relativize(path.getParent()).toString().replace('/', '.'))
                    .collect(Collectors.toSet());
        }
        assertThat(found(Pattern.compile("`(dev\\.stoker(?:\\.[a-z]+)*)`"), ROOT.resolve("ARCHITECTURE.md")))
                .filteredOn(name -> !name.startsWith("dev.stoker.formats."))
                .filteredOn(name -> !name.startsWith("dev.stoker.image"))
                .containsAll(packages)
                .allMatch(packages::contains);
    }

    @Test
    void linksLeadSomewhere() throws IOException {
        List<Path> pages;
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            pages = Stream.concat(top, docs)
                    .filter(path -> path.toString().endsWith(".md"))
                    .toList();
        }
        assertThat(pages).hasSizeGreaterThan(5);
        for (Path page : pages) {
            for (String link : found(LINK, page)) {
                assertThat(page.resolveSibling(link)).as(page + " -> " + link).exists();
            }
        }
    }

    private static List<String> found(Pattern pattern, Path page) throws IOException {
        return pattern.matcher(Files.readString(page))
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
