package dev.stoker.testkit;

import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.sample.Field;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every format has to keep, in tests. A format's test class extends this and says which format it is:
 *
 * <pre>
 * class TarContractTest extends FormatContract {
 *     protected Format format() {
 *         return new TarFormat();
 *     }
 * }
 * </pre>
 *
 * The format must be registered as a service.
 */
public abstract class FormatContract
        implements RoundTripContract,
                SizeContract,
                AbilityContract,
                TableContract,
                DamageContract,
                EditContract,
                RepairContract,
                ResumeContract,
                RankContract {
    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    protected abstract Format format();

    /** How containers are laid out in these tests. */
    protected FormatOptions options() {
        return FormatOptions.NONE;
    }

    @Override
    public boolean isHeldByTheContainer(Field field) {
        return field.name().equals(Field.DATA);
    }

    @Override
    public final Workshop workshop() {
        return new Workshop(format(), options(), folder, seed.random());
    }
}
