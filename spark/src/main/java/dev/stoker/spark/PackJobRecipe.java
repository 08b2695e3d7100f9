package dev.stoker.spark;

import dev.stoker.job.Team;
import dev.stoker.sample.Samples;
import dev.stoker.write.Packer;
import java.io.Serializable;

/** How an executor comes to what the driver packs. Equal recipes make the same. */
public interface PackJobRecipe extends Serializable {
    /**
     * Opens the source.
     *
     * @param team what was found out about it already
     */
    Samples open(Team team);

    Packer packer(Samples samples);
}
