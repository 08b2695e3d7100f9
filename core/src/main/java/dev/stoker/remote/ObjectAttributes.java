package dev.stoker.remote;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * An object as a file, or as a folder what only has objects below it. Its times mean
 * nothing here: what tells one object from the next of its name is its version.
 *
 * @param object null for a folder
 */
record ObjectAttributes(@Nullable RemoteObject object) implements BasicFileAttributes {
    private static final FileTime NEVER = FileTime.fromMillis(0);

    @Override
    public FileTime lastModifiedTime() {
        return NEVER;
    }

    @Override
    public FileTime lastAccessTime() {
        return NEVER;
    }

    @Override
    public FileTime creationTime() {
        return NEVER;
    }

    @Override
    public boolean isRegularFile() {
        return object != null;
    }

    @Override
    public boolean isDirectory() {
        return object == null;
    }

    @Override
    public boolean isSymbolicLink() {
        return false;
    }

    @Override
    public boolean isOther() {
        return false;
    }

    @Override
    public long size() {
        return object == null ? 0 : object.size();
    }

    @Override
    public @Nullable Object fileKey() {
        return object == null ? null : object.version();
    }
}
