package dev.stoker;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users of the library may rely on changes only on purpose. */
class PublicApiTest {
    private static final Path KNOWN = Path.of("src/test/resources/public-api.txt");

    @Test
    void isTheOneThatWasAgreedOn() throws IOException {
        List<String> found = new ArrayList<>();
        new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.stoker").stream()
                        .filter(PublicApiTest::isMarked)
                        .map(JavaClass::reflect)
                        .sorted((a, b) -> a.getName().compareTo(b.getName()))
                        .forEach(type -> describe(type, found));
        if (Boolean.getBoolean("stoker.api.update")) {
            Files.write(KNOWN, found);
        }
        assertThat(found)
                .as(
                        "the public API differs from core/" + KNOWN + "; if that is meant, run"
                                + " mvn -pl core test -Dtest=PublicApiTest -Dtest.jvm.args=-Dstoker.api.update=true and say it in CHANGELOG.md")
                .isEqualTo(Files.readAllLines(KNOWN));
    }

    /** A nested type of a marked one is marked too, if it is public. */
    private static boolean isMarked(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && (type.isAnnotatedWith(PublicApi.class)
                        || type.getEnclosingClass().map(PublicApiTest::isMarked).orElse(false));
    }

    private static void describe(Class<?> type, List<String> to) {
        to.add(Modifier.toString(type.getModifiers()) + " " + type.getName()
                + Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                        .map(Class::getName)
                        .collect(Collectors.joining(", ", " : ", "")));
        List<String> members = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            if (isVisible(field.getModifiers()) && !field.isSynthetic()) {
                members.add("    " + field.getType().getTypeName() + " " + field.getName());
            }
        }
        for (Constructor<?> each : type.getDeclaredConstructors()) {
            add(each, "new", members);
        }
        for (Method each : type.getDeclaredMethods()) {
            add(each, each.getReturnType().getTypeName() + " " + each.getName(), members);
        }
        Collections.sort(members);
        to.addAll(members);
    }

    private static void add(Executable each, String name, List<String> to) {
        if (isVisible(each.getModifiers()) && !each.isSynthetic()) {
            to.add("    " + (Modifier.isStatic(each.getModifiers()) ? "static " : "") + name
                    + Arrays.stream(each.getParameterTypes())
                            .map(Class::getTypeName)
                            .collect(Collectors.joining(", ", "(", ")")));
        }
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }
}
