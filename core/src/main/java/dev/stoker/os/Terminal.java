package dev.stoker.os;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The terminal that standard output or standard error goes to.
 *
 * @param rows how many lines it has; 0 if it does not know
 * @param columns how many letters fit into one; 0 if it does not know
 */
public record Terminal(int rows, int columns) {
    private static final int STANDARD_OUTPUT = 1;
    private static final int STANDARD_ERROR = 2;
    private static final int TIOCGWINSZ = 0x5413;
    private static final MemorySegment IOCTL = SystemCall.symbol("ioctl");

    /** As it is now; nothing if standard output goes elsewhere. */
    public static Optional<Terminal> now() {
        return of(STANDARD_OUTPUT);
    }

    /** The same of standard error. */
    public static Optional<Terminal> ofErrors() {
        return of(STANDARD_ERROR);
    }

    private static Optional<Terminal> of(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(8, 8);
            SystemCall.checked(IOCTL, descriptor, TIOCGWINSZ, size.address(), 0, 0);
            return Optional.of(new Terminal(
                    Short.toUnsignedInt(size.get(JAVA_SHORT, 0)), Short.toUnsignedInt(size.get(JAVA_SHORT, 2))));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
