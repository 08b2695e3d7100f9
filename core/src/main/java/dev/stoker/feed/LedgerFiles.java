package dev.stoker.feed;

import dev.stoker.StokerException;
import dev.stoker.memory.MappedFile;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The names of a ledger: FILE while it is written, {@code FILE.eN} or {@code FILE.eN.M} when epoch N is over. */
final class LedgerFiles {
    private static final Pattern ROTATED = Pattern.compile("\\.e\\d+(\\.\\d+)?");

    private LedgerFiles() {}

    /** A free name for a ledger of an epoch that is over. */
    static Path rotated(Path file, long epoch) {
        Path name = file.resolveSibling(file.getFileName() + ".e" + epoch);
        for (int i = 1; Files.exists(name); i++) {
            name = file.resolveSibling(file.getFileName() + ".e" + epoch + "." + i);
        }
        return name;
    }

    /** The files given together with those of earlier epochs, each once. */
    static List<Path> all(Collection<Path> files) {
        TreeSet<Path> all = new TreeSet<>();
        for (Path given : files) {
            Path file = given.toAbsolutePath().normalize();
            boolean any = Files.exists(file);
            if (any) {
                all.add(file);
            }
            String name = file.getFileName().toString();
            try (var siblings = Files.newDirectoryStream(file.getParent())) {
                for (Path sibling : siblings) {
                    String other = sibling.getFileName().toString();
                    if (other.startsWith(name)
                            && ROTATED.matcher(other.substring(name.length())).matches()) {
                        all.add(sibling);
                        any = true;
                    }
                }
            } catch (IOException e) {
                throw MappedFile.cannotRead(given, e);
            } catch (DirectoryIteratorException e) {
                throw new StokerException("[" + given + "] its directory cannot be listed: " + e.getMessage(), e);
            }
            if (!any) {
                throw new StokerException("[" + given + "] should be a ledger but there is no such file");
            }
        }
        return List.copyOf(all);
    }
}
