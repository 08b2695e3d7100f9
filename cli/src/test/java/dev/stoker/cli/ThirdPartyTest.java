package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.testkit.bill.Jar;
import dev.stoker.testkit.bill.Page;
import dev.stoker.testkit.bill.Part;
import dev.stoker.testkit.bill.Poms;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Nothing by others comes in without a reason and a licence. {@code tools/third-party.sh} writes the page anew. */
class ThirdPartyTest {
    private static final Path ROOT = Path.of(System.getProperty("stoker.root"));
    private static final Pattern REQUIREMENT = Pattern.compile("\"([a-z0-9][a-z0-9-]*)[^\"]*\"");

    private static Set<String> names(Set<Part.Use> uses) throws IOException {
        return Part.readAll(ROOT).stream()
                .filter(part -> uses.contains(part.use()))
                .map(Part::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everythingThatAPomNamesHasItsLine() throws IOException {
        Set<String> known = names(Set.of(Part.Use.BUILD, Part.Use.COMPILED_IN, Part.Use.DISTRIBUTION));
        assertThat(known).containsAll(Poms.read(ROOT).versions().keySet());
        assertThat(Poms.read(ROOT).versions().keySet())
                .containsAll(names(Set.of(Part.Use.BUILD, Part.Use.COMPILED_IN)));
    }

    @Test
    void everythingThatThePythonPackageNamesHasItsLine() throws IOException {
        String project = Files.readString(ROOT.resolve("python/pyproject.toml"));
        var named = new TreeSet<String>();
        for (String key : List.of("requires", "dependencies", "java", "checksums", "test")) {
            var list = Pattern.compile("(?m)^" + key + " = \\[(.*)]$").matcher(project);
            assertThat(list.find()).as(key).isTrue();
            REQUIREMENT.matcher(list.group(1)).results().forEach(found -> named.add(found.group(1)));
        }
        assertThat(named).isEqualTo(names(Set.of(Part.Use.PYTHON)));
    }

    @Test
    void thePageIsWhatTheBuildSays() throws IOException {
        Map<String, Jar> jars = Jar.byArtifact(
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(Path::of)
                        .toList());
        String page = new Page(ROOT, jars).write();
        Path file = ROOT.resolve("docs/third-party.md");
        if (Boolean.getBoolean("stoker.third-party.write")) {
            Files.writeString(file, page);
        }
        assertThat(Files.readString(file)).as("run tools/third-party.sh").isEqualTo(page);
    }
}
