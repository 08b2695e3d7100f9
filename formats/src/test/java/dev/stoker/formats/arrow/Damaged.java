package dev.stoker.formats.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.testkit.Workshop;
import java.nio.file.Path;

/** Reads damaged files. */
final class Damaged {
    private Damaged() {}

    /** Why a file is refused; empty if its Index can be made, and every value that it tells of lies in the file. */
    static String refusal(Path folder, byte[] bytes) {
        Path path = folder.resolve("damaged.arrow");
        Workshop.write(path, bytes);
        try (Container container = Container.openAnew(path, "arrow")) {
            for (int f = 0; f < container.schema().size(); f++) {
                for (long i = 0; i < container.count(); i++) {
                    assertThat(container.value(i, f).byteSize()).isEqualTo(container.length(i, f));
                }
            }
            return "";
        } catch (StokerException e) {
            assertThat(e.getMessage()).contains("[" + path);
            return e.getMessage();
        }
    }
}
