package dev.stoker.image.sheet;

import dev.stoker.StokerException;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.font.FontRenderContext;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import javax.imageio.ImageIO;

/** A contact sheet as one picture. */
public final class PngSheet {
    private static final int SIDE = 224;
    private static final int GAP = 14;
    private static final int MARGIN = 28;
    private static final int HEAD = 58;
    private static final int TEXT = 44;
    private static final Color PAPER = new Color(0xFAFAF8);
    private static final Color FRAME = new Color(0xECECE8);
    private static final Color INK = new Color(0x22262B);
    private static final Color PALE = new Color(0x80868E);
    private static final Color ALARM = new Color(0xB3261E);

    private final Graphics2D graphics;

    private PngSheet(Graphics2D graphics) {
        this.graphics = graphics;
    }

    /** Writes a sheet of so many columns; {@code title} and {@code note} stand at its head. */
    public static void write(OutputStream out, String title, String note, List<Tile> tiles, int columns)
            throws IOException {
        requireFonts();
        int rows = (tiles.size() + columns - 1) / columns;
        int width = 2 * MARGIN + columns * (SIDE + GAP) - GAP;
        int height = Math.addExact(2 * MARGIN + HEAD - GAP, Math.multiplyExact(rows, SIDE + TEXT + GAP));
        var sheet = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = sheet.createGraphics();
        try {
            graphics.setColor(PAPER);
            graphics.fillRect(0, 0, width, height);
            graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            var drawing = new PngSheet(graphics);
            drawing.text(title, Font.BOLD, 20, INK, MARGIN, MARGIN + 18, width - 2 * MARGIN);
            drawing.text(note, Font.PLAIN, 13, PALE, MARGIN, MARGIN + 40, width - 2 * MARGIN);
            for (int i = 0; i < tiles.size(); i++) {
                int x = MARGIN + i % columns * (SIDE + GAP);
                int y = MARGIN + HEAD + i / columns * (SIDE + TEXT + GAP);
                drawing.tile(tiles.get(i), x, y);
            }
        } finally {
            graphics.dispose();
        }
        ImageIO.write(sheet, "png", out);
    }

    private static void requireFonts() {
        try {
            new Font(Font.SANS_SERIF, Font.PLAIN, 12).getStringBounds("a", new FontRenderContext(null, true, true));
        } catch (RuntimeException | LinkageError | InternalError e) {
            throw new StokerException(
                    "this machine has no fonts to write labels with (" + e
                            + "); make a .html instead, or install fontconfig",
                    e);
        }
    }

    private void tile(Tile tile, int x, int y) {
        graphics.setColor(FRAME);
        graphics.fillRect(x, y, SIDE, SIDE);
        if (tile.picture() == null) {
            graphics.setColor(ALARM);
            graphics.setStroke(new BasicStroke(2));
            graphics.drawLine(x + SIDE / 2 - 20, y + SIDE / 2 - 40, x + SIDE / 2 + 20, y + SIDE / 2);
            graphics.drawLine(x + SIDE / 2 + 20, y + SIDE / 2 - 40, x + SIDE / 2 - 20, y + SIDE / 2);
            text(tile.problem(), Font.PLAIN, 11, ALARM, x + 8, y + SIDE / 2 + 30, SIDE - 16);
        } else {
            BufferedImage small = Fit.into(tile.picture(), SIDE);
            graphics.drawImage(small, x + (SIDE - small.getWidth()) / 2, y + (SIDE - small.getHeight()) / 2, null);
        }
        boolean hasTitle = !tile.title().isEmpty();
        if (hasTitle) {
            text(tile.title(), Font.BOLD, 14, INK, x, y + SIDE + 18, SIDE);
        }
        text(tile.note(), Font.PLAIN, 11, PALE, x, y + SIDE + (hasTitle ? 34 : 18), SIDE);
    }

    /** One line; what does not fit ends in an ellipsis. */
    private void text(String text, int style, int size, Color color, int x, int y, int width) {
        graphics.setFont(new Font(Font.SANS_SERIF, style, size));
        graphics.setColor(color);
        FontMetrics metrics = graphics.getFontMetrics();
        String shown = text.replaceAll("\\s+", " ");
        if (metrics.stringWidth(shown) > width) {
            int end = shown.length();
            while (end > 0 && metrics.stringWidth(shown.substring(0, end) + "…") > width) {
                end--;
            }
            shown = shown.substring(0, end) + "…";
        }
        graphics.drawString(shown, x, y);
    }
}
