package dev.stoker.cli.pack;

import dev.stoker.job.Team;
import dev.stoker.sample.Samples;
import dev.stoker.spark.PackJobRecipe;
import dev.stoker.write.Packer;
import java.nio.file.Path;
import java.util.List;

/**
 * A pack as its command line says it, for the tasks of a Spark job.
 *
 * @param folder what relative paths are relative to
 */
record PackRecipe(List<String> args, String folder) implements PackJobRecipe {
    @Override
    public Samples open(Team team) {
        return command().openTask(team);
    }

    @Override
    public Packer packer(Samples samples) {
        return command().packerOfTask(samples);
    }

    private PackCommand command() {
        return PackCommand.ofTask(args, Path.of(folder));
    }
}
