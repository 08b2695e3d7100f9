package dev.stoker.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nothing that stands in data is ever run. Of all modules, since the command has all of them. */
class SecurityRulesTest {
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(place -> !place.contains("testkit"))
            .importPackages("dev.stoker");

    @Test
    void nothingIsDeserialisedOrLoadedFromData() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.io\\.Object(In|Out)putStream|java\\.beans\\..*|java\\.rmi\\..*|javax\\.script\\..*"
                                + "|javax\\.naming\\..*|java\\.net\\.URLClassLoader|javax\\.tools\\..*"
                                + "|java\\.lang\\.invoke\\.MethodHandles\\$Lookup\\$ClassOption")
                .check(ALL);
        noClasses()
                .should()
                .callMethod(Runtime.class, "exec", String.class)
                .orShould()
                .callMethod(Runtime.class, "exec", String[].class)
                .check(ALL);
    }

    /** Spark sends its tasks to its own executors by Java's means; these are what Stoker's tasks are made of. */
    @Test
    void onlyWhatSparkSendsToItsOwnTasksIsSerializable() {
        assertThat(ALL.stream()
                        .filter(each -> each.isAssignableTo(Serializable.class))
                        .filter(each -> !each.isEnum() && !each.isAssignableTo(Throwable.class))
                        .filter(each -> !each.isAssignableTo(Map.class)) // which all are, for nobody's use
                        .map(JavaClass::getName)
                        .filter(name -> !name.startsWith("dev.stoker.spark.")))
                .containsExactlyInAnyOrder(
                        "dev.stoker.cli.pack.PackRecipe",
                        "dev.stoker.job.SharedListing",
                        "dev.stoker.job.SharedListing$Found",
                        "dev.stoker.write.ShareExecutor$Work",
                        "dev.stoker.write.ShareExecutor$Filled");
    }

    /** Each passes its words one by one, never through a shell that would read them; names after {@code --} or as paths. */
    @Test
    void onlyTheseStartProcesses() {
        Set<String> starting = Set.of(
                "dev.stoker.write.LustreStriping",
                "dev.stoker.os.FuseDevice",
                "dev.stoker.formats.squashfs.SquashMaker",
                "dev.stoker.spark.SparkSubmit",
                "dev.stoker.stage.Runner",
                "dev.stoker.stage.MountProcess",
                "dev.stoker.stage.CleanupWatcher",
                "dev.stoker.bench.sweep.Contestant",
                "dev.stoker.bench.peer.FeedContestant",
                "dev.stoker.bench.peer.Sessions");
        List<String> found = ALL.stream()
                .filter(each -> each.getConstructorCallsFromSelf().stream()
                        .anyMatch(call -> call.getTargetOwner().isEquivalentTo(ProcessBuilder.class)))
                .map(JavaClass::getName)
                .toList();
        assertThat(found).containsExactlyInAnyOrderElementsOf(starting);
    }
}
