package dev.stoker.format;

/**
 * The files of an archive as extracting it gives them, whatever samples they make. Names are as they stand in the
 * archive: whoever makes files of them asks {@link TreeKeys#refusal} first.
 */
public interface Archive extends AutoCloseable {
    long count();

    /** The path; that of a folder ends with a slash. */
    byte[] name(long member);

    /** Where the content begins in the archive's file. */
    long offset(long member);

    long size(long member);

    @Override
    void close();
}
