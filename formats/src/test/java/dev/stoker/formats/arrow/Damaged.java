package dev.stoker.formats.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.StokerException;
import dev.stoker.format.Format;
import dev.stoker.index.Identity;
import dev.stoker.index.Index;
import dev.stoker.index.IndexBuilder;
import dev.stoker.memory.MappedFile;
import dev.stoker.testkit.Workshop;
import java.nio.file.Path;

/** Reads damaged files. */
final class Damaged {
    private static final Format FORMAT = new ArrowFormat();

    private Damaged() {}

    /** Why a file is refused; empty if its Index can be made, and every value that it tells of lies in the file. */
    static String refusal(Path folder, byte[] bytes) {
        Path path = folder.resolve("damaged.arrow");
        Workshop.write(path, bytes);
        try (MappedFile file = MappedFile.open(path);
                IndexBuilder builder = FORMAT.derive(file);
                Index index = builder.toMemory(file.name(), FORMAT.name(), null, Identity.of(path))) {
            for (int f = 0; f < index.schema().size(); f++) {
                var column = index.column(f, file.bytes());
                for (long i = 0; i < index.samples(); i++) {
                    assertThat(column.slice(i).byteSize()).isEqualTo(column.length(i));
                }
            }
            return "";
        } catch (StokerException e) {
            assertThat(e.getMessage()).contains("[" + path);
            return e.getMessage();
        }
    }
}
