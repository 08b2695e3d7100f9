package dev.stoker.cli.feed;

import dev.stoker.StokerException;
import dev.stoker.cli.Stoker;
import dev.stoker.cli.output.MetricsOptions;
import dev.stoker.os.LocalSocket;
import dev.stoker.serve.Reader;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        description = {
            "Read, decode and batch for all ranks on this node, in shared memory.",
            "stoker.Loader in Python starts this reader process, with a listening socket as standard input. It exits with"
                    + " the last rank."
        })
public final class ServeCommand implements Callable<Integer> {
    @Mixin
    private MetricsOptions metricsOptions = new MetricsOptions();

    @Override
    public Integer call() throws IOException {
        LocalSocket listening = LocalSocket.inherited(LocalSocket.STANDARD_INPUT);
        if (!listening.isListening()) {
            throw new StokerException(
                    "standard input should be a listening Unix socket but is not; stoker.Loader in Python"
                            + " starts this command, see docs/how-to/python.md");
        }
        Reader.serve(listening, Stoker.number(), metricsOptions.given(), metricsOptions.everySeconds());
        return 0;
    }
}
