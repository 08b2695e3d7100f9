package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.container.Container;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.StkFormat;
import dev.stoker.os.FileErrors;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only what the JVM says of mapped memory is a failed read of a file; other internal errors are defects. */
class InternalErrorTest {
    @TempDir
    Path folder;

    @Test
    void aDefectIsNotBlamedOnAFile() {
        var samples = MemorySamples.of(new Field(Field.DATA, new FieldType.Bytes()))
                .add("value")
                .build();
        Path packed =
                new Workshop(new StkFormat(), FormatOptions.NONE, folder, new SplittableRandom(1)).pack(samples, "set");
        try (Container container = Container.open(packed)) {
            for (var defect :
                    new InternalError[] {new InternalError("platform encoding not initialized"), new InternalError()}) {
                assertThatThrownBy(() -> FileErrors.unreadable(packed, defect)).isSameAs(defect);
                assertThatThrownBy(() -> container.unreadable(0, 0, defect)).isSameAs(defect);
            }
            // As HotSpot says it for code that is interpreted, and for compiled code.
            for (String text : new String[] {
                "a fault occurred in an unsafe memory access operation",
                "a fault occurred in a recent unsafe memory access operation in compiled Java code"
            }) {
                var fault = new InternalError(text);
                assertThat(FileErrors.unreadable(packed, fault)).hasCause(fault);
                assertThat(container.unreadable(0, 0, fault)).hasCause(fault);
            }
        }
    }
}
