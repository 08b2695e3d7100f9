package dev.stoker.formats.numpy;

import dev.stoker.format.FormatOptions;
import dev.stoker.sample.Field;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.TableContract;
import dev.stoker.testkit.Workshop;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The answers of the table of formats, for arrays of one shape. */
class NpyTableTest implements TableContract {
    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    @Override
    public Workshop workshop() {
        return new Workshop(new NpyFormat(), FormatOptions.NONE, folder, seed.random());
    }

    @Override
    public boolean isHeldByTheContainer(Field field) {
        return field.name().equals(Field.DATA);
    }
}
