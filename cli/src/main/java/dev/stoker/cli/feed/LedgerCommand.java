package dev.stoker.cli.feed;

import dev.stoker.cli.output.Human;
import dev.stoker.cli.output.Report;
import dev.stoker.ledger.EpochReport;
import dev.stoker.ledger.LedgerCheck;
import dev.stoker.order.Position;
import dev.stoker.order.PositionFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = "Prove from ledgers what was delivered, and find where a crashed job should resume.",
        subcommands = {LedgerCommand.Check.class, LedgerCommand.State.class})
public final class LedgerCommand {
    @Command(
            name = "check",
            description =
                    "Prove that every position was delivered exactly once, or list missing and duplicate positions.",
            footerHeading = "%nExamples:%n",
            footer = "  stoker ledger check rank*.ledger")
    static final class Check implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Parameters(
                paramLabel = "FILE",
                arity = "1..*",
                description = "Ledgers of all ranks; those of earlier epochs (FILE.eN) are found automatically.")
        private List<Path> files;

        @Option(names = "--so-far", description = "Accept an unfinished last epoch.")
        private boolean soFar;

        @Option(names = "--json", description = "Print one JSON object.")
        private boolean json;

        @Override
        public Integer call() {
            List<EpochReport> reports = LedgerCheck.of(files).reports();
            boolean isSound = true;
            var report = new Report();
            var epochs = new ArrayList<Map<String, Object>>();
            for (EpochReport epoch : reports) {
                boolean mayBeUnfinished = soFar && epoch.equals(reports.getLast());
                isSound &= epoch.isExactlyOnce() || (mayBeUnfinished && epoch.doubled() == 0);
                epochs.add(values(epoch));
                report.line(sentence(epoch));
            }
            report.put("exactly_once", isSound).put("epochs", epochs);
            report.line(
                    isSound
                            ? "every position was delivered exactly once" + (soFar ? ", so far" : "")
                            : "NOT delivered exactly once");
            report.print(spec.commandLine().getOut(), json);
            return isSound ? 0 : 1;
        }

        private static Map<String, Object> values(EpochReport epoch) {
            var values = new LinkedHashMap<String, Object>();
            values.put("epoch", epoch.epoch());
            values.put("size", epoch.size());
            values.put("delivered", epoch.delivered());
            values.put("padded", epoch.padded());
            values.put("dropped", epoch.dropped());
            values.put("bad", epoch.bad());
            values.put("missing", epoch.missing());
            values.put("doubled", epoch.doubled());
            values.put("missing_positions", epoch.firstMissing().toString());
            values.put("doubled_positions", epoch.firstDoubled().toString());
            return values;
        }

        private static String sentence(EpochReport epoch) {
            var text = new StringBuilder("epoch " + epoch.epoch() + ": " + Human.count(epoch.delivered())
                    + " delivered of " + Human.count(epoch.size()));
            add(text, epoch.padded(), "padded", "");
            add(text, epoch.dropped(), "dropped", "");
            add(text, epoch.bad(), "bad", "");
            add(text, epoch.missing(), "MISSING", epoch.firstMissing().toString());
            add(text, epoch.doubled(), "DUPLICATED", epoch.firstDoubled().toString());
            return text.toString();
        }

        private static void add(StringBuilder text, long count, String what, String which) {
            if (count > 0) {
                text.append(", ").append(Human.count(count)).append(' ').append(what);
                text.append(which.isEmpty() ? "" : " (positions " + which + ")");
            }
        }
    }

    @Command(
            name = "state",
            description = "Compute where a crashed job should resume so that nothing is lost or duplicated.",
            footerHeading = "%nExamples:%n",
            footer = "  stoker ledger state rank*.ledger -o job.json")
    static final class State implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "FILE", arity = "1..*", description = "Ledgers of all ranks.")
        private List<Path> files;

        @Option(
                names = {"-o", "--output"},
                paramLabel = "STATE",
                required = true,
                description = "Where to save the state, for stoker feed --state.")
        private Path output;

        @Option(
                names = "--from",
                paramLabel = "STATE",
                description = "State that the job started from, if its ledgers start in the middle of an epoch.")
        private @Nullable Path from;

        @Option(names = "--json", description = "Print one JSON object.")
        private boolean json;

        @Override
        public Integer call() {
            LedgerCheck check = LedgerCheck.of(files);
            Position position = from == null ? check.state() : check.state(PositionFile.load(from, check.identity()));
            PositionFile.save(output, position);
            new Report()
                    .put("state", output.toString())
                    .put("epoch", position.epoch())
                    .put("cursor", position.cursor())
                    .put("beyond", position.beyond().count())
                    .line(output + ": epoch " + position.epoch() + ", all positions before "
                            + Human.count(position.cursor()) + " and "
                            + Human.count(position.beyond().count())
                            + " beyond were delivered")
                    .print(spec.commandLine().getOut(), json);
            return 0;
        }
    }
}
