package dev.stoker.cli;

import dev.stoker.StokerException;
import dev.stoker.format.Container;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import dev.stoker.format.Sidecar;
import dev.stoker.format.StkFormat;
import dev.stoker.index.Identity;
import dev.stoker.memory.Found;
import dev.stoker.memory.MappedFile;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = "Derives the Index of a container that others wrote, and keeps it beside it as FILE.stkx.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker index train.tar",
            "  stoker index train.tar --checksums    reads everything once",
            "  stoker index s3://bucket/train.tar    so that others read it from there without fetching all"
        })
final class IndexCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "A container of any format.")
    private Path place;

    @Option(names = "--checksums", description = "Also note the checksum of every value as it is now.")
    private boolean checksums;

    @Option(names = "--force", description = "Replace an Index that is there, also one with checksums from packing.")
    private boolean force;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        long start = System.nanoTime();
        Path file = Formats.fileOf(place);
        try (MappedFile mapped = MappedFile.open(file)) {
            Format format = Container.formatOf(mapped);
            if (format instanceof StkFormat) {
                throw new StokerException("[" + file + "] has its Index in itself; there is nothing to derive");
            }
            Path sidecar = Sidecar.beside(file);
            if (Found.exists(sidecar) && !force) {
                throw new StokerException("[" + sidecar + "] is there already; --force replaces it");
            }
            try (Sidecar.Derived derived = Sidecar.derive(format, mapped, Identity.of(file), checksums)) {
                long samples = derived.index().samples();
                String refusal = derived.refusal();
                double seconds = (System.nanoTime() - start) / 1e9;
                var report = new Report()
                        .put("file", file.toString())
                        .put("index", derived.place().toString())
                        .put("format", format.name())
                        .put("samples", samples)
                        .put("seconds", seconds)
                        .line(sidecar.getFileName() + ": " + Human.count(samples) + " samples of format "
                                + format.name() + " in " + Human.seconds(seconds)
                                + (checksums ? ", with checksums" : ""));
                if (refusal != null) {
                    report.line(refusal + "; kept in " + derived.place() + ", for you alone");
                }
                report.print(spec.commandLine().getOut(), json);
            }
        }
        return 0;
    }
}
