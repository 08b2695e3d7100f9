package dev.stoker.remote;

/**
 * An object on remote storage as it was when it was asked for.
 *
 * @param version what changes whenever the bytes do, such as an ETag
 */
public record RemoteObject(long size, String version) {}
