package dev.stoker.image.sheet;

import java.awt.image.BufferedImage;
import org.jspecify.annotations.Nullable;

/**
 * One sample on a sheet.
 *
 * @param title its class or caption
 * @param note its key
 * @param picture null if it cannot be decoded
 * @param problem why there is no picture; empty if there is one
 */
public record Tile(String title, String note, @Nullable BufferedImage picture, String problem) {}
