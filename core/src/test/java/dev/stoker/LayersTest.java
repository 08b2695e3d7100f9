package dev.stoker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
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
            Map.entry("memory", Set.of()),
            Map.entry("text", Set.of()),
            Map.entry("sample", Set.of("memory")),
            Map.entry("json", Set.of("text")),
            Map.entry("block", Set.of("memory", "text")),
            Map.entry("index", Set.of("block", "json", "memory", "sample")),
            Map.entry("format", Set.of("block", "index", "memory", "sample", "text")),
            Map.entry("metric", Set.of("block", "json", "memory", "text")),
            Map.entry("job", Set.of("json", "memory")),
            Map.entry("pack", Set.of("block", "format", "index", "job", "json", "memory", "sample", "text")),
            Map.entry("state", Set.of("job", "json", "memory")),
            Map.entry("collect", Set.of("format", "index", "json", "memory", "sample")),
            Map.entry("feed", Set.of("format", "index", "json", "memory", "metric", "pack", "sample")));

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
    void onlyMemoryCallsNativeCode() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.stoker.memory..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.foreign.Linker")
                .check(CORE);
    }
}
