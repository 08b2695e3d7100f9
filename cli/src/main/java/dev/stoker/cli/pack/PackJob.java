package dev.stoker.cli.pack;

import dev.stoker.concurrent.Progress;
import dev.stoker.format.Format;
import dev.stoker.io.OutputNames;
import dev.stoker.job.Job;
import dev.stoker.job.JobRank;
import dev.stoker.job.JobRequest;
import dev.stoker.job.Team;
import dev.stoker.os.FileProbe;
import dev.stoker.sample.Samples;
import dev.stoker.write.LustreStriping;
import dev.stoker.write.Packer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be written, where and how: the options of a command, each looked at once.
 *
 * @param output the container's name as it was given
 * @param written where it is written: there, or to a folder from which it is sent there
 * @param upload what sends it; null if it stays on a disk
 * @param layout format, layout and stripes in words, which are the same for all ranks of a job
 * @param dryRun whether it is only planned
 * @param strict whether an input is refused of which something would be left out
 * @param rank which of the processes that write together this one is
 * @param timeout how long another rank may be silent
 */
record PackJob(
        Path output,
        Path written,
        @Nullable RemoteUpload upload,
        Format format,
        String layout,
        Packer.Settings settings,
        LustreStriping stripes,
        boolean dryRun,
        boolean strict,
        JobRank rank,
        Duration timeout) {
    int workers() {
        return settings.workers();
    }

    /** Where a compressed source may be unpacked on the way. */
    Path spool() {
        return OutputNames.spool(written);
    }

    /** Where values lie that are changed before they are packed. */
    Path reworkSpool() {
        return OutputNames.rework(written);
    }

    /**
     * The processes that write together. What can be refused before the source is listed is refused now.
     *
     * @param sources what is written, in words; must be the same for all of them
     * @param read what is read for it
     */
    Team join(String sources, List<Path> read) {
        Packer.refuseSources(format, written, settings.options(), read);
        if (dryRun) {
            return Team.ALONE;
        }
        if (rank.world() > 1) {
            RemoteUpload.requireShared(output);
        }
        var request = new JobRequest(
                written,
                rank.rank(),
                rank.world(),
                rank.job(System.getenv()),
                sources + layout,
                settings.resume(),
                settings.force(),
                timeout);
        if (!FileProbe.exists(Job.folder(written))) {
            Packer.refuseExisting(format, written, settings);
        } else if (rank.world() == 1) {
            Job.clear(request);
        }
        return rank.world() == 1 ? Team.ALONE : Job.join(request);
    }

    /** What is left of the work when it is interrupted, for the user; what no other run can use is deleted. */
    String giveUp() {
        try {
            Files.deleteIfExists(reworkSpool());
        } catch (IOException e) {
            // The next run deletes it.
        }
        Path partial = OutputNames.partial(format.fileFor(written, settings.options()));
        if (dryRun || upload != null || !FileProbe.exists(OutputNames.journal(partial))) {
            return "nothing was written to " + output;
        }
        return "what was written is kept in " + partial + "; run the same command with --resume"
                + (rank.world() > 1 ? " on all ranks" : "") + " to continue";
    }

    /** What packs these samples. */
    Packer packer(Samples samples, Progress progress) {
        return new Packer(samples, format, written, settings, progress).striped(stripes);
    }
}
