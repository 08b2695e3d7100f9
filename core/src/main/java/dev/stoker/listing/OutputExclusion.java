package dev.stoker.listing;

import dev.stoker.job.Job;
import dev.stoker.remote.RemotePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of an output that lies in the folder that it is made from: the container, its sidecar, and what a pack keeps
 * beside them. They are no samples.
 *
 * @param folder the folder that they lie in, below the source's, with a slash at its end if it is not the source's own
 * @param names what they are called
 */
record OutputExclusion(byte[] folder, Pattern names) {
    /** Those of no output: no folder below another is called so. */
    private static final OutputExclusion NONE = new OutputExclusion(new byte[] {'/'}, Pattern.compile(""));

    /** Those of an output, if it lies in the folder. */
    static OutputExclusion of(Path root, @Nullable Path output) {
        if (output == null || output instanceof RemotePath) {
            return NONE;
        }
        Path place = output.toAbsolutePath().normalize();
        Path folder = place.getParent();
        try {
            Path source = root.toRealPath();
            if (folder == null || !folder.toRealPath().startsWith(source)) {
                return NONE;
            }
            String below = source.relativize(folder.toRealPath()).toString();
            return new OutputExclusion(
                    (below.isEmpty() ? "" : below + "/").getBytes(StandardCharsets.UTF_8),
                    Pattern.compile(names(place)));
        } catch (IOException e) {
            return NONE; // who reads the one or writes to the other says what is wrong with it
        }
    }

    private static String names(Path output) {
        String name = Pattern.quote(String.valueOf(output.getFileName()));
        String job = Pattern.quote(
                Objects.requireNonNull(Job.folder(output).getFileName()).toString());
        return name + "(\\.stkx)?(\\.(partial|spool|rework)(\\..*)?)?|" + job;
    }

    boolean has(byte[] parent, byte[] name) {
        return Arrays.equals(parent, folder)
                && names.matcher(new String(name, StandardCharsets.UTF_8)).matches();
    }
}
