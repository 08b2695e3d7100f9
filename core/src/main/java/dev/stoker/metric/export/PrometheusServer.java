package dev.stoker.metric.export;

import dev.stoker.StokerException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * Answers {@code GET /metrics} over HTTP/1.1, one request for each connection and one connection after another: a page
 * of some kilobytes that is asked for every few seconds needs no more. A client that is slow, or sends something else,
 * loses its connection.
 */
final class PrometheusServer implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 2_000;
    private static final int MOST_HEADER_BYTES = 16 << 10;
    /** A reader process that has just lost its last client lives on for a second. */
    private static final long BIND_NANOS = 3_000_000_000L;

    private final ServerSocket socket;
    private final Supplier<String> page;
    private final Thread thread;

    PrometheusServer(String host, int port, Supplier<String> page) {
        this.page = page;
        this.socket = bind(host, port);
        this.thread = Thread.ofPlatform().daemon().name("stoker-prometheus").start(this::serve);
    }

    int port() {
        return socket.getLocalPort();
    }

    private static ServerSocket bind(String host, int port) {
        long start = System.nanoTime();
        while (true) {
            try {
                return open(host, port);
            } catch (UnknownHostException e) {
                throw new StokerException("metrics: there is no host '" + host + "'", e);
            } catch (BindException e) {
                if (System.nanoTime() - start > BIND_NANOS) {
                    throw new StokerException(
                            "metrics: port " + port + " of " + host + " cannot be listened on (" + e.getMessage()
                                    + "); stop the process listening there (`ss -ltnp` shows it), or choose another port",
                            e);
                }
                pause();
            } catch (IOException e) {
                throw new StokerException(
                        "metrics: port " + port + " of " + host + " cannot be listened on (" + e.getMessage() + ")", e);
            }
        }
    }

    private static ServerSocket open(String host, int port) throws IOException {
        var opened = new ServerSocket();
        try {
            opened.setReuseAddress(true);
            opened.bind(new InetSocketAddress(InetAddress.getByName(host), port));
            return opened;
        } catch (IOException e) {
            opened.close();
            throw e;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StokerException("interrupted", e);
        }
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
                client.setSoTimeout(PATIENCE_MILLIS);
                answer(client);
            } catch (IOException e) {
                // The client's trouble; or this was closed, and the loop ends.
            }
        }
    }

    private void answer(Socket client) throws IOException {
        String request = header(new BufferedInputStream(client.getInputStream()));
        String path = request.startsWith("GET ") ? request.split(" ", 3)[1] : "";
        String status =
                path.equals("/metrics") ? "200 OK" : path.isEmpty() ? "405 Method Not Allowed" : "404 Not Found";
        byte[] body =
                (path.equals("/metrics") ? page.get() : "ask for GET /metrics\n").getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + status + "\r\nContent-Type: " + PrometheusText.TYPE + "\r\nContent-Length: "
                + body.length + "\r\nConnection: close\r\n\r\n";
        client.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        client.getOutputStream().write(body);
        client.shutdownOutput();
    }

    /** Reads to the empty line; what is too long, or takes too long in all, is refused. */
    private static String header(InputStream in) throws IOException {
        long start = System.nanoTime();
        var text = new StringBuilder();
        while (!isWhole(text)) {
            int next = in.read();
            boolean isLate = System.nanoTime() - start > PATIENCE_MILLIS * 1_000_000L;
            if (next < 0 || isLate || text.length() == MOST_HEADER_BYTES) {
                throw new IOException("no request");
            }
            text.append((char) next);
        }
        return text.toString();
    }

    private static boolean isWhole(StringBuilder text) {
        int end = text.length();
        return end >= 4 && text.substring(end - 4).equals("\r\n\r\n");
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // Then it ends with the process.
        }
        thread.interrupt();
    }
}
