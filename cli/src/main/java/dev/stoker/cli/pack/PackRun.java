package dev.stoker.cli.pack;

import dev.stoker.UsageException;
import dev.stoker.cli.output.Human;
import dev.stoker.cli.output.Omitted;
import dev.stoker.cli.output.ProgressBar;
import dev.stoker.cli.output.Report;
import dev.stoker.concurrent.Progress;
import dev.stoker.job.Team;
import dev.stoker.sample.Field;
import dev.stoker.sample.Omission;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.text.Spelling;
import dev.stoker.write.Compressibility;
import dev.stoker.write.Packer;
import dev.stoker.write.ShareExecutor;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One run of a job: packs samples, or only plans, and reports what became of them.
 *
 * @param executor has the shares filled elsewhere; null if this process fills them
 */
record PackRun(PackJob job, Team team, @Nullable ShareExecutor executor, Progress progress, ProgressBar bar) {
    Report of(Samples samples) {
        long start = System.nanoTime();
        requireFields(samples.schema());
        List<Omission> omissions = samples.omissions();
        Omitted.check(omissions, job.strict(), team.leads() ? bar::say : _ -> {});
        Packer packer = job.packer(samples, progress).inTeam(team);
        if (executor != null) {
            packer.withExecutor(executor);
        }
        Compressibility compressibility = packer.compressibility();
        if (compressibility != null && !compressibility.isWorthwhile()) {
            bar.say(hardlySmaller(compressibility));
        }
        List<Field> uncompressed = packer.uncompressed();
        if (!uncompressed.isEmpty()) {
            bar.say(notCompressed(uncompressed));
        }
        Report report = job.dryRun()
                ? PackReport.planned(job, samples, packer.plan())
                : PackReport.packed(job, samples, pack(packer), start);
        bar.close();
        Omitted.put(report, omissions);
        if (executor != null) {
            report.put("tasks", executor.shares());
        } else if (team.world() > 1) {
            report.put("ranks", team.world());
        }
        report.put("format", job.format().name()).put("output", job.output().toString());
        if (compressibility != null) {
            report.put("compression", compressibility.codec()).put("compression_ratio", compressibility.ratio());
        }
        if (!uncompressed.isEmpty()) {
            report.put("uncompressed", uncompressed.stream().map(Field::name).toList());
        }
        return report;
    }

    /** Refuses a name for a field that there is not: it was meant for another. */
    private void requireFields(Schema schema) {
        List<String> fields = schema.fields().stream().map(Field::name).toList();
        job.settings().options().names().forEach((field, name) -> {
            if (!fields.contains(field)) {
                throw new UsageException("--name " + field + "=" + name + ": no field '" + field + "'; the fields are "
                        + String.join(", ", fields) + Spelling.hint(field, fields));
            }
        });
    }

    private String notCompressed(List<Field> fields) {
        String names = fields.stream()
                .map(field -> field.name() + " (" + field.type().label() + ")")
                .collect(Collectors.joining(", "));
        return "--compression leaves " + names + " as it is: format "
                + job.format().name() + " does not compress such fields; .stk does";
    }

    private static String hardlySmaller(Compressibility compressibility) {
        return String.format(
                Locale.ROOT,
                "%s barely shrinks these samples: %.0f%% of the bytes remain (tried on %s)."
                        + " They are compressed already; without --compression they are read faster.",
                compressibility.codec(),
                100 * compressibility.ratio(),
                Human.bytes(compressibility.plain()));
    }

    private Packer.Result pack(Packer packer) {
        Packer.Result result = packer.run();
        RemoteUpload upload = job.upload();
        if (upload != null) {
            upload.send(progress);
        }
        return result;
    }
}
