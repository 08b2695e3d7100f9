package dev.stoker.container;

import dev.stoker.StokerException;
import dev.stoker.os.FileProbe;
import dev.stoker.remote.RemotePath;
import java.nio.file.Path;

/** Folders as Hugging Face datasets keeps them: Arrow streams and files of JSON, none of which is a sample. */
public final class HuggingFaceFolder {
    private static final String INFO = "dataset_info.json";
    private static final String STATE = "state.json";
    private static final String SPLITS = "dataset_dict.json";

    private HuggingFaceFolder() {}

    /** Whether a folder was written by {@code save_to_disk}, so that all its Arrow files are one data set. */
    public static boolean isSaved(Path folder) {
        return has(folder, INFO) && has(folder, STATE);
    }

    /** Refuses a folder of Hugging Face datasets where one container or loose files are asked for. */
    static void refuse(Path folder) {
        if (has(folder, SPLITS)) {
            throw new StokerException(
                    folder,
                    "holds the splits of a Hugging Face dataset, each in a folder; give the folder of one, such as "
                            + folder.resolve("train"));
        }
        if (has(folder, INFO)) {
            throw new StokerException(
                    folder,
                    "holds a Hugging Face dataset, whose samples are in its Arrow files; give those of one split: "
                            + folder.resolve("*.arrow"));
        }
    }

    private static boolean has(Path folder, String name) {
        return !(folder instanceof RemotePath) && FileProbe.exists(folder.resolve(name));
    }
}
