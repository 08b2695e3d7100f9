package dev.stoker;

/**
 * A container or Index whose bytes are not what they should be, whoever noticed it: our own checks, a format's parser,
 * or the operating system (a mapped file that shrank or cannot be read).
 */
@PublicApi
public final class CorruptContainerException extends StokerException {
    private static final long serialVersionUID = 1L;

    /** Says that the damage is not bound to one sample, or to one place. */
    public static final long NOWHERE = -1;

    private final String file;
    private final long sample;
    private final long offset;
    private final String reason;

    public CorruptContainerException(String file, long sample, long offset, String reason) {
        super((Object) file, sentence(sample, offset, reason));
        this.file = file;
        this.sample = sample;
        this.offset = offset;
        this.reason = reason;
    }

    public CorruptContainerException(String file, long offset, String reason) {
        this(file, NOWHERE, offset, reason);
    }

    private static String sentence(long sample, long offset, String reason) {
        var text = new StringBuilder();
        if (sample >= 0) {
            text.append("sample ").append(sample).append(offset >= 0 ? ", " : ": ");
        }
        if (offset >= 0) {
            text.append("byte ").append(offset).append(": ");
        }
        return text.append(reason).toString();
    }

    /** The same damage, for a sample that it concerns. */
    public CorruptContainerException at(long damaged) {
        var same = new CorruptContainerException(file, damaged, offset, reason);
        same.initCause(this);
        return same;
    }

    public String file() {
        return file;
    }

    /** The damaged sample, or {@link #NOWHERE}. */
    public long sample() {
        return sample;
    }

    /** The damaged byte of the file, or {@link #NOWHERE}. */
    public long offset() {
        return offset;
    }
}
