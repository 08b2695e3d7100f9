package dev.stoker.image.sheet;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;

/** Pictures in the size of a tile. */
final class Fit {
    private Fit() {}

    /** The picture with its long side at most {@code side}; a tiny one is enlarged so that its pixels can be seen. */
    static BufferedImage into(BufferedImage picture, int side) {
        int longest = Math.max(picture.getWidth(), picture.getHeight());
        if (longest <= side) {
            int times = side / longest;
            return draw(
                    picture,
                    times * picture.getWidth(),
                    times * picture.getHeight(),
                    RenderingHints.VALUE_INTERPOLATION_NEAREST_NEIGHBOR);
        }
        BufferedImage small = picture;
        // By halves at most: one large step would leave pixels out.
        while (longest > side) {
            int next = Math.max(side, (longest + 1) / 2);
            small = draw(
                    small,
                    Math.max(1, Math.round((float) small.getWidth() * next / longest)),
                    Math.max(1, Math.round((float) small.getHeight() * next / longest)),
                    RenderingHints.VALUE_INTERPOLATION_BILINEAR);
            longest = next;
        }
        return small;
    }

    private static BufferedImage draw(BufferedImage from, int width, int height, Object interpolation) {
        var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, interpolation);
        graphics.drawImage(from, 0, 0, width, height, null);
        graphics.dispose();
        return image;
    }
}
