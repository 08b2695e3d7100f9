package dev.stoker.ledger;

import dev.stoker.StokerException;
import dev.stoker.os.FileProbe;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The names of a ledger: FILE while it is written, {@code FILE.eN} or {@code FILE.eN.M} when epoch N is over. */
final class LedgerFiles {
    private static final Pattern ROTATED = Pattern.compile("\\.e\\d+(\\.\\d+)?");

    private LedgerFiles() {}

    /** A free name for a ledger of an epoch that is over. */
    static Path rotated(Path file, long epoch) {
        Path name = file.resolveSibling(file.getFileName() + ".e" + epoch);
        for (int i = 1; FileProbe.exists(name); i++) {
            name = file.resolveSibling(file.getFileName() + ".e" + epoch + "." + i);
        }
        return name;
    }

    /** The files given together with those of earlier epochs, each once. */
    static List<Path> all(Collection<Path> files) {
        TreeSet<Path> all = new TreeSet<>();
        for (Path given : files) {
            Path file = given.toAbsolutePath().normalize();
            boolean any = FileProbe.exists(file);
            if (any) {
                all.add(file);
            }
            String name = file.getFileName().toString();
            for (Path sibling : FileProbe.in(Objects.requireNonNull(file.getParent()))) {
                String other = sibling.getFileName().toString();
                if (other.startsWith(name)
                        && ROTATED.matcher(other.substring(name.length())).matches()) {
                    all.add(sibling);
                    any = true;
                }
            }
            if (!any) {
                throw new StokerException(given, "should be a ledger but there is no such file");
            }
        }
        return List.copyOf(all);
    }
}
