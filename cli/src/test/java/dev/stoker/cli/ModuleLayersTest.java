package dev.stoker.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the modules above core may know of each other, and the packages of image. Of core and formats, they say it themselves. */
class ModuleLayersTest {
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(place -> !place.contains("testkit"))
            .importPackages("dev.stoker");

    /** A package, and those of its module that it doesn't know. */
    @ParameterizedTest
    @CsvSource({
        "image.kernel, image.jpeg image.transform image.webp image.pack image.sheet",
        "image.jpeg, image.transform image.webp image.pack image.sheet",
        "image.transform, image.jpeg image.webp image.pack image.sheet",
        "image.webp, image.jpeg image.kernel image.pack image.sheet",
        "image.pack, image.webp image.sheet",
        "image.sheet, image.jpeg image.kernel image.transform image.webp image.pack",
        "image, serve stage s3 bench spark cli",
        "serve, stage s3 bench spark cli formats",
        "stage, serve s3 bench spark cli image feed formats",
        "s3, serve stage bench spark cli image feed container formats",
        "bench, serve s3 spark cli",
        "spark, serve stage s3 bench image feed",
    })
    void packagesKnowOnlyWhatIsBelowThem(String name, String unknown) {
        String[] others = Stream.of(unknown.split(" "))
                .map(each -> "dev.stoker." + each + "..")
                .toArray(String[]::new);
        noClasses()
                .that(resideInAPackage("dev.stoker." + name + ".."))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others)
                .check(ALL);
    }

    @Test
    void nativeCodeIsCalledInThreePlaces() {
        List<String> calling = ALL.stream()
                .filter(each -> each.getDirectDependenciesFromSelf().stream()
                        .anyMatch(one -> one.getTargetClass().getName().equals("java.lang.foreign.Linker")))
                .map(JavaClass::getName)
                .toList();
        assertThat(calling)
                .containsExactlyInAnyOrder(
                        "dev.stoker.os.SystemCall",
                        "dev.stoker.image.TurboJpeg$Library",
                        "dev.stoker.image.webp.WebpLibrary");
    }
}
