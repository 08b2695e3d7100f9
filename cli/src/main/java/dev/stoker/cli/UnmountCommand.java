package dev.stoker.cli;

import dev.stoker.StokerException;
import dev.stoker.stage.Mounts;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        description =
                "Takes a mount away. Programs that have files of it open keep them; a mount whose process died goes too.",
        footerHeading = "%nExamples:%n",
        footer = "  stoker unmount /tmp/train")
final class UnmountCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "Where it is mounted.")
    private Path folder;

    @Override
    public Integer call() {
        Path point = folder.toAbsolutePath().normalize();
        if (!Mounts.isMounted(point)) {
            throw new StokerException("[" + folder + "] nothing is mounted there");
        }
        Mounts.unmount(point);
        Mounts.forget(point);
        return 0;
    }
}
