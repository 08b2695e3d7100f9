/** WebP pictures, decoded by libwebp. Start reading at {@link dev.stoker.image.webp.WebpDecoder}. */
@org.jspecify.annotations.NullMarked
package dev.stoker.image.webp;
