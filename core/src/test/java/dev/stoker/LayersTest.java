package dev.stoker;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rules of the design that a compiler does not hold. */
class LayersTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.stoker");

    @Test
    void coreDependsOnTheJdkAlone() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.stoker..", "java..", "jdk..", "org.jspecify..")
                .check(CORE);
    }

    /** What each package may know of the others. A new package finds its place here first. */
    private static final Map<String, Set<String>> BELOW = Map.ofEntries(
            Map.entry("os", Set.of("text")),
            Map.entry("text", Set.of()),
            Map.entry("concurrent", Set.of("os")),
            Map.entry("io", Set.of("os")),
            Map.entry("json", Set.of("text")),
            Map.entry("sample", Set.of("os", "text")),
            Map.entry("job", Set.of("io", "json", "os")),
            Map.entry("order", Set.of("json", "os")),
            Map.entry("remote", Set.of("io", "os")),
            Map.entry("block", Set.of("io", "os", "remote", "text")),
            Map.entry("ledger", Set.of("order", "os")),
            Map.entry("state", Set.of("io", "job", "json", "os")),
            Map.entry("index", Set.of("block", "io", "json", "os", "remote", "sample")),
            Map.entry("metric", Set.of("block", "io", "json", "os")),
            Map.entry("format", Set.of("block", "index", "io", "os", "sample", "text")),
            Map.entry("metric.export", Set.of("io", "json", "metric", "os")),
            Map.entry("container", Set.of("block", "format", "index", "io", "os", "remote", "sample")),
            Map.entry("collect", Set.of("container", "format", "io", "json", "os", "sample")),
            Map.entry(
                    "listing",
                    Set.of("concurrent", "container", "index", "io", "job", "json", "os", "remote", "sample", "text")),
            Map.entry(
                    "dataset",
                    Set.of(
                            "concurrent",
                            "container",
                            "format",
                            "index",
                            "io",
                            "listing",
                            "order",
                            "os",
                            "remote",
                            "sample",
                            "text")),
            Map.entry("manifest", Set.of("io", "json", "listing", "os", "remote", "sample", "text")),
            Map.entry(
                    "transform", Set.of("concurrent", "container", "format", "io", "listing", "os", "sample", "text")),
            Map.entry(
                    "verify",
                    Set.of(
                            "block",
                            "concurrent",
                            "container",
                            "format",
                            "index",
                            "io",
                            "listing",
                            "os",
                            "remote",
                            "sample")),
            Map.entry("feed", Set.of("dataset", "io", "ledger", "metric", "order", "os", "remote", "sample", "text")),
            Map.entry(
                    "source",
                    Set.of(
                            "container",
                            "format",
                            "io",
                            "job",
                            "listing",
                            "manifest",
                            "os",
                            "remote",
                            "sample",
                            "transform")),
            Map.entry(
                    "write",
                    Set.of(
                            "block",
                            "concurrent",
                            "container",
                            "format",
                            "index",
                            "io",
                            "job",
                            "listing",
                            "os",
                            "remote",
                            "sample",
                            "text",
                            "verify")),
            Map.entry(
                    "repair",
                    Set.of("concurrent", "container", "format", "index", "io", "os", "sample", "verify", "write")));

    @Test
    void packagesKnowOnlyWhatIsBelowThem() {
        for (JavaClass each : CORE) {
            String from = packageOf(each);
            if (from.isEmpty()) {
                continue;
            }
            assertThat(BELOW).as(each.getName()).containsKey(from);
            for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
                String to = packageOf(dependency.getTargetClass());
                assertThat(to.isEmpty() || to.equals(from) || BELOW.get(from).contains(to))
                        .as(dependency.getDescription())
                        .isTrue();
            }
        }
    }

    /** The name below {@code dev.stoker}; empty for the exceptions, which everybody may know, and for other code. */
    private static String packageOf(JavaClass each) {
        String root = "dev.stoker.";
        return each.getPackageName().startsWith(root) ? each.getPackageName().substring(root.length()) : "";
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.stoker.(*)..")
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .check(CORE);
    }

    @Test
    void onlyOsCallsNativeCode() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.stoker.os..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.foreign.Linker")
                .check(CORE);
    }

    /** Where the storage does not answer, these say no; {@link dev.stoker.os.FileProbe} fails. */
    @Test
    void nothingIsTakenForMissing() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.stoker.os.FileProbe")
                .should()
                .callMethodWhere(target(owner(equivalentTo(Files.class)))
                        .and(target(nameMatching("exists|notExists|isDirectory|isRegularFile"))))
                .check(CORE);
    }

    /** One simple name is one thing: two classes of the same name are told apart by nobody who reads. */
    @Test
    void simpleNamesAreUnique() {
        Map<String, List<String>> byName = CORE.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(each -> !each.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName, Collectors.mapping(JavaClass::getName, Collectors.toList())));
        assertThat(byName.values()).allSatisfy(names -> assertThat(names).hasSize(1));
    }
}
