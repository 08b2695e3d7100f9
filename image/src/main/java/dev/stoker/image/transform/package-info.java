/**
 * Transforms, named and meaning as in torchvision (v2) on PIL images: what each is ({@code Transform} and its records), how a
 * specification is read ({@code TransformParser}), and how they run: crops, resizes and flips are gathered into one
 * {@code PendingGeometry} as far as that gives the same pixels, colours are changed by {@code PixelOps}, and {@code Emitter} lays
 * the result out in the batch.
 */
@NullMarked
package dev.stoker.image.transform;

import org.jspecify.annotations.NullMarked;
