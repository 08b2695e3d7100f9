package dev.stoker.stage;

import dev.stoker.StokerException;
import dev.stoker.memory.Posix;
import dev.stoker.text.Sizes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How data are brought, and why. A program finds the same kind of thing whichever way they come: a container is a file,
 * the files of an archive or a folder are a tree.
 *
 * @param reason in words, for the user
 */
public record Choice(Via via, Form form, String reason) {
    /** What the copy leaves of the memory for the program itself: at least as much again. */
    private static final int SHARE_OF_MEMORY = 2;

    /** What is to be brought, as far as the choice depends on it. */
    private record Wanted(Path path, boolean isRemote, boolean isFolder, Form form, LongFunction<Cargo.Need> need) {}

    /**
     * What {@link Via#auto} would choose for data that are not there yet, or not looked through.
     *
     * @param at where they will lie; it, or the folder around it, is there
     * @param isFolder whether they are loose files there, and no container
     * @param form what the program is to find
     */
    public static Choice forecast(
            Path at, boolean isFolder, Form form, long bytes, long files, Map<String, String> environment) {
        Path there = Files.exists(at)
                ? at
                : Objects.requireNonNullElse(at.toAbsolutePath().getParent(), at);
        LongFunction<Cargo.Need> need = block -> new Cargo.Need(bytes + files * (block / 2), files);
        return automatic(new Wanted(there, false, isFolder, form, need), environment);
    }

    static Choice of(Via wanted, Goods goods, Map<String, String> environment) {
        Form form = goods.isFolder() || goods.isArchive() ? Form.TREE : Form.FILE;
        return switch (wanted) {
            case shm, local -> new Choice(wanted, form, "as asked");
            case mount -> mounted(goods);
            case direct -> new Choice(Via.direct, form, "as asked");
            case auto -> automatic(goods, form, environment);
        };
    }

    private static Choice mounted(Goods goods) {
        if (goods.isFolder()) {
            throw new StokerException(
                    "[" + goods.path() + "] is a folder and needs no mount; pack it first, or use --via direct");
        }
        String closed = Mounts.refusal();
        if (closed != null) {
            throw new StokerException("[" + goods.path() + "] cannot be mounted: " + closed
                    + "; use --via shm or --via local instead, or --via auto, which does so by itself");
        }
        return new Choice(Via.mount, Form.MOUNT, "as asked");
    }

    private static Choice automatic(Goods goods, Form form, Map<String, String> environment) {
        try (Cargo cargo = goods.open(form)) {
            return automatic(
                    new Wanted(goods.path(), goods.isRemote(), goods.isFolder(), form, cargo::need), environment);
        }
    }

    private static Choice automatic(Wanted goods, Map<String, String> environment) {
        var reasons = new StringBuilder();
        for (Via via : new Via[] {Via.shm, Via.local}) {
            String refusal = refusal(via, goods, environment);
            if (refusal == null) {
                return new Choice(via, goods.form, reasons + "it fits");
            }
            reasons.append(via).append(": ").append(refusal).append("; ");
        }
        if (goods.isRemote()) {
            throw new StokerException("[" + goods.path() + "] finds no place on this node: " + reasons
                    + "ask for more memory, or name a folder with STOKER_LOCAL");
        }
        if (goods.form == Form.TREE && !goods.isFolder()) {
            String closed = Mounts.refusal();
            if (closed != null) {
                throw new StokerException("[" + goods.path() + "] finds no place on this node: " + reasons + "mount: "
                        + closed + "; ask for more memory, or name a folder with STOKER_LOCAL");
            }
            return new Choice(Via.mount, Form.MOUNT, reasons + "so it is mounted");
        }
        return new Choice(Via.direct, goods.form, reasons + "so it stays where it is");
    }

    /** Why a place does not do; null if it does. */
    private static @Nullable String refusal(Via via, Wanted goods, Map<String, String> environment) {
        try {
            Place place = Place.of(via.name(), environment);
            boolean isLocal = !goods.isRemote() && !place.isMemory();
            if (isLocal && device(place.folder()) == device(goods.path())) {
                return "the data are on that disk already";
            }
            var room = new Room(place, environment);
            Cargo.Need need = goods.need.apply(room.blockBytes());
            room.require(need, goods.path().toString());
            Room.Limit least = room.tightest();
            if (place.isMemory() && need.bytes() > least.freeBytes() / SHARE_OF_MEMORY) {
                return "it needs " + Sizes.human(need.bytes()) + ", more than half of what is " + least.what() + ", "
                        + Sizes.human(least.freeBytes());
            }
            return null;
        } catch (StokerException e) {
            return String.valueOf(e.getMessage());
        } catch (IOException e) {
            return "it cannot be asked (" + e.getMessage() + ")";
        }
    }

    /** Which filesystem a path is on. Java would look for its mount, of which there is none in some containers. */
    private static long device(Path path) throws IOException {
        return Posix.stat(Posix.HERE, path.toString().getBytes(StandardCharsets.UTF_8))
                .device();
    }
}
