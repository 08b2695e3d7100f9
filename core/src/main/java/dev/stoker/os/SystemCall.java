package dev.stoker.os;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** The one way into the C library. Each thread has its own scratch memory, so no call allocates. */
final class SystemCall {
    static final int EINTR = 4;
    /** As large as the answer of {@code statx}. */
    static final int STATX_BYTES = 256;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO_VALUE = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    /**
     * One shape for all calls: every shape that the linker has to learn delays the start by some 20 ms. Integers and
     * addresses travel in the same registers on x86-64 and arm64, and a function does not look at those it has no
     * parameters for.
     */
    private static final MethodHandle CALL = LINKER.downcallHandle(
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG), ERRNO);

    private static final MemorySegment STRERROR = symbol("strerror");
    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    private SystemCall() {}

    /** Memory of one thread for the arguments and answers of its calls. */
    static final class Scratch {
        final Arena arena = Arena.ofAuto();
        final MemorySegment state = arena.allocate(STATE);
        final MemorySegment stat = arena.allocate(STATX_BYTES, 8);
        MemorySegment path = arena.allocate(4096);

        MemorySegment path(byte[] name) {
            if (path.byteSize() <= name.length) {
                path = arena.allocate(name.length + 1L);
            }
            MemorySegment.copy(name, 0, path, JAVA_BYTE, 0, name.length);
            path.set(JAVA_BYTE, name.length, (byte) 0);
            return path;
        }

        IOException failure() {
            return new ErrnoException(errno());
        }

        int errno() {
            return (int) ERRNO_VALUE.get(state, 0L);
        }
    }

    static Scratch scratch() {
        return SCRATCH.get();
    }

    static String message(int errno) {
        long text = call(scratch(), STRERROR, errno, 0, 0, 0, 0);
        return MemorySegment.ofAddress(text).reinterpret(1024).getString(0);
    }

    /**
     * A call whose result fits an int, and below 0 means failure; it is made again when a signal interrupted it.
     */
    static int checked(MemorySegment function, long a, long b, long c, long d, long e) throws IOException {
        Scratch scratch = scratch();
        while (true) {
            int result = (int) call(scratch, function, a, b, c, d, e);
            if (result >= 0) {
                return result;
            }
            if (scratch.errno() != EINTR) {
                throw scratch.failure();
            }
        }
    }

    static MemorySegment symbol(String name) {
        return LINKER.defaultLookup().findOrThrow(name);
    }

    static long call(Scratch scratch, MemorySegment function, long a, long b, long c, long d, long e) {
        try {
            return (long) CALL.invokeExact(function, scratch.state, a, b, c, d, e);
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new IllegalStateException(failure);
        }
    }
}
