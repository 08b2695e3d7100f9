/** What reader and writer of Zarr share: shards, metadata of groups, texts. */
@NullMarked
package dev.stoker.formats.zarr.layout;

import org.jspecify.annotations.NullMarked;
