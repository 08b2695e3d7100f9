/**
 * Objects on remote storage as paths: {@code s3://bucket/key}. A storage system is an {@link
 * dev.stoker.remote.ObjectProvider}, found by its scheme.
 */
@NullMarked
package dev.stoker.remote;

import org.jspecify.annotations.NullMarked;
