package dev.stoker.cli.container;

import dev.stoker.cli.output.EachFile;
import dev.stoker.cli.output.Human;
import dev.stoker.cli.output.Omitted;
import dev.stoker.cli.output.Report;
import dev.stoker.container.Container;
import dev.stoker.format.Formats;
import dev.stoker.index.Column;
import dev.stoker.sample.Field;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import dev.stoker.state.StateFile;
import dev.stoker.state.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description =
                "Show the contents of a container (fields, samples, sizes, splits, classes) or of a safetensors file.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker inspect train.arrow",
            "  stoker inspect train.stk --json | jq .samples",
            "  stoker inspect s3://bucket/train.stk"
        })
public final class InspectCommand implements Callable<Integer> {
    private static final int MANY_CLASSES = 8;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Containers of any format, or .safetensors files.")
    private List<Path> files;

    @Option(names = "--json", description = "Print one JSON object; of several files, a list.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        return new EachFile(spec, json).run(files, file -> new EachFile.Found(report(file), 0));
    }

    private static Report report(Path file) {
        if (file.toString().endsWith(StateFile.ENDING)) {
            try (StateFile state = StateFile.open(file)) {
                return report(file, state);
            }
        }
        try (Container container = Container.openToLook(file)) {
            return report(file, container);
        }
    }

    /** A state has tensors, not samples. */
    private static Report report(Path file, StateFile state) {
        long bytes = state.tensors().stream().mapToLong(Tensor::bytes).sum();
        var report = new Report();
        report.put("file", file.toString()).put("format", "safetensors").put("bytes", bytes);
        report.line(file + ": " + Human.count(state.tensors().size(), "tensor") + ", " + Human.bytes(bytes)
                + ", format safetensors");
        var all = new ArrayList<Map<String, Object>>();
        for (Tensor tensor : state.tensors()) {
            var one = new LinkedHashMap<String, Object>();
            one.put("name", tensor.name());
            one.put("type", tensor.type().name());
            one.put("shape", tensor.shape());
            all.add(one);
            report.line(tensor.name(), tensor.type() + " " + tensor.shape());
        }
        report.put("tensors", all).put("metadata", state.metadata());
        state.metadata().forEach((name, text) -> report.line("metadata", name + ", " + text.length() + " characters"));
        return report;
    }

    private static Report report(Path file, Container container) {
        Schema schema = container.schema();
        var report = new Report();
        report.put("file", file.toString()).put("format", container.format()).put("samples", container.count());
        report.line(file + ": " + Human.count(container.count(), "sample") + ", format " + container.format());
        fields(container, report);
        splits(container, report);
        report.put("classes", schema.classes());
        if (!schema.classes().isEmpty()) {
            String first = String.join(
                    ", ",
                    schema.classes()
                            .subList(0, Math.min(MANY_CLASSES, schema.classes().size())));
            report.line(
                    "classes",
                    Human.count(schema.classes().size()) + " (" + first
                            + (schema.classes().size() > MANY_CLASSES ? ", …)" : ")"));
        }
        Omitted.put(report, container.omissions());
        container.omissions().forEach(omission -> report.line("omission", omission.toString()));
        boolean checksums = container.index().isPacked();
        report.put("checksums", checksums);
        report.line(
                "checksums",
                checksums ? "of every value, from packing" : "none (add them with stoker index --checksums)");
        boolean isLoose = Formats.named(container.format()).extensions().isEmpty();
        long saved = isLoose ? 0 : Math.max(0, container.count() - 1);
        report.put("inodes_saved", saved);
        if (!isLoose) {
            report.line("inodes", Human.count(saved) + " fewer than with one file per sample");
        }
        return report;
    }

    private static void fields(Container container, Report report) {
        var all = new ArrayList<Map<String, Object>>();
        for (int f = 0; f < container.schema().size(); f++) {
            Field field = container.schema().fields().get(f);
            long[] lengths = lengths(container, f);
            var one = new LinkedHashMap<String, Object>();
            one.put("name", field.name());
            one.put("type", field.type().label());
            one.put("bytes", Arrays.stream(lengths).sum());
            String sizes = "";
            if (lengths.length > 0) {
                Arrays.sort(lengths);
                one.put("min", lengths[0]);
                one.put("p50", at(lengths, 0.5));
                one.put("p95", at(lengths, 0.95));
                one.put("max", lengths[lengths.length - 1]);
                sizes = field.type().isFixed()
                        ? Human.bytes(lengths[0]) + " each"
                        : "smallest " + Human.bytes(lengths[0]) + ", median " + Human.bytes(at(lengths, 0.5))
                                + ", 95% "
                                + Human.bytes(at(lengths, 0.95)) + ", largest "
                                + Human.bytes(lengths[lengths.length - 1]);
            }
            all.add(one);
            report.line(
                    field.name(),
                    String.format(
                            "%-10s %9s  %s",
                            field.type().label(),
                            Human.bytes(Arrays.stream(lengths).sum()),
                            sizes));
        }
        report.put("fields", all);
    }

    private static long at(long[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1L, (long) (share * sorted.length))];
    }

    private static long[] lengths(Container container, int field) {
        Column column = container.column(field);
        // A look at every hundredth of a huge container is enough for a distribution.
        long step = Math.max(1, container.count() / 10_000_000);
        var lengths = new long[Math.toIntExact((container.count() + step - 1) / step)];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = column.length(i * step);
        }
        return lengths;
    }

    private static void splits(Container container, Report report) {
        var all = new ArrayList<Map<String, Object>>();
        for (Split split : container.splits()) {
            var one = new LinkedHashMap<String, Object>();
            one.put("name", split.name());
            one.put("first", split.first());
            one.put("count", split.count());
            all.add(one);
            report.line("split", split.name() + ": " + Human.count(split.count(), "sample") + " from " + split.first());
        }
        report.put("splits", all);
    }
}
