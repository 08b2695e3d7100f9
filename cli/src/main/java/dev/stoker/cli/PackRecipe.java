package dev.stoker.cli;

import dev.stoker.job.Team;
import dev.stoker.pack.Packer;
import dev.stoker.sample.Samples;
import dev.stoker.spark.Recipe;
import java.nio.file.Path;
import java.util.List;

/**
 * A pack as its command line says it, for the tasks of a Spark job.
 *
 * @param folder what relative paths are relative to
 */
record PackRecipe(List<String> args, String folder) implements Recipe {
    @Override
    public Samples open(Team team) {
        return command().openTask(team);
    }

    @Override
    public Packer packer(Samples samples) {
        return command().packer(samples);
    }

    private PackCommand command() {
        return PackCommand.ofTask(args, Path.of(folder));
    }
}
