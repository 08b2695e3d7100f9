/**
 * Object storage that speaks S3: {@code s3://bucket/key} as a {@link java.nio.file.Path}.
 *
 * <pre>
 *   S3Provider   found by the scheme; makes paths
 *   S3Path       an address: what {@link dev.stoker.remote.RemotePath} promises
 *   S3Client     the requests: look, list, read, store; says in one sentence what went wrong
 *   Wire         one request and its answer, signed; {@link dev.stoker.s3.Patience} says how long it is tried again
 * </pre>
 *
 * Nothing here prints, or puts into a message, anything of the credentials but where they came from.
 */
@NullMarked
package dev.stoker.s3;

import org.jspecify.annotations.NullMarked;
