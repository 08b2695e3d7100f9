package dev.stoker.image.sheet;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import javax.imageio.ImageIO;

/** A contact sheet as one HTML file that needs no other: the pictures are in it. */
public final class HtmlSheet {
    private static final int SIDE = 320;

    private HtmlSheet() {}

    /** Writes a sheet of so many columns; {@code title} and {@code note} stand at its head. */
    public static void write(OutputStream out, String title, String note, List<Tile> tiles, int columns)
            throws IOException {
        put(out, head(title, note, columns));
        for (Tile tile : tiles) {
            put(
                    out,
                    "<figure><div>" + content(tile) + "</div><b title=\"" + escape(tile.title()) + "\">"
                            + escape(tile.title()) + "</b><small title=\"" + escape(tile.note()) + "\">"
                            + escape(tile.note())
                            + "</small></figure>\n");
        }
        put(out, "</main></body></html>\n");
    }

    private static String head(String title, String note, int columns) {
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>%1$s</title>
            <style>
            body { margin: 28px; font: 14px/1.35 system-ui, sans-serif; background: #fafaf8; color: #22262b; }
            h1 { margin: 0; font-size: 20px; } header p { margin: 4px 0 20px; color: #80868e; }
            main { display: grid; grid-template-columns: repeat(%3$d, minmax(0, 1fr)); gap: 14px; }
            figure { margin: 0; min-width: 0; }
            figure div { aspect-ratio: 1; background: #ecece8; display: flex; align-items: center; justify-content: center; }
            img { width: 100%%; height: 100%%; object-fit: contain; }
            .bad { color: #b3261e; padding: 12px; box-sizing: border-box; font-size: 12px; }
            b, small { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
            b { margin-top: 6px; } small { color: #80868e; }
            </style></head>
            <body><header><h1>%1$s</h1><p>%2$s</p></header><main>
            """.formatted(escape(title), escape(note), columns);
    }

    private static String content(Tile tile) throws IOException {
        BufferedImage picture = tile.picture();
        if (picture == null) {
            return "<span class=\"bad\">" + escape(tile.problem()) + "</span>";
        }
        var png = new ByteArrayOutputStream();
        ImageIO.write(Fit.into(picture, SIDE), "png", png);
        return "<img src=\"data:image/png;base64," + Base64.getEncoder().encodeToString(png.toByteArray()) + "\" alt=\""
                + escape(tile.note()) + "\">";
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static void put(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
