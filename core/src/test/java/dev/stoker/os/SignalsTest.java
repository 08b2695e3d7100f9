package dev.stoker.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SignalsTest {
    private static final int CONT = 18;

    /** SIGCONT does nothing to a process that runs, should it not be taken. */
    @Test
    void aSignalIsTaken() throws Exception {
        var taken = new CompletableFuture<Integer>();
        Signals.take("CONT", taken::complete);
        Signals.send(ProcessHandle.current().pid(), CONT);
        assertThat(taken.get(60, TimeUnit.SECONDS)).isEqualTo(CONT);
    }

    @Test
    void aProcessThatHasEndedIsWell() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        Signals.send(process.pid(), CONT);
    }

    @Test
    void noSuchSignalCanBeTaken() {
        assertThatThrownBy(() -> Signals.take("NONE", _ -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("SIGNONE cannot be taken");
    }
}
