package dev.stoker.formats;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** A new format is one new package; nothing else changes. */
class FormatLayersTest {
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.stoker");

    @Test
    void formatsDoNotKnowEachOther() {
        slices().matching("dev.stoker.formats.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(alwaysTrue(), resideInAPackage("dev.stoker.formats.shared.."))
                .check(ALL);
    }

    @Test
    void nothingElseKnowsAFormat() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.stoker.formats..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.stoker.formats..")
                .check(ALL);
    }

    @Test
    void formatsKnowNeitherTheFeedNorTheCommand() {
        noClasses()
                .that()
                .resideInAPackage("dev.stoker.formats..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.stoker.feed..", "dev.stoker.cli..")
                .check(ALL);
    }

    @Test
    void onlyOsCallsNativeCode() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.stoker.os..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.foreign.Linker")
                .check(ALL);
    }
}
