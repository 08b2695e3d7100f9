/**
 * A JPEG decoder in Java that gives the same pixels as libjpeg-turbo with its default settings.
 *
 * <p>Start reading at {@link dev.stoker.image.jpeg.JpegDecoder}. The bytes go through {@code Markers} (what kind of picture
 * is it), {@code EntropyData} (byte stuffing removed, restart markers found), {@code SequentialScan},
 * or {@code BufferedScan} with {@code CoefficientStore} for progressive pictures (Huffman codes to coefficients), the inverse DCT of
 * {@link dev.stoker.image.kernel.Kernels} into the planes of each {@code Component}, and {@code PixelRows} (upsampling and
 * color). The hot path is {@code BlockDecoder}: two thirds of the time is spent there.
 *
 * <p>Supported: baseline, extended sequential with 8 bits, progressive; Huffman coding; gray, YCbCr, RGB, CMYK, YCCK.
 * Refused by name: arithmetic coding, lossless, hierarchical, 12 bits, a height given later (DNL).
 */
@NullMarked
package dev.stoker.image.jpeg;

import org.jspecify.annotations.NullMarked;
