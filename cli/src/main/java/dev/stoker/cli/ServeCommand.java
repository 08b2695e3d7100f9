package dev.stoker.cli;

import dev.stoker.StokerException;
import dev.stoker.memory.LocalSocket;
import dev.stoker.serve.Reader;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        description = {
            "The reader process of a node: reads, decodes and batches for all ranks that run there, in shared memory.",
            "stoker.Loader in Python starts it, with the listening socket as standard input, and it ends with the last rank."
        })
final class ServeCommand implements Callable<Integer> {
    @Mixin
    private MetricsOptions metricsOptions = new MetricsOptions();

    @Override
    public Integer call() throws IOException {
        LocalSocket listening = LocalSocket.inherited(LocalSocket.STANDARD_INPUT);
        if (!listening.isListening()) {
            throw new StokerException(
                    "standard input should be a listening Unix socket but is not; this command is started"
                            + " by stoker.Loader in Python, see docs/how-to/python.md");
        }
        Reader.serve(listening, Stoker.number(), metricsOptions.given(), metricsOptions.everySeconds());
        return 0;
    }
}
