package dev.stoker.cli.bench;

import dev.stoker.bench.ReadBench;
import dev.stoker.cli.output.Human;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.index.Placement;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.listing.FolderSource;
import dev.stoker.order.Order;
import dev.stoker.order.Permutation;
import dev.stoker.os.AvailableCores;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.verify.Verifier;
import dev.stoker.write.Packer;
import java.io.PrintWriter;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        description =
                "Generate a small set of pictures, pack it into every format that can hold it, read it back in shuffled order,"
                        + " and print a table.")
public final class DemoCommand implements Callable<Integer> {
    private static final int PER_CLASS = 50;

    /** Short, since people wait for it: {@code stoker bench read} takes its time. */
    private static final int REPEATS = 5;

    private static final long PASS_NANOS = 20_000_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--to", paramLabel = "DIR", description = "Output folder (default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of("stoker-demo");

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Path pictures = folder.resolve("pictures");
        if (!Files.exists(pictures)) {
            out.println("generating " + 4 * PER_CLASS + " pictures …");
            out.flush();
            DemoPictures.write(pictures, PER_CLASS);
        }
        try (Samples samples = FolderSource.list(pictures, true, AvailableCores.allocated(), BadFilePolicy.refused())) {
            out.printf(
                    "%n%-10s %-22s %10s %10s %15s %15s  %s%n",
                    "format", "container", "size", "packed in", "samples/s read", "of a bare copy", "every byte");
            for (Format format : Formats.all()) {
                // Pictures have any length.
                if (format.can(Capability.WRITE) && format.can(Capability.VARIABLE_LENGTH)) {
                    out.println(row(samples, format));
                    out.flush();
                }
            }
        }
        out.printf(
                "%nEverything is in %s: the pictures in pictures/, and one container per format.%n"
                        + "Next: stoker inspect %s    stoker cat %s 7 > seven.jpg    stoker pack YOUR-FOLDER -o OUT.arrow%n",
                folder.toAbsolutePath(), folder.resolve("pictures.stk"), folder.resolve("pictures.stk"));
        out.flush();
        return 0;
    }

    private String row(Samples samples, Format format) {
        boolean isFolder = format.extensions().isEmpty();
        Path output = folder.resolve(
                isFolder ? "loose" : "pictures." + format.extensions().getFirst());
        long start = System.nanoTime();
        var how = new Packer.Settings(FormatOptions.NONE, AvailableCores.allocated(), false, true, false);
        Packer.Result result = new Packer(samples, format, output, how, new Progress()).run();
        double seconds = (System.nanoTime() - start) / 1e9;
        try (Container container = Container.open(output)) {
            boolean intact = Verifier.verify(container, AvailableCores.allocated(), new Progress())
                            .isIntact()
                    && Verifier.against(container, samples, AvailableCores.allocated(), new Progress())
                            .isIntact();
            int data = container.schema().place(Field.DATA);
            boolean mapped = container.index().placement(data).place() != Placement.Place.TREE;
            String read;
            String ratio = "-";
            if (mapped) {
                ReadBench.Result bench =
                        ReadBench.run(container, data, new ReadBench.Settings(1, true, REPEATS, 1, PASS_NANOS));
                read = Human.rate(bench.samplesPerSecond());
                ratio = String.format(Locale.ROOT, "%.2f", bench.ratio());
            } else {
                read = Human.rate(filesPerSecond(container, data));
            }
            return String.format(
                    "%-10s %-22s %10s %10s %15s %15s  %s",
                    format.name(),
                    output.getFileName() + (isFolder ? "/" : ""),
                    Human.bytes(result.bytes()),
                    Human.seconds(seconds),
                    read,
                    ratio,
                    intact ? "as packed" : "DIFFERS");
        }
    }

    /** Loose files in shuffled order: there is no bare copy to compare with, they are what one compares with. */
    private static double filesPerSecond(Container container, int field) {
        Permutation order = Order.shuffled(container.count()).epoch(1, 0);
        long start = System.nanoTime();
        for (long i = 0; i < container.count(); i++) {
            container.value(order.at(i), field).toArray(ValueLayout.JAVA_BYTE);
        }
        return container.count() / ((System.nanoTime() - start) / 1e9);
    }
}
