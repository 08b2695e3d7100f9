package dev.stoker.cli.container;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.cli.feed.DecodeOptions;
import dev.stoker.cli.output.Human;
import dev.stoker.dataset.Dataset;
import dev.stoker.image.DType;
import dev.stoker.image.ImagePipeline;
import dev.stoker.image.Layout;
import dev.stoker.image.sheet.HtmlSheet;
import dev.stoker.image.sheet.PngSheet;
import dev.stoker.image.sheet.Tile;
import dev.stoker.image.sheet.TileReader;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import dev.stoker.os.TrustedFile;
import dev.stoker.sample.DecodedField;
import dev.stoker.text.Printable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description =
                "Draw a contact sheet of pictures with their classes or captions, as stored or as training sees them."
                        + " Shows the first pictures that `stoker feed` delivers with the same order and seed.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker show train.stk",
            "  stoker show train.stk --transform \"RandomResizedCrop(224),RandomHorizontalFlip\" -o sheet.html"
        })
public final class ShowCommand implements Callable<Integer> {
    private static final int MOST_TILES = 2000;

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "Containers, glob patterns, FILE:SPLIT, or folders of files, read as one dataset.")
    private List<String> files;

    @Option(
            names = "--transform",
            paramLabel = "CHAIN",
            description = "Transforms with torchvision's names: " + DecodeOptions.TRANSFORMS
                    + " (default: none, pictures as stored).")
    private @Nullable String transform;

    @Option(
            names = DecodeOptions.FIELD,
            paramLabel = "NAME",
            description = "The field with the pictures (default: data, or the only field of bytes).")
    private @Nullable String field;

    @Option(names = "--rows", paramLabel = "N", description = "Rows of the sheet (default: ${DEFAULT-VALUE}).")
    private int rows = 6;

    @Option(names = "--columns", paramLabel = "N", description = "Columns of the sheet (default: ${DEFAULT-VALUE}).")
    private int columns = 8;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "OUT",
            description = "A .png, or a self-contained .html (default: ${DEFAULT-VALUE}).")
    private Path output = Path.of("sheet.png");

    @Option(
            names = "--order",
            paramLabel = "ORDER",
            description = "Order of the samples: sequential or shuffled (default: ${DEFAULT-VALUE}).")
    private String order = "shuffled";

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Seed of the order and of random transforms (default: ${DEFAULT-VALUE}).")
    private long seed = 0;

    @Option(names = "--force", description = "Overwrite an existing file.")
    private boolean force;

    @Override
    public Integer call() {
        boolean isHtml = checkOptions();
        // Nothing is drawn on a screen, and most nodes have none.
        System.setProperty("java.awt.headless", "true");
        ImagePipeline pipeline = transform == null ? null : DecodeOptions.parse(transform, Layout.HWC, DType.UINT8);
        try (Dataset dataset = Dataset.open(files)) {
            String pictures = DecodedField.find(dataset.schema(), files.getFirst(), field, DecodeOptions.FIELD);
            List<Tile> tiles = new TileReader(dataset, pictures, pipeline).read(rows * columns, order, seed);
            String shown = Human.count(tiles.size()) + " of " + Human.count(dataset.count(), "sample") + ", " + order
                    + (order.equals("sequential") ? "" : " with seed " + seed)
                    + (transform == null ? ", as stored" : ", " + transform);
            write(tiles, shown, isHtml);
            long bad = tiles.stream().filter(tile -> tile.picture() == null).count();
            spec.commandLine()
                    .getOut()
                    .println(Printable.line(
                            output + ": " + shown + (bad == 0 ? "" : "; " + bad + " cannot be decoded")));
        }
        return 0;
    }

    /** Whether the sheet is HTML. */
    private boolean checkOptions() {
        String name = output.toString().toLowerCase(Locale.ROOT);
        if (!name.endsWith(".png") && !name.endsWith(".html")) {
            throw new UsageException("[" + output + "] should end in .png or .html");
        }
        if (rows < 1 || columns < 1 || (long) rows * columns > MOST_TILES) {
            throw new UsageException(
                    "a sheet should have 1 to " + MOST_TILES + " pictures but has " + rows + " rows of " + columns);
        }
        if (FileProbe.exists(output) && !force) {
            throw new StokerException(output, "already exists; use --force to overwrite it");
        }
        return name.endsWith(".html");
    }

    private void write(List<Tile> tiles, String note, boolean isHtml) {
        String title = String.join(" ", files);
        var sheet = new ByteArrayOutputStream();
        try {
            if (isHtml) {
                HtmlSheet.write(sheet, title, note, tiles, columns);
            } else {
                PngSheet.write(sheet, title, note, tiles, columns);
            }
            TrustedFile.write(output, sheet.toByteArray());
        } catch (IOException e) {
            throw FileErrors.cannotWrite(output, e);
        }
    }
}
