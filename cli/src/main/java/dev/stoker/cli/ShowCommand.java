package dev.stoker.cli;

import dev.stoker.StokerException;
import dev.stoker.feed.Dataset;
import dev.stoker.image.DType;
import dev.stoker.image.ImagePipeline;
import dev.stoker.image.Layout;
import dev.stoker.image.sheet.HtmlSheet;
import dev.stoker.image.sheet.PngSheet;
import dev.stoker.image.sheet.Tile;
import dev.stoker.image.sheet.TileReader;
import dev.stoker.memory.Found;
import dev.stoker.memory.OutputFile;
import dev.stoker.memory.OwnFile;
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
                "Draws a sheet of pictures with their classes or captions: as they are stored, or as training sees"
                        + " them. They are the first ones that `stoker feed` delivers with the same order and seed.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker show train.stk",
            "  stoker show train.stk --transform \"RandomResizedCrop(224),RandomHorizontalFlip\" -o sheet.html"
        })
final class ShowCommand implements Callable<Integer> {
    private static final int MOST_TILES = 2000;

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "Containers, patterns of them, FILE:SPLIT, or folders of loose files; together one dataset.")
    private List<String> files;

    @Option(
            names = "--transform",
            paramLabel = "CHAIN",
            description = "As in torchvision; without it pictures are shown as they are stored.")
    private @Nullable String transform;

    @Option(names = "--rows", paramLabel = "N", description = "Default: ${DEFAULT-VALUE}.")
    private int rows = 6;

    @Option(names = "--columns", paramLabel = "N", description = "Default: ${DEFAULT-VALUE}.")
    private int columns = 8;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "OUT",
            description = "A .png, or a .html that needs no other file (default: ${DEFAULT-VALUE}).")
    private Path output = Path.of("sheet.png");

    @Option(names = "--order", paramLabel = "O", description = "sequential or shuffled (default: ${DEFAULT-VALUE}).")
    private String order = "shuffled";

    @Option(names = "--seed", paramLabel = "S", description = "Of order and transforms (default: ${DEFAULT-VALUE}).")
    private long seed = 0;

    @Option(names = "--force", description = "Write over an existing file.")
    private boolean force;

    @Override
    public Integer call() {
        boolean isHtml = checkOptions();
        // Nothing is drawn on a screen, and most nodes have none.
        System.setProperty("java.awt.headless", "true");
        ImagePipeline pipeline = transform == null ? null : DecodeOptions.parse(transform, Layout.HWC, DType.UINT8);
        try (Dataset dataset = Dataset.open(files)) {
            List<Tile> tiles = new TileReader(dataset, pipeline).read(rows * columns, order, seed);
            String shown = Human.count(tiles.size()) + " of " + Human.count(dataset.count()) + " samples, " + order
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
            throw new StokerException("[" + output + "] should end in .png or .html");
        }
        if (rows < 1 || columns < 1 || (long) rows * columns > MOST_TILES) {
            throw new StokerException(
                    "a sheet should have 1 to " + MOST_TILES + " pictures but has " + rows + " rows of " + columns);
        }
        if (Found.exists(output) && !force) {
            throw new StokerException("[" + output + "] exists already; --force writes over it");
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
            OwnFile.write(output, sheet.toByteArray());
        } catch (IOException e) {
            throw OutputFile.cannotWrite(output, e);
        }
    }
}
