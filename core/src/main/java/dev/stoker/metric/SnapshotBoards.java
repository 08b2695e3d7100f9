package dev.stoker.metric;

import dev.stoker.StokerException;
import dev.stoker.json.Json;
import dev.stoker.os.LocalSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Finds what the running processes of this user on this node show on their {@link SnapshotBoard}. */
public final class SnapshotBoards {
    private static final Path PROCESSES = Path.of("/proc");
    private static final String LINK = "/memfd:" + SnapshotBoard.NAME;
    private static final int TRIES = 5;

    private SnapshotBoards() {}

    /** The newest snapshot of each process, by its number. */
    public static List<Snapshot> look() {
        var found = new ArrayList<Snapshot>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path process : processes) {
                Snapshot snapshot = isMine(process) ? look(process) : null;
                if (snapshot != null) {
                    found.add(snapshot);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            throw new StokerException(PROCESSES, "cannot be read: " + e.getMessage(), e);
        }
        found.sort(Comparator.comparingLong(Snapshot::pid));
        return found;
    }

    private static boolean isMine(Path process) {
        try {
            Object owner = Files.getAttribute(process, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            return Integer.valueOf(LocalSocket.user()).equals(owner);
        } catch (IOException e) {
            return false; // it has just ended
        }
    }

    private static @Nullable Snapshot look(Path process) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path file : files) {
                if (Files.readSymbolicLink(file).toString().startsWith(LINK)) {
                    return read(file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return null; // it has just ended, or does not let anyone look
        }
        return null;
    }

    private static @Nullable Snapshot read(Path board) throws IOException {
        try (FileChannel channel = FileChannel.open(board, StandardOpenOption.READ)) {
            for (int i = 0; i < TRIES; i++) {
                byte[] text = text(channel);
                if (text != null) {
                    return Snapshot.fromJson(Json.parse(text, board.toString()));
                }
            }
        } catch (StokerException e) {
            return null; // of another version, perhaps
        }
        return null;
    }

    /** What is shown; null if that is being changed just now, or nothing was shown yet. */
    private static byte @Nullable [] text(FileChannel channel) throws IOException {
        ByteBuffer whole = ByteBuffer.allocate(SnapshotBoard.CAPACITY).order(ByteOrder.LITTLE_ENDIAN);
        whole.limit(SnapshotBoard.HEADER_BYTES);
        readFully(channel, whole);
        int length = whole.getInt(0);
        int checksum = whole.getInt(4);
        if (length <= 0 || length > SnapshotBoard.CAPACITY - SnapshotBoard.HEADER_BYTES) {
            return null;
        }
        whole.limit(SnapshotBoard.HEADER_BYTES + length);
        readFully(channel, whole);
        var text = new byte[length];
        whole.get(SnapshotBoard.HEADER_BYTES, text);
        var crc = new CRC32C();
        crc.update(text);
        return (int) crc.getValue() == checksum ? text : null;
    }

    private static void readFully(FileChannel channel, ByteBuffer to) throws IOException {
        while (to.hasRemaining()) {
            if (channel.read(to, to.position()) < 0) {
                throw new IOException("it is too short");
            }
        }
    }
}
