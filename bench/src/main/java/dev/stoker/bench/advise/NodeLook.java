package dev.stoker.bench.advise;

import dev.stoker.StokerException;
import dev.stoker.memory.Cores;
import dev.stoker.memory.Filesystem;
import dev.stoker.pack.Stripes;
import dev.stoker.stage.Mounts;
import dev.stoker.stage.Place;
import dev.stoker.stage.Room;
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
    static Node look(Path data, Path folder, Map<String, String> environment) {
        long memory = 0;
        String limit;
        try {
            Room.Limit tightest = new Room(Place.of(Place.SHM, environment), environment).tightest();
            memory = tightest.freeBytes();
            limit = tightest.what();
        } catch (StokerException e) {
            limit = String.valueOf(e.getMessage());
        }
        Node.LocalDisk local = null;
        String problem = "";
        try {
            Path place = Place.of(Place.LOCAL, environment).folder();
            if (!Files.isWritable(place)) {
                throw new StokerException("[" + place + "] cannot be written");
            }
            local = new Node.LocalDisk(
                    place.toString(), filesystem(place), Filesystem.of(place).freeBytes());
        } catch (StokerException e) {
            problem = String.valueOf(e.getMessage());
        }
        return new Node(
                Cores.allocated(),
                memory,
                limit,
                local,
                problem,
                Mounts.refusal(),
                filesystem(data),
                Stripes.isOnLustre(folder),
                Filesystem.of(folder).freeBytes());
    }

    private static String filesystem(Path path) {
        try {
            return Files.getFileStore(path).type();
        } catch (IOException e) {
            return "unknown";
        }
    }
}
