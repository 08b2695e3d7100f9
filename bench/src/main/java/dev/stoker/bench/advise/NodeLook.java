package dev.stoker.bench.advise;

import dev.stoker.StokerException;
import dev.stoker.os.AvailableCores;
import dev.stoker.os.FilesystemSpace;
import dev.stoker.stage.FreeSpace;
import dev.stoker.stage.MountTable;
import dev.stoker.stage.StagingPlace;
import dev.stoker.write.LustreStriping;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Looks at the allocation, by the same classes that stage data later. */
final class NodeLook {
    private NodeLook() {}

    /**
     * Looks.
     *
     * @param folder where a container would be packed to
     */
    static NodeFacts look(Path data, Path folder, Map<String, String> environment) {
        long memory = 0;
        String limit;
        try {
            FreeSpace.Limit tightest =
                    new FreeSpace(StagingPlace.of(StagingPlace.SHM, environment), environment).tightest();
            memory = tightest.freeBytes();
            limit = tightest.what();
        } catch (StokerException e) {
            limit = String.valueOf(e.getMessage());
        }
        NodeFacts.LocalDisk local = null;
        String problem = "";
        try {
            Path place = StagingPlace.of(StagingPlace.LOCAL, environment).folder();
            if (!Files.isWritable(place)) {
                throw new StokerException(place, "cannot be written");
            }
            local = new NodeFacts.LocalDisk(
                    place.toString(),
                    filesystem(place),
                    FilesystemSpace.of(place).freeBytes());
        } catch (StokerException e) {
            problem = String.valueOf(e.getMessage());
        }
        return new NodeFacts(
                AvailableCores.allocated(),
                memory,
                limit,
                local,
                problem,
                MountTable.refusal(),
                filesystem(data),
                LustreStriping.isOnLustre(folder),
                FilesystemSpace.of(folder).freeBytes());
    }

    private static String filesystem(Path path) {
        try {
            return Files.getFileStore(path).type();
        } catch (IOException e) {
            return "unknown";
        }
    }
}
