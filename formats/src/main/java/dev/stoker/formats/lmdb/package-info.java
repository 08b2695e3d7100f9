/**
 * LMDB environments: written as a B+tree that is planned before its first byte, and read where values lie. Start
 * reading at {@link dev.stoker.formats.lmdb.LmdbFormat}, whose Javadoc is the layout.
 */
@NullMarked
package dev.stoker.formats.lmdb;

import org.jspecify.annotations.NullMarked;
