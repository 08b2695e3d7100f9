package dev.stoker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.json.Json;
import dev.stoker.os.LocalSocket;
import dev.stoker.testkit.Seed;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The reader process among clients that send nonsense, stop in the middle, or say nothing. */
@Timeout(60)
class ReaderTest {
    private static final String HELLO = "{\"protocol\":3,\"version\":\"test\",\"cores\":[]}";
    private static final int MANY = 150;

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    private ServerSocketChannel server;
    private Thread reader;
    private final List<SocketChannel> clients = new ArrayList<>();
    private volatile IOException failure;

    @BeforeEach
    void start() throws IOException {
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(folder.resolve("socket")), 1024);
        LocalSocket listening = listening();
        reader = Thread.ofPlatform().daemon().start(() -> {
            try {
                Reader.serve(listening, "test", List.of(), 1);
            } catch (IOException e) {
                failure = e;
            }
        });
    }

    /** Java keeps the number of its socket to itself, but the system tells. */
    private static LocalSocket listening() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.map(file -> LocalSocket.inherited(
                            Integer.parseInt(file.getFileName().toString())))
                    .filter(LocalSocket::isListening)
                    .findFirst()
                    .orElseThrow();
        }
    }

    @AfterEach
    void stop() throws IOException {
        leave();
        server.close();
    }

    private void leave() throws IOException {
        for (SocketChannel client : clients) {
            client.close();
        }
    }

    private SocketChannel connect() throws IOException {
        SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("socket")));
        clients.add(client);
        return client;
    }

    private static void send(SocketChannel client, int type, int length, byte[] payload) throws IOException {
        ByteBuffer message = ByteBuffer.allocate(8 + payload.length).order(ByteOrder.LITTLE_ENDIAN);
        message.putInt(type).putInt(length).put(payload).flip();
        while (message.hasRemaining()) {
            client.write(message);
        }
    }

    /** The type of the answer, and its text; -1 if the reader closed the connection. */
    private static int answer(SocketChannel client, StringBuilder text) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        while (header.hasRemaining()) {
            if (client.read(header) < 0) {
                return -1;
            }
        }
        ByteBuffer payload = ByteBuffer.allocate(header.getInt(4));
        while (payload.hasRemaining()) {
            assertThat(client.read(payload)).isPositive();
        }
        text.append(new String(payload.array(), StandardCharsets.UTF_8));
        return header.getInt(0);
    }

    private void requireService() throws IOException {
        SocketChannel client = connect();
        send(client, Message.HELLO, HELLO.length(), HELLO.getBytes(StandardCharsets.UTF_8));
        assertThat(answer(client, new StringBuilder())).isEqualTo(Message.WELCOME);
    }

    private void requireEnd() throws Exception {
        leave();
        reader.join(20_000);
        assertThat(reader.isAlive()).as("the reader is still there").isFalse();
        assertThat(failure).isNull();
    }

    @Test
    void clientsThatStopInTheMiddleKeepNobodyWaiting() throws Exception {
        RandomGenerator random = seed.random();
        for (int i = 0; i < MANY; i++) {
            SocketChannel client = connect();
            byte[] part = new byte[random.nextInt(20)];
            switch (random.nextInt(3)) {
                case 0 -> {} // says nothing
                case 1 -> client.write(ByteBuffer.wrap(new byte[] {1, 0, 0}));
                default -> send(client, Message.HELLO, part.length + 1 + random.nextInt(1 << 20), part);
            }
        }
        requireService();
        requireEnd();
    }

    @Test
    void nonsenseIsAnsweredOrEndsItsOwnConnectionAlone() throws Exception {
        RandomGenerator random = seed.random();
        for (int i = 0; i < MANY; i++) {
            SocketChannel client = connect();
            var payload = new byte[random.nextInt(200)];
            random.nextBytes(payload);
            boolean isGreeted = random.nextBoolean();
            if (isGreeted) {
                send(client, Message.HELLO, HELLO.length(), HELLO.getBytes(StandardCharsets.UTF_8));
                assertThat(answer(client, new StringBuilder())).isEqualTo(Message.WELCOME);
            }
            int type = random.nextInt(Message.HANDED_ON + 1);
            send(client, type, payload.length, payload);
            var said = new StringBuilder();
            assertThat(answer(client, said)).isEqualTo(Message.ERROR);
            assertThat(said.toString()).isNotEmpty().doesNotContain("internal error");
        }
        SocketChannel tooLong = connect();
        send(tooLong, Message.OPEN, -1, new byte[0]);
        assertThat(answer(tooLong, new StringBuilder())).isEqualTo(-1);
        requireService();
        requireEnd();
    }

    /** Asks for something, and returns what the answer says. */
    private static String ask(SocketChannel client, int type, String text, int expected) throws IOException {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        send(client, type, payload.length, payload);
        var said = new StringBuilder();
        assertThat(answer(client, said)).as(said.toString()).isEqualTo(expected);
        return said.toString();
    }

    @Test
    void positionThatIsRefusedLeavesTheFeedAsItIs() throws Exception {
        Path files = Files.createDirectory(folder.resolve("files"));
        for (int i = 0; i < 12; i++) {
            Files.writeString(files.resolve(i + ".txt"), "sample " + i);
        }
        SocketChannel client = connect();
        ask(client, Message.HELLO, HELLO, Message.WELCOME);
        String opened = ask(client, Message.OPEN, Json.write(FeedRequestTest.options(files)), Message.OPENED);
        ask(client, Message.NEXT, "", Message.BATCH);
        Object position = ((Map<?, ?>) Objects.requireNonNull(Json.parse(opened, "opened"))).get("position");
        String other =
                Json.write(Map.of("position", Objects.requireNonNull(position))).replace("\"seed\":7", "\"seed\":8");
        assertThat(ask(client, Message.START, other, Message.ERROR)).contains("[state] seed should be 7 but is 8");
        assertThat(ask(client, Message.NEXT, "", Message.BATCH)).contains("\"cursor\":8");
        requireEnd();
    }
}
