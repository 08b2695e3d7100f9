/** Deep Java Library trains on a feed: {@link dev.stoker.djl.FeedDataset}. */
@NullMarked
package dev.stoker.djl;

import org.jspecify.annotations.NullMarked;
