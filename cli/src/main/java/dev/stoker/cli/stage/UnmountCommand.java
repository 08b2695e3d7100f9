package dev.stoker.cli.stage;

import dev.stoker.StokerException;
import dev.stoker.stage.MountTable;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        description =
                "Unmount a container. Programs keep the files they have open. Also removes a mount whose process died.",
        footerHeading = "%nExamples:%n",
        footer = "  stoker unmount /tmp/train")
public final class UnmountCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "The mount point.")
    private Path folder;

    @Override
    public Integer call() {
        Path point = folder.toAbsolutePath().normalize();
        if (!MountTable.isMounted(point)) {
            throw new StokerException(folder, "is not a mount point");
        }
        MountTable.unmount(point);
        MountTable.forget(point);
        return 0;
    }
}
