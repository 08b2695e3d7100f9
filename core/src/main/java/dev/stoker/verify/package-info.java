/**
 * Finding damage: {@link dev.stoker.verify.Verifier} compares the Index, every value and the frame with their
 * checksums.
 */
@NullMarked
package dev.stoker.verify;

import org.jspecify.annotations.NullMarked;
