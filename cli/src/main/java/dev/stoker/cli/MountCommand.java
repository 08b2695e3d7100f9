package dev.stoker.cli;

import dev.stoker.StokerException;
import dev.stoker.format.Container;
import dev.stoker.memory.Cores;
import dev.stoker.memory.Signals;
import dev.stoker.pack.Progress;
import dev.stoker.stage.Form;
import dev.stoker.stage.FuseServer;
import dev.stoker.stage.Goods;
import dev.stoker.stage.Mounts;
import dev.stoker.stage.Place;
import dev.stoker.stage.Staged;
import dev.stoker.stage.Stager;
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
            "Shows a container of any format as a folder of its files, which cannot be written, through FUSE.",
            "",
            "A file has its sample's key as path and its data as content; a damaged one cannot be read. Returns when the"
                    + " mount answers, and prints where it is. A mount whose process was killed is healed by mounting again."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker mount train.arrow /tmp/train    then: ls /tmp/train",
            "  dir=$(stoker mount train.h5)           somewhere below /dev/shm",
            "  stoker unmount /tmp/train"
        })
final class MountCommand implements Callable<Integer> {
    private static final int THREADS = 4;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "FILE", description = "A container of any format.")
    private Path file;

    @Parameters(
            index = "1",
            paramLabel = "DIR",
            arity = "0..1",
            description = "An empty folder; it is made if need be (default: a new one below /dev/shm).")
    private @Nullable Path folder;

    @Option(names = "--foreground", description = "Serve the mount in this process, until it is told to end.")
    private boolean foreground;

    @Option(names = "--until-unmounted", hidden = true, description = "Do not end by a signal to all of a job.")
    private boolean untilUnmounted;

    @Option(names = "--threads", paramLabel = "N", description = "Threads that answer (default: at least 4).")
    private int threads = Math.max(THREADS, Cores.allocated());

    @Override
    public Integer call() {
        Goods goods = Goods.of(file);
        if (foreground) {
            if (folder == null) {
                throw new StokerException(
                        "--foreground needs the folder to mount on: stoker mount --foreground " + file + " DIR");
            }
            serve(folder.toAbsolutePath().normalize());
            return 0;
        }
        Path point =
                folder == null ? mountAnywhere(goods) : folder.toAbsolutePath().normalize();
        if (folder != null) {
            Mounts.serve(goods.path(), point);
        }
        new Report().line(point.toString()).print(spec.commandLine().getOut(), false);
        return 0;
    }

    private static Path mountAnywhere(Goods goods) {
        Map<String, String> environment = System.getenv();
        var stager = new Stager(Place.of(Place.SHM, environment), environment, new Progress());
        try (Staged staged = stager.stage(new Stager.Request(goods, Form.MOUNT, "", false, true))) {
            return staged.data();
        }
    }

    private void serve(Path point) {
        Mounts.prepare(point);
        for (String signal : new String[] {"TERM", "INT", "HUP"}) {
            Signals.take(signal, _ -> {
                if (!untilUnmounted) {
                    Mounts.unmount(point); // and the workers see that it is over
                }
            });
        }
        try (Container container = Container.open(file)) {
            FuseServer.serve(container, point, threads, sentence -> {
                spec.commandLine().getErr().println(Printable.line("stoker: [" + file + "] " + sentence));
                spec.commandLine().getErr().flush();
            });
        }
    }
}
