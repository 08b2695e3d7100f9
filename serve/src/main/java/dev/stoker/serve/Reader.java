package dev.stoker.serve;

import dev.stoker.metric.Registry;
import dev.stoker.metric.export.Destination;
import dev.stoker.metric.export.MetricsExporter;
import dev.stoker.os.CpuAffinity;
import dev.stoker.os.ErrnoException;
import dev.stoker.os.LocalSocket;
import dev.stoker.os.SpareDescriptor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Serves the ranks of a job on one node. The first rank makes the listening socket and starts this process with it as
 * standard input; the others only connect. It ends by itself when no client has been connected for a while.
 */
public final class Reader {
    /** How long it waits for the first client, and how long for another one when the last has gone. */
    private static final int FIRST_MILLIS = 30_000;

    private static final int NEXT_MILLIS = 1_000;
    private static final int PAUSE_MILLIS = 50;
    private static final long NANOS = 1_000_000;

    private final String version;
    private final Datasets datasets = new Datasets();
    private final BitSet cores = new BitSet();
    private final Registry registry = new Registry();
    private final MetricsExporter metrics;
    private final Queue<String> warnings = new ConcurrentLinkedQueue<>();
    private int sessions;

    private Reader(String version, List<Destination> destinations, double everySeconds) {
        this.version = version;
        this.metrics =
                MetricsExporter.start(registry, "serve", "reader-" + host(), destinations, everySeconds, warnings::add);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /**
     * Serves until nobody is left.
     *
     * @param destinations where metrics go, beside those that clients name
     */
    public static void serve(LocalSocket listening, String version, List<Destination> destinations, double everySeconds)
            throws IOException {
        var reader = new Reader(version, destinations, everySeconds);
        try (reader.metrics) {
            reader.accept(listening);
        }
    }

    private void accept(LocalSocket listening) throws IOException {
        long end = System.nanoTime() + FIRST_MILLIS * NANOS;
        try (var spare = new SpareDescriptor()) {
            for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                boolean isServed =
                        listening.awaitConnection((int) Math.ceilDiv(left, NANOS)) && isServed(listening, spare);
                if (isServed || sessions() > 0) {
                    end = System.nanoTime() + NEXT_MILLIS * NANOS;
                }
            }
        }
    }

    /** Serves the next client; one for which there is no room is told so, and nobody else notices. */
    private boolean isServed(LocalSocket listening, SpareDescriptor spare) throws IOException {
        try {
            LocalSocket client = listening.accept();
            return client != null && isServed(client);
        } catch (ErrnoException e) {
            if (!e.isShortage()) {
                throw e;
            }
            refuse(listening, spare, String.valueOf(e.getMessage()));
            return false;
        }
    }

    private static void refuse(LocalSocket listening, SpareDescriptor spare, String reason) {
        spare.close();
        try (LocalSocket client = listening.accept()) {
            if (client != null) {
                client.send(noRoom(reason));
            }
        } catch (IOException e) {
            pause(); // there is no room even for that: the client waits
        } finally {
            spare.open();
        }
    }

    private static byte[] noRoom(String reason) {
        return Message.error("the reader process of this node has no room for another client: " + reason
                        + "; raise the limit of the processes that start it (open files: ulimit -n 4096), or open fewer"
                        + " loaders at once")
                .encode();
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Serves a client if it is this user's. Anybody on the node can connect, so this is found out before there is a thread
     * for it or a byte of it was read, and others do not keep the process alive.
     */
    private boolean isServed(LocalSocket socket) {
        try {
            if (socket.peerUser() == LocalSocket.user()) {
                return isBegun(socket);
            }
            socket.send(Message.error("this reader process belongs to user " + LocalSocket.user()
                            + " and serves no other, but user " + socket.peerUser() + " connected")
                    .encode());
        } catch (IOException e) {
            // It is gone already.
        }
        socket.close();
        return false;
    }

    /** Begins a session; false if there is no room for its thread, which the client is told. */
    private boolean isBegun(LocalSocket socket) throws IOException {
        count(1);
        try {
            Thread.ofPlatform().name("stoker-session").daemon().start(() -> serve(socket));
            return true;
        } catch (OutOfMemoryError e) {
            count(-1);
            try (socket) {
                socket.send(noRoom(String.valueOf(e.getMessage())));
            }
            return false;
        }
    }

    private void serve(LocalSocket socket) {
        try (var session = new Session(this, socket)) {
            session.run();
        } catch (IOException e) {
            // The client is gone, or sends what no client sends: in both cases there is nobody to be told.
        } finally {
            count(-1);
        }
    }

    private synchronized void count(int more) {
        sessions += more;
    }

    private synchronized int sessions() {
        return sessions;
    }

    String version() {
        return version;
    }

    Registry registry() {
        return registry;
    }

    MetricsExporter metrics() {
        return metrics;
    }

    /** What the user should know; whoever serves a client next tells it. */
    Queue<String> warnings() {
        return warnings;
    }

    Datasets datasets() {
        return datasets;
    }

    /** A client's cores become this process's too: started by one rank, it has only that one's. */
    synchronized void useCores(List<?> more) {
        int before = cores.cardinality();
        for (Object core : more) {
            if (core instanceof Long number && number >= 0 && number < CpuAffinity.maxCores()) {
                cores.set(number.intValue());
            }
        }
        if (cores.cardinality() > before) {
            try {
                CpuAffinity.set(cores);
            } catch (IOException e) {
                // It then runs on fewer cores than it might: slower, and nothing else.
            }
        }
    }
}
