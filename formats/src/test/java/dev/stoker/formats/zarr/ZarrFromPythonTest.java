package dev.stoker.formats.zarr;

import dev.stoker.formats.WrittenByOthers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What zarr-python writes, in Zarr 2 and 3, Stoker reads, or refuses by the name of what it does not read. */
class ZarrFromPythonTest {
    @TempDir
    static Path folder;

    @TestFactory
    List<DynamicTest> zipsAreRead() {
        return WrittenByOthers.tests(
                ZarrZipFormat.NAME, folder, ZarrToPythonTest.SCRIPTS.run("zarr_write.py", folder, "zip"));
    }

    @TestFactory
    List<DynamicTest> foldersAreRead() {
        return WrittenByOthers.tests(
                ZarrFormat.NAME, folder, ZarrToPythonTest.SCRIPTS.run("zarr_write.py", folder, "folder"));
    }
}
