package dev.stoker.stage;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.os.Posix;
import dev.stoker.stage.copy.CopyPlan;
import dev.stoker.stage.copy.StageSource;
import dev.stoker.stage.copy.StagedForm;
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
public record StagingChoice(StagingMode via, StagedForm form, String reason) {
    /** What the copy leaves of the memory for the program itself: at least as much again. */
    private static final int SHARE_OF_MEMORY = 2;

    /** What is to be brought, as far as the choice depends on it. */
    private record Wanted(
            Path path, boolean isRemote, boolean isFolder, StagedForm form, LongFunction<CopyPlan.Need> need) {}

    /**
     * What {@link StagingMode#auto} would choose for data that are not there yet, or not looked through.
     *
     * @param at where they will lie; it, or the folder around it, is there
     * @param isFolder whether they are loose files there, and no container
     * @param form what the program is to find
     */
    public static StagingChoice forecast(
            Path at, boolean isFolder, StagedForm form, long bytes, long files, Map<String, String> environment) {
        Path there = Files.exists(at)
                ? at
                : Objects.requireNonNullElse(at.toAbsolutePath().getParent(), at);
        LongFunction<CopyPlan.Need> need = block -> new CopyPlan.Need(bytes + files * (block / 2), files);
        return automatic(new Wanted(there, false, isFolder, form, need), environment);
    }

    static StagingChoice of(StagingMode wanted, StageSource source, Map<String, String> environment) {
        StagedForm form = source.isFolder() || source.isArchive() ? StagedForm.TREE : StagedForm.FILE;
        return switch (wanted) {
            case shm, local -> new StagingChoice(wanted, form, "as asked");
            case mount -> mounted(source);
            case direct -> new StagingChoice(StagingMode.direct, form, "as asked");
            case auto -> automatic(source, form, environment);
        };
    }

    private static StagingChoice mounted(StageSource source) {
        if (source.isFolder()) {
            throw new UsageException(
                    source.path(), "is a folder and needs no mount; pack it first, or use --via direct");
        }
        String closed = MountTable.refusal();
        if (closed != null) {
            throw new StokerException(
                    source.path(),
                    "cannot be mounted: " + closed
                            + "; use --via shm or --via local instead, or --via auto, which does so automatically");
        }
        return new StagingChoice(StagingMode.mount, StagedForm.MOUNT, "as asked");
    }

    private static StagingChoice automatic(StageSource source, StagedForm form, Map<String, String> environment) {
        try (CopyPlan plan = source.open(form)) {
            return automatic(
                    new Wanted(source.path(), source.isRemote(), source.isFolder(), form, plan::need), environment);
        }
    }

    private static StagingChoice automatic(Wanted source, Map<String, String> environment) {
        var reasons = new StringBuilder();
        for (StagingMode via : new StagingMode[] {StagingMode.shm, StagingMode.local}) {
            String refusal = refusal(via, source, environment);
            if (refusal == null) {
                return new StagingChoice(via, source.form, reasons + "it fits");
            }
            reasons.append(via).append(": ").append(refusal).append("; ");
        }
        if (source.isRemote()) {
            throw new StokerException(
                    source.path(),
                    "does not fit on this node: " + reasons + "request more memory, or set STOKER_LOCAL to a folder");
        }
        if (source.form == StagedForm.TREE && !source.isFolder()) {
            String closed = MountTable.refusal();
            if (closed != null) {
                throw new StokerException(
                        source.path(),
                        "does not fit on this node: " + reasons + "mount: " + closed
                                + "; request more memory, or set STOKER_LOCAL to a folder");
            }
            return new StagingChoice(StagingMode.mount, StagedForm.MOUNT, reasons + "so it is mounted");
        }
        return new StagingChoice(StagingMode.direct, source.form, reasons + "so it stays where it is");
    }

    /** Why a place is not used; null if it is. */
    private static @Nullable String refusal(StagingMode via, Wanted source, Map<String, String> environment) {
        try {
            StagingPlace place = StagingPlace.of(via.name(), environment);
            boolean isLocal = !source.isRemote() && !place.isMemory();
            if (isLocal && device(place.folder()) == device(source.path())) {
                return "the data is already on that disk";
            }
            var room = new FreeSpace(place, environment);
            CopyPlan.Need need = source.need.apply(room.blockBytes());
            room.require(need, source.path().toString());
            FreeSpace.Limit least = room.tightest();
            if (place.isMemory() && need.bytes() > least.freeBytes() / SHARE_OF_MEMORY) {
                return "it needs " + Sizes.human(need.bytes()) + ", more than half of the "
                        + Sizes.human(least.freeBytes()) + " free (" + least.what() + ")";
            }
            return null;
        } catch (StokerException e) {
            return String.valueOf(e.getMessage());
        } catch (IOException e) {
            return "its filesystem can't be queried (" + e.getMessage() + ")";
        }
    }

    /** Which filesystem a path is on. Java would look for its mount, of which there is none in some containers. */
    private static long device(Path path) throws IOException {
        return Posix.stat(Posix.HERE, path.toString().getBytes(StandardCharsets.UTF_8))
                .device();
    }
}
