package dev.stoker.cli.container;

import dev.stoker.StokerException;
import dev.stoker.cli.output.EachFile;
import dev.stoker.cli.output.Human;
import dev.stoker.cli.output.Omitted;
import dev.stoker.cli.output.Report;
import dev.stoker.container.FormatDetector;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import dev.stoker.format.StkFormat;
import dev.stoker.index.ContainerIdentity;
import dev.stoker.io.MappedFile;
import dev.stoker.os.FileProbe;
import dev.stoker.sample.Omission;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = "Index a container written by other tools, and save the Index beside it as FILE.stkx.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker index train.tar",
            "  stoker index shards/*.tar             each of them",
            "  stoker index train.tar --checksums    read all of it once, for checksums",
            "  stoker index s3://bucket/train.tar    let others read it without fetching all of it"
        })
public final class IndexCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Containers of any format.")
    private List<Path> files;

    @Option(names = "--checksums", description = "Also record the current checksum of every value.")
    private boolean checksums;

    @Option(names = "--force", description = "Replace an existing Index, even one with checksums from packing.")
    private boolean force;

    @Option(names = "--strict", description = "Refuse a container of which something is left out.")
    private boolean strict;

    @Option(names = "--json", description = "Print one JSON object; of several files, a list.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        return new EachFile(spec, json).run(files, place -> new EachFile.Found(index(place), 0));
    }

    private Report index(Path place) {
        long start = System.nanoTime();
        Path file = Formats.fileOf(place);
        if (FileProbe.isFolder(file)) {
            throw new StokerException(
                    file,
                    "is a folder; folders are scanned on opening and have no saved Index."
                            + " To get one, convert it to a file: stoker convert " + file + " -o NAME.stk");
        }
        try (MappedFile mapped = MappedFile.open(file)) {
            Format format = FormatDetector.of(mapped);
            if (format instanceof StkFormat) {
                throw new StokerException(file, "is a .stk file, which contains its Index; there is nothing to derive");
            }
            Path sidecar = Sidecar.beside(file);
            if (FileProbe.exists(sidecar) && !force) {
                throw new StokerException(sidecar, "already exists; use --force to replace it");
            }
            try (Sidecar.Derived derived = Sidecar.derive(format, mapped, ContainerIdentity.of(file), checksums)) {
                long samples = derived.index().samples();
                List<Omission> omissions = derived.index().omissions();
                Omitted.check(omissions, strict, spec.commandLine().getErr()::println);
                String refusal = derived.refusal();
                double seconds = (System.nanoTime() - start) / 1e9;
                var report = new Report()
                        .put("file", file.toString())
                        .put("index", derived.place().toString())
                        .put("format", format.name())
                        .put("samples", samples)
                        .put("seconds", seconds)
                        .line(sidecar.getFileName() + ": " + Human.count(samples, "sample") + " of format "
                                + format.name() + " in " + Human.seconds(seconds)
                                + (checksums ? ", with checksums" : ""));
                if (refusal != null) {
                    report.line(refusal + "; saved in " + derived.place() + " for your use only");
                }
                Omitted.put(report, omissions);
                return report;
            }
        }
    }
}
