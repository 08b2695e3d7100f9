package dev.stoker.cli.stage;

import dev.stoker.UsageException;
import dev.stoker.cli.output.Report;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.os.AvailableCores;
import dev.stoker.os.Signals;
import dev.stoker.stage.MountTable;
import dev.stoker.stage.StagedData;
import dev.stoker.stage.Stager;
import dev.stoker.stage.StagingPlace;
import dev.stoker.stage.copy.StageSource;
import dev.stoker.stage.copy.StagedForm;
import dev.stoker.stage.mount.FuseMount;
import dev.stoker.text.Printable;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = {
            "Mount a container of any format as a read-only folder of its files, through FUSE.",
            "",
            "Each file's path is the key of its sample, its content the sample's data; damaged files cannot be read. Returns"
                    + " once the mount is ready, and prints its path. If the mount's process was killed, mount it again."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker mount train.arrow /tmp/train    then: ls /tmp/train",
            "  dir=$(stoker mount train.h5)           a new folder in /dev/shm",
            "  stoker unmount /tmp/train"
        })
public final class MountCommand implements Callable<Integer> {
    private static final int THREADS = 4;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "FILE", description = "A container of any format.")
    private Path file;

    @Parameters(
            index = "1",
            paramLabel = "DIR",
            arity = "0..1",
            description = "An empty folder, created if missing (default: a new one in /dev/shm).")
    private @Nullable Path folder;

    @Option(
            names = "--foreground",
            description = "Serve the mount from this process until it is unmounted or receives a signal.")
    private boolean foreground;

    @Option(names = "--until-unmounted", hidden = true, description = "Ignore signals sent to the whole job.")
    private boolean untilUnmounted;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads serving requests (default: one per core, at least 4).")
    private int threads = Math.max(THREADS, AvailableCores.allocated());

    @Override
    public Integer call() {
        StageSource source = StageSource.of(file);
        if (foreground) {
            if (folder == null) {
                throw new UsageException(
                        "--foreground requires a mount point: stoker mount --foreground " + file + " DIR");
            }
            serve(folder.toAbsolutePath().normalize());
            return 0;
        }
        Path point =
                folder == null ? mountAnywhere(source) : folder.toAbsolutePath().normalize();
        if (folder != null) {
            MountTable.serve(source.path(), point);
        }
        new Report().line(point.toString()).print(spec.commandLine().getOut(), false);
        return 0;
    }

    private static Path mountAnywhere(StageSource source) {
        Map<String, String> environment = System.getenv();
        var stager = new Stager(StagingPlace.of(StagingPlace.SHM, environment), environment, new Progress());
        try (StagedData staged = stager.stage(new Stager.Request(source, StagedForm.MOUNT, "", false, true))) {
            return staged.data();
        }
    }

    private void serve(Path point) {
        MountTable.prepare(point);
        for (String signal : new String[] {"TERM", "INT", "HUP"}) {
            Signals.take(signal, _ -> {
                if (!untilUnmounted) {
                    MountTable.unmount(point); // and the workers see that it is over
                }
            });
        }
        try (Container container = Container.open(file)) {
            FuseMount.serve(container, point, threads, sentence -> {
                spec.commandLine().getErr().println(Printable.line("stoker: [" + file + "] " + sentence));
                spec.commandLine().getErr().flush();
            });
        }
    }
}
