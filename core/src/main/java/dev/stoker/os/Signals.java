package dev.stoker.os;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.function.IntConsumer;

/** Signals: sent to other processes, and taken by this one. */
public final class Signals {
    private static final MemorySegment KILL = SystemCall.symbol("kill");

    private Signals() {}

    /** Sends a signal; a process that is not there any more is well. */
    public static void send(long process, int signal) {
        try {
            SystemCall.checked(KILL, process, signal, 0, 0, 0);
        } catch (IOException e) {
            // It has ended, which is what a signal to it would have been about.
        }
    }

    /**
     * Lets a signal be taken, in a thread of its own, instead of what it would do. Java's only way is a class that the
     * compiler warns of, so it is found by its name.
     *
     * @param name without SIG, as {@code TERM}
     * @param handler is given the signal's number
     */
    public static void take(String name, IntConsumer handler) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handlers = Class.forName("sun.misc.SignalHandler");
            Object made = signal.getConstructor(String.class).newInstance(name);
            int number = (int) signal.getMethod("getNumber").invoke(made);
            Object proxy =
                    Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handlers}, (_, _, _) -> {
                        handler.accept(number);
                        return null;
                    });
            signal.getMethod("handle", signal, handlers).invoke(null, made, proxy);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("SIG" + name + " cannot be taken", e);
        }
    }
}
