package dev.stoker.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LocalSocketTest {
    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;
    private static final int PATH_BYTES = 108;

    @TempDir
    private Path folder;

    private final Arena arena = Arena.ofShared();
    private int left = -1;
    private int right = -1;

    @BeforeEach
    void connect() throws IOException {
        MemorySegment pair = arena.allocate(8, 8);
        SystemCall.checked(SystemCall.symbol("socketpair"), AF_UNIX, SOCK_STREAM, 0, pair.address(), 0);
        left = pair.get(JAVA_INT, 0);
        right = pair.get(JAVA_INT, 4);
    }

    @AfterEach
    void close() {
        if (left >= 0) {
            Posix.close(left);
        }
        if (right >= 0) {
            Posix.close(right);
        }
        arena.close();
    }

    /** The end is closed by the socket from now on. */
    private LocalSocket left() {
        LocalSocket socket = LocalSocket.inherited(left);
        left = -1;
        return socket;
    }

    private LocalSocket right() {
        LocalSocket socket = LocalSocket.inherited(right);
        right = -1;
        return socket;
    }

    private static byte[] random(int length) {
        var bytes = new byte[length];
        new SplittableRandom(length).nextBytes(bytes);
        return bytes;
    }

    @Test
    void whatIsSentArrivesWholeHoweverLongItIs() throws Exception {
        byte[] message = random(3 << 20); // more than the first memory, a chunk, and what the system holds
        try (LocalSocket sender = left();
                LocalSocket receiver = right();
                var threads = Executors.newSingleThreadExecutor()) {
            Future<?> sent = threads.submit(() -> {
                sender.send(new byte[] {1, 2, 3});
                sender.send(message);
                return null;
            });
            var start = new byte[3];
            assertThat(receiver.receive(start)).isTrue();
            assertThat(start).containsExactly(1, 2, 3);
            assertThat(receiver.receive(message.length)).isEqualTo(message);
            sent.get();
        }
    }

    @Test
    void theEndOfAConnectionIsTold() throws IOException {
        try (LocalSocket receiver = right()) {
            try (LocalSocket sender = left()) {
                sender.send(new byte[] {1, 2, 3});
            }
            assertThat(receiver.receive(1)).containsExactly(1);
            assertThatThrownBy(() -> receiver.receive(3))
                    .isInstanceOf(EOFException.class)
                    .hasMessage("the other end closed in the middle of a message");
            assertThat(receiver.receive(new byte[1])).isFalse();
            assertThat(receiver.receive(1)).isNull();
            assertThat(receiver.receive(0)).isEmpty();
            assertThatThrownBy(() -> receiver.send(new byte[1])).hasMessage("Broken pipe");
        }
    }

    @Test
    void theOtherEndsUserIsTold() throws IOException {
        try (LocalSocket socket = left()) {
            assertThat(socket.peerUser()).isEqualTo(LocalSocket.user());
            assertThat(socket.isListening()).isFalse();
        }
        assertThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isEqualTo(LocalSocket.user());
    }

    @Test
    void anOpenFileIsPassedOn() throws IOException {
        Path path = Files.writeString(folder.resolve("x"), "passed on");
        int file = Posix.open(Posix.HERE, path.toString().getBytes(StandardCharsets.UTF_8));
        try (LocalSocket sender = left()) {
            sender.send(new byte[] {7, 8}, file);
            assertThat(Posix.stat(file).size()).isEqualTo(9);
        } finally {
            Posix.close(file);
        }
        Files.delete(path);
        int passed = receiveFile(new byte[] {7, 8});
        try {
            MemorySegment content = arena.allocate(20);
            assertThat(Posix.read(passed, content, 0)).isEqualTo(9);
            assertThat(content.getString(0)).isEqualTo("passed on");
        } finally {
            Posix.close(passed);
        }
    }

    /** What a receiver does, by recvmsg(2): the bytes, and with them the number that the file has here. */
    private int receiveFile(byte[] expected) throws IOException {
        MemorySegment bytes = arena.allocate(100);
        MemorySegment part = arena.allocate(16, 8);
        part.set(JAVA_LONG, 0, bytes.address());
        part.set(JAVA_LONG, 8, bytes.byteSize());
        MemorySegment control = arena.allocate(64, 8);
        MemorySegment message = arena.allocate(56, 8);
        message.set(JAVA_LONG, 16, part.address());
        message.set(JAVA_LONG, 24, 1);
        message.set(JAVA_LONG, 32, control.address());
        message.set(JAVA_LONG, 40, control.byteSize());
        int length = SystemCall.checked(SystemCall.symbol("recvmsg"), right, message.address(), 0, 0, 0);
        assertThat(bytes.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
        assertThat(control.get(JAVA_LONG, 0)).isEqualTo(20);
        return control.get(JAVA_INT, 16);
    }

    @Test
    void aListeningSocketTakesConnections() throws IOException {
        Path path = folder.resolve("socket");
        try (LocalSocket listening = LocalSocket.inherited(listen(path))) {
            assertThat(listening.isListening()).isTrue();
            assertThat(listening.awaitConnection(0)).isFalse();
            try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
                assertThat(listening.awaitConnection(60_000)).isTrue();
                try (LocalSocket accepted = Objects.requireNonNull(listening.accept())) {
                    assertThat(accepted.peerUser()).isEqualTo(LocalSocket.user());
                    assertThat(accepted.isListening()).isFalse();
                    client.write(ByteBuffer.wrap(new byte[] {1, 2}));
                    assertThat(accepted.receive(2)).containsExactly(1, 2);
                }
            }
        }
    }

    /** bind(2) and listen(2). */
    private int listen(Path path) throws IOException {
        byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
        assertThat(name.length).isLessThan(PATH_BYTES);
        MemorySegment address = arena.allocate(2 + PATH_BYTES, 8);
        address.set(JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(name, 0, address, ValueLayout.JAVA_BYTE, 2, name.length);
        int socket = SystemCall.checked(SystemCall.symbol("socket"), AF_UNIX, SOCK_STREAM, 0, 0, 0);
        SystemCall.checked(SystemCall.symbol("bind"), socket, address.address(), address.byteSize(), 0, 0);
        SystemCall.checked(SystemCall.symbol("listen"), socket, 5, 0, 0, 0);
        return socket;
    }

    @Test
    void aFileIsNoSocket() throws IOException {
        int file = Posix.open(Posix.HERE, "/dev/null".getBytes(StandardCharsets.US_ASCII));
        try (LocalSocket none = LocalSocket.inherited(file)) {
            assertThat(none.isListening()).isFalse();
            assertThatThrownBy(none::accept).hasMessage("Socket operation on non-socket");
            assertThatThrownBy(none::peerUser).isInstanceOf(ErrnoException.class);
        }
    }
}
