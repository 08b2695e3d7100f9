/**
 * Manifests as sources of samples: JSON, JSON Lines, CSV and TSV files that list paths, labels and further fields.
 * Start reading at {@link dev.stoker.manifest.ManifestSource}.
 */
@NullMarked
package dev.stoker.manifest;

import org.jspecify.annotations.NullMarked;
