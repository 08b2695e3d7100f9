package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.json.Json;
import dev.stoker.testkit.bill.Bill;
import dev.stoker.testkit.bill.Jar;
import dev.stoker.testkit.bill.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The distribution as it is shipped; the build runs this when it is packaged. */
class DistributionTest {
    private static final Path ROOT = Path.of(System.getProperty("stoker.root"));

    @Test
    void everyJarByOthersHasItsLineAndEveryLineItsJar() throws IOException {
        assertThat(Jar.ofDistribution(ROOT).values().stream()
                        .filter(jar -> !jar.isOwn())
                        .map(Jar::artifact))
                .containsExactlyInAnyOrderElementsOf(Part.readAll(ROOT).stream()
                        .filter(part -> part.use() == Part.Use.DISTRIBUTION)
                        .map(Part::artifact)
                        .toList());
    }

    @Test
    void theBillOfMaterialsHasEveryJarWithItsHash() throws IOException {
        byte[] bill = Files.readAllBytes(ROOT.resolve("build/dist/sbom.json"));
        var expected = new TreeMap<String, String>();
        for (Jar jar : Jar.ofDistribution(ROOT).values()) {
            expected.put(jar.artifact() + " " + jar.version(), Bill.sha256(jar.file()));
        }
        List<?> components = (List<?>) ((Map<?, ?>) Json.parse(bill, "sbom.json")).get("components");
        Map<String, String> found = components.stream()
                .map(each -> (Map<?, ?>) each)
                .filter(each -> each.containsKey("hashes"))
                .collect(Collectors.toMap(
                        each -> each.get("name") + " " + each.get("version"),
                        DistributionTest::hash,
                        (a, b) -> a,
                        TreeMap::new));
        assertThat(found).isEqualTo(expected);
        assertThat(components)
                .anySatisfy(each -> assertThat(((Map<?, ?>) each).get("name")).isEqualTo("picocli"));
    }

    private static String hash(Map<?, ?> component) {
        return (String) ((Map<?, ?>) ((List<?>) component.get("hashes")).getFirst()).get("content");
    }
}
