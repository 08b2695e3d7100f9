package dev.stoker.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.testkit.Same;
import dev.stoker.testkit.Workshop;
import java.nio.file.Path;

/** Reads damaged files. */
final class Damaged {
    private Damaged() {}

    /** Why a file is refused; empty if every value that it tells of can be read. */
    static String refusal(Path folder, byte[] bytes) {
        Path path = folder.resolve("damaged.parquet");
        Workshop.write(path, bytes);
        Workshop.delete(Sidecar.beside(path));
        try (Container container = Container.open(path, ParquetFormat.NAME)) {
            for (int f = 0; f < container.schema().size(); f++) {
                for (long i = 0; i < container.count(); i++) {
                    assertThat(Same.bytes(container, i, f)).hasSize((int) container.length(i, f));
                }
            }
            return "";
        } catch (StokerException e) {
            assertThat(e.getMessage()).contains(String.valueOf(path.getFileName()));
            return e.getMessage();
        }
    }
}
