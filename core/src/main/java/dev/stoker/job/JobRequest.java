package dev.stoker.job;

import dev.stoker.io.OutputNames;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a rank knows of its job when it starts.
 *
 * @param launcher the scheduler's name of the job, the same in all its ranks and in no other job; empty if there is none
 * @param work source and options in words; what makes one job where no scheduler says it
 * @param resume whether what an earlier job left is gone on with
 * @param force whether what is there is written over
 * @param timeout how long a rank may be silent
 */
public record JobRequest(
        Path output,
        int rank,
        int world,
        String launcher,
        String work,
        boolean resume,
        boolean force,
        Duration timeout) {
    public JobRequest {
        output = output.toAbsolutePath().normalize();
    }

    Path folder() {
        return OutputNames.job(output);
    }
}
