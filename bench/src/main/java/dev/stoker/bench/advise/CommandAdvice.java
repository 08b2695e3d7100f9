package dev.stoker.bench.advise;

import dev.stoker.bench.advise.Advice.Command;
import dev.stoker.stage.StagingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The commands that do what is advised, as a shell takes them. */
final class CommandAdvice {
    private static final String TRANSFORM = "RandomResizedCrop(224),RandomHorizontalFlip";

    private final DataSurvey seen;
    private final NodeFacts node;
    private final AdviseRequest request;
    private final FormatAdvice format;
    private final ReadAdvice read;
    private final BatchAdvice batch;

    private CommandAdvice(
            DataSurvey seen,
            NodeFacts node,
            AdviseRequest request,
            FormatAdvice format,
            ReadAdvice read,
            BatchAdvice batch) {
        this.seen = seen;
        this.node = node;
        this.request = request;
        this.format = format;
        this.read = read;
        this.batch = batch;
    }

    static List<Command> of(
            DataSurvey seen,
            NodeFacts node,
            AdviseRequest request,
            FormatAdvice format,
            ReadAdvice read,
            BatchAdvice batch) {
        return new CommandAdvice(seen, node, request, format, read, batch).commands();
    }

    private List<Command> commands() {
        var commands = new ArrayList<Command>();
        if (format.isNew()) {
            commands.add(write());
        } else if (seen.container() != null && !seen.container().hasIndex()) {
            commands.add(new Command("index", "stoker index " + ShellWord.of(request.data())));
        }
        if (seen.container() == null && seen.areContainers()) {
            commands.add(new Command("try", feed(ShellWord.of(request.data() + "/*"))));
            return commands;
        }
        boolean isExtracted =
                !format.isNew() && seen.container() != null && seen.container().isArchive();
        commands.add(isExtracted ? stagedFeed() : runFeed());
        commands.add(isExtracted ? stagedProgram() : runProgram());
        commands.add(new Command("python", loader()));
        return commands;
    }

    private Command write() {
        boolean isPack = seen.container() == null;
        var line = new StringBuilder(isPack ? "stoker pack " : "stoker convert ");
        line.append(ShellWord.of(request.data())).append(" -o ").append(ShellWord.of(request.container()));
        if (!format.codec().isEmpty()) {
            line.append(" --compression ").append(format.codec());
        }
        if (isPack && seen.problems().count() > 0) {
            line.append(" --skip-bad");
        }
        if (node.isLustre()) {
            line.append(" --stripe auto");
        }
        return new Command(isPack ? "pack" : "convert", line.toString());
    }

    private Path data() {
        return format.isNew() ? request.container() : request.data();
    }

    private String feed(String data) {
        return "stoker feed " + data + " --batch " + batch.batch() + " --epochs 3"
                + (batch.feedBytes() > 0 ? " --memory " + Math.ceilDiv(batch.feedBytes(), 1 << 20) + "MiB" : "");
    }

    /** The variable by which the user's disk is named is what both commands look at. */
    private String environment() {
        return request.nodeLocal() == null ? "" : "STOKER_LOCAL=" + ShellWord.of(request.nodeLocal()) + " ";
    }

    private String run() {
        return environment() + "stoker run --data " + ShellWord.of(data()) + " -- ";
    }

    private Command runFeed() {
        return new Command("try", run() + "sh -c " + ShellWord.of(feed("\"$STOKER_DATA\"")));
    }

    private Command runProgram() {
        return new Command("run", run() + "python train.py");
    }

    /** What `stoker run` would make of an archive is a folder; here the archive itself is what is read. */
    private String stage() {
        return read.via() == StagingMode.direct
                ? ShellWord.of(data())
                : "\"$(" + environment() + "stoker stage " + ShellWord.of(data()) + " --to " + read.via() + ")\"";
    }

    private Command stagedFeed() {
        return new Command("try", feed(stage()));
    }

    private Command stagedProgram() {
        return new Command("run", "STOKER_DATA=" + stage() + " python train.py");
    }

    private String loader() {
        String transform = seen.pictures() == null ? "" : ", transform=\"" + TRANSFORM + "\"";
        String memory = batch.feedBytes() > 0 ? ", memory=" + batch.feedBytes() : "";
        return "stoker.Loader(os.environ[\"STOKER_DATA\"], batch_size=" + batch.batch() + ", shuffle=True" + transform
                + memory + ")";
    }
}
