package dev.stoker.cli.bench;

import dev.stoker.os.FileErrors;
import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;

/** A small set of pictures, the same every time: mountains under a sky, one folder for each time of day. */
public final class DemoPictures {
    private record Light(String name, Color high, Color low, Color sun, Color ground) {}

    private static final List<Light> LIGHTS = List.of(
            new Light(
                    "dawn",
                    new Color(70, 90, 150),
                    new Color(250, 190, 150),
                    new Color(255, 240, 200),
                    new Color(60, 50, 80)),
            new Light(
                    "day",
                    new Color(80, 150, 230),
                    new Color(220, 235, 250),
                    new Color(255, 255, 230),
                    new Color(60, 110, 60)),
            new Light(
                    "dusk",
                    new Color(60, 40, 90),
                    new Color(240, 120, 70),
                    new Color(255, 200, 120),
                    new Color(40, 30, 50)),
            new Light(
                    "night",
                    new Color(5, 8, 25),
                    new Color(30, 40, 80),
                    new Color(230, 230, 240),
                    new Color(10, 15, 20)));

    private static final float QUALITY = 0.9f;

    private DemoPictures() {}

    /** Writes the pictures below a folder. */
    public static void write(Path folder, int perClass) {
        System.setProperty("java.awt.headless", "true");
        ImageIO.setUseCache(false);
        for (Light light : LIGHTS) {
            for (int i = 0; i < perClass; i++) {
                Path file = folder.resolve(light.name()).resolve(String.format("%s_%03d.jpg", light.name(), i));
                try {
                    Files.createDirectories(folder.resolve(light.name()));
                    save(draw(light, new SplittableRandom(light.name().hashCode() * 1000L + i)), file);
                } catch (IOException e) {
                    throw FileErrors.cannotWrite(file, e);
                }
            }
        }
    }

    private static BufferedImage draw(Light light, SplittableRandom random) {
        int width = random.nextInt(320, 640);
        int height = random.nextInt(240, 480);
        var picture = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D pen = picture.createGraphics();
        pen.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        pen.setPaint(new GradientPaint(0, 0, light.high(), 0, height, light.low()));
        pen.fillRect(0, 0, width, height);
        double size = height * random.nextDouble(0.08, 0.2);
        pen.setColor(light.sun());
        pen.fill(new Ellipse2D.Double(random.nextDouble(width - size), random.nextDouble(height * 0.4), size, size));
        for (int ridge = 0; ridge < 4; ridge++) {
            pen.setColor(mix(light.low(), light.ground(), (ridge + 1) / 4.0));
            pen.fill(ridge(random, width, height, 0.45 + 0.12 * ridge));
        }
        pen.dispose();
        grain(picture, random);
        return picture;
    }

    private static Path2D ridge(SplittableRandom random, int width, int height, double level) {
        var line = new Path2D.Double();
        line.moveTo(0, height);
        double phase = random.nextDouble(10);
        double rough = random.nextDouble(0.03, 0.12);
        for (int x = 0; x <= width; x += 4) {
            double t = x / 60.0 + phase;
            double wave = Math.sin(t) + 0.5 * Math.sin(2.3 * t) + 0.25 * Math.sin(5.1 * t);
            line.lineTo(x, height * (level - rough * wave));
        }
        line.lineTo(width, height);
        line.closePath();
        return line;
    }

    private static Color mix(Color a, Color b, double share) {
        return new Color(
                (int) (a.getRed() + share * (b.getRed() - a.getRed())),
                (int) (a.getGreen() + share * (b.getGreen() - a.getGreen())),
                (int) (a.getBlue() + share * (b.getBlue() - a.getBlue())));
    }

    /** Noise as of a camera: without it a JPEG of a drawing is unlike one of the world. */
    private static void grain(BufferedImage picture, SplittableRandom random) {
        for (int y = 0; y < picture.getHeight(); y++) {
            for (int x = 0; x < picture.getWidth(); x++) {
                int noise = (int) Math.round(random.nextGaussian() * 6);
                int rgb = picture.getRGB(x, y);
                picture.setRGB(
                        x,
                        y,
                        shifted(rgb >> 16 & 255, noise) << 16
                                | shifted(rgb >> 8 & 255, noise) << 8
                                | shifted(rgb & 255, noise));
            }
        }
    }

    private static int shifted(int level, int by) {
        return Math.clamp(level + by, 0, 255);
    }

    private static void save(BufferedImage picture, Path file) throws IOException {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        try (var out = ImageIO.createImageOutputStream(Files.newOutputStream(file))) {
            ImageWriteParam how = writer.getDefaultWriteParam();
            how.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            how.setCompressionQuality(QUALITY);
            writer.setOutput(out);
            writer.write(null, new IIOImage(picture, null, null), how);
        } finally {
            writer.dispose();
        }
    }
}
