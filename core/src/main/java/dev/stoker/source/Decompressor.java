package dev.stoker.source;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;

/**
 * Undoes the compression of a whole file, such as {@code train.tar.zst}. Stateless; those beyond gzip are registered
 * as services ({@code META-INF/services/dev.stoker.source.Decompressor}), since they need libraries.
 */
public interface Decompressor {
    /** The endings of names that it is for, in lower case and with their dot. */
    Set<String> endings();

    /** What compressed files begin with, in hexadecimal digits; a file has it whatever its name is. */
    String magic();

    /** The plain bytes. Closing the stream closes the one given; a damaged or cut off one throws an IOException. */
    InputStream open(InputStream compressed) throws IOException;
}
