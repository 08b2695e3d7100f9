package dev.stoker.stage.mount;

import static dev.stoker.stage.mount.FuseProtocol.*;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.stoker.StokerException;
import dev.stoker.io.LittleEndian;
import dev.stoker.os.FuseDevice;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Answers requests of the kernel, one after another; several work side by side. */
final class FuseRequests implements AutoCloseable {
    private static final int REQUEST_BYTES = 64 << 10;
    private static final int PAGE = 4096;
    /** Nothing ever changes below a mount: what the kernel was told stays true as long as it likes. */
    private static final long FOR_EVER_SECONDS = 1L << 31;

    private final FuseMount.Shared shared;
    private final FileTree tree;
    private final FuseDevice device;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment request = arena.allocate(REQUEST_BYTES, 8);
    private final MemorySegment answer = arena.allocate(FuseDevice.MAX_READ, PAGE);

    FuseRequests(FuseMount.Shared shared, FuseDevice device) {
        this.shared = shared;
        this.tree = shared.tree();
        this.device = device;
    }

    /** Answers until the filesystem is unmounted. */
    void run() {
        try {
            while (device.receive(request)) {
                long unique = request.get(JAVA_LONG, REQUEST_UNIQUE);
                try {
                    handle(request.get(JAVA_INT, REQUEST_OPERATION), unique);
                } catch (RuntimeException | Error e) {
                    // Whatever went wrong, the process that asked must get an answer, or it waits forever.
                    shared.complain(e instanceof StokerException ? String.valueOf(e.getMessage()) : e.toString());
                    device.answer(unique, EIO);
                }
            }
        } catch (IOException e) {
            shared.complain("the mount failed: " + e.getMessage());
        }
    }

    private void handle(int operation, long unique) {
        switch (operation) {
            case FORGET, BATCH_FORGET, INTERRUPT -> {} // nothing is remembered, and no answer is expected
            case INIT -> init(unique);
            case STATFS -> statfs(unique);
            case OPEN, OPENDIR, FLUSH, ACCESS -> device.answer(unique, ENOSYS); // and never asked again
            case RELEASE, RELEASEDIR, DESTROY -> device.answer(unique, 0);
            case LOOKUP, GETATTR, READ, READDIR, READDIRPLUS -> atNode(operation, unique);
            default -> device.answer(unique, ENOSYS);
        }
    }

    private void atNode(int operation, long unique) {
        long number = request.get(JAVA_LONG, REQUEST_NODE) - 1; // the kernel's root is 1
        if (number < 0 || number >= tree.nodes()) {
            device.answer(unique, ENOENT);
            return;
        }
        int node = (int) number;
        boolean isFolder = tree.isFolder(node);
        if (operation == GETATTR) {
            getattr(unique, node);
        } else if (operation == READ) {
            if (isFolder) {
                device.answer(unique, EISDIR);
            } else {
                read(unique, node);
            }
        } else if (!isFolder) {
            device.answer(unique, ENOTDIR);
        } else if (operation == LOOKUP) {
            lookup(unique, node);
        } else {
            readdir(unique, node, operation == READDIRPLUS);
        }
    }

    private void init(long unique) {
        int major = request.get(JAVA_INT, ARGUMENTS);
        int minor = request.get(JAVA_INT, ARGUMENTS + 4);
        if (major != MAJOR || minor < MINOR) {
            shared.complain("the kernel speaks FUSE " + major + "." + minor + ", but at least " + MAJOR + "." + MINOR
                    + " is needed (Linux 5.4)");
            device.answer(unique, EPROTO);
            return;
        }
        int offered = request.get(JAVA_INT, ARGUMENTS + 12);
        int wanted = ASYNC_READ
                | DO_READDIRPLUS
                | READDIRPLUS_AUTO
                | NO_OPEN_SUPPORT
                | NO_OPENDIR_SUPPORT
                | PARALLEL_DIROPS
                | MAX_PAGES;
        MemorySegment out = answer.asSlice(0, INIT_BYTES).fill((byte) 0);
        out.set(JAVA_INT, 0, MAJOR);
        out.set(JAVA_INT, 4, MINOR);
        out.set(JAVA_INT, 8, FuseDevice.MAX_READ);
        out.set(JAVA_INT, 12, wanted & offered);
        out.set(JAVA_SHORT, 16, (short) 64);
        out.set(JAVA_SHORT, 18, (short) 48);
        out.set(JAVA_INT, 20, PAGE);
        out.set(JAVA_INT, 24, 1);
        out.set(JAVA_SHORT, 28, (short) (FuseDevice.MAX_READ / PAGE));
        device.answer(unique, out);
    }

    private void lookup(long unique, int folder) {
        int length = 0;
        while (request.get(JAVA_BYTE, ARGUMENTS + length) != 0) {
            length++;
        }
        byte[] name = request.asSlice(ARGUMENTS, length).toArray(JAVA_BYTE);
        int node = tree.find(folder, name);
        MemorySegment out = answer.asSlice(0, ENTRY_BYTES);
        // That a name is not there is remembered too: an entry without a node.
        putEntry(out, node);
        device.answer(unique, out);
    }

    private void putEntry(MemorySegment out, int node) {
        out.fill((byte) 0);
        out.set(JAVA_LONG, 16, FOR_EVER_SECONDS);
        if (node != FileTree.NOTHING) {
            out.set(JAVA_LONG, 0, node + 1L);
            out.set(JAVA_LONG, 24, FOR_EVER_SECONDS);
            putAttributes(out.asSlice(40, ATTR_BYTES), node);
        }
    }

    private void putAttributes(MemorySegment out, int node) {
        boolean isFolder = tree.isFolder(node);
        long size = isFolder ? PAGE : tree.size(node);
        out.set(JAVA_LONG, 0, node + 1L);
        out.set(JAVA_LONG, 8, size);
        out.set(JAVA_LONG, 16, Math.ceilDiv(size, 512));
        for (int time = 24; time < 48; time += 8) {
            out.set(JAVA_LONG, time, shared.modifiedSeconds());
        }
        out.set(JAVA_INT, 60, isFolder ? FOLDER_MODE : FILE_MODE);
        out.set(JAVA_INT, 64, 1); // also for folders: it means that the number of those below is not told
        out.set(JAVA_INT, 68, shared.user());
        out.set(JAVA_INT, 72, shared.group());
        out.set(JAVA_INT, 80, PAGE);
    }

    private void getattr(long unique, int node) {
        MemorySegment out = answer.asSlice(0, GETATTR_BYTES).fill((byte) 0);
        out.set(JAVA_LONG, 0, FOR_EVER_SECONDS);
        putAttributes(out.asSlice(16, ATTR_BYTES), node);
        device.answer(unique, out);
    }

    private void statfs(long unique) {
        MemorySegment out = answer.asSlice(0, STATFS_BYTES).fill((byte) 0);
        out.set(JAVA_LONG, 0, Math.ceilDiv(shared.bytes(), PAGE));
        out.set(JAVA_LONG, 24, tree.nodes());
        out.set(JAVA_INT, 40, PAGE);
        out.set(JAVA_INT, 44, MAX_NAME);
        out.set(JAVA_INT, 48, PAGE);
        device.answer(unique, out);
    }

    private void read(long unique, int node) {
        long offset = request.get(JAVA_LONG, READ_OFFSET);
        long wanted = Math.min(Integer.toUnsignedLong(request.get(JAVA_INT, READ_SIZE)), FuseDevice.MAX_READ);
        if (!shared.isIntact(node)) {
            device.answer(unique, EIO);
            return;
        }
        MemorySegment content = tree.content(node);
        long size = content.byteSize();
        long from = Math.clamp(offset, 0, size);
        MemorySegment part = content.asSlice(from, Math.min(wanted, size - from));
        if (!part.isNative()) { // what was decoded lies on the heap
            part = answer.asSlice(0, part.byteSize()).copyFrom(part);
        }
        if (!device.answer(unique, part)) {
            device.answer(unique, EIO);
        }
    }

    /** Offsets count entries: 0 and 1 are the folder itself and the one above. */
    private void readdir(long unique, int folder, boolean plus) {
        long offset = request.get(JAVA_LONG, READ_OFFSET);
        long room = Math.min(Integer.toUnsignedLong(request.get(JAVA_INT, READ_SIZE)), answer.byteSize());
        long done = 0;
        for (long i = Math.max(0, offset); i < tree.entries(folder) + 2L; i++) {
            int node = i == 0 ? folder : i == 1 ? tree.parent(folder) : tree.entry(folder, (int) i - 2);
            byte[] name = i == 0 ? new byte[] {'.'} : i == 1 ? new byte[] {'.', '.'} : tree.name(node);
            long head = plus ? ENTRY_BYTES : 0;
            long length = head + LittleEndian.align(DIRENT_BYTES + name.length, 8);
            if (done + length > room) {
                break;
            }
            MemorySegment out = answer.asSlice(done, length).fill((byte) 0);
            if (plus && i > 1) { // these two get no node
                putEntry(out.asSlice(0, ENTRY_BYTES), node);
            }
            putDirent(out.asSlice(head), node, i + 1, name);
            done += length;
        }
        device.answer(unique, answer.asSlice(0, done));
    }

    private void putDirent(MemorySegment out, int node, long next, byte[] name) {
        out.set(JAVA_LONG, 0, node + 1L);
        out.set(JAVA_LONG, 8, next);
        out.set(JAVA_INT, 16, name.length);
        out.set(JAVA_INT, 20, tree.isFolder(node) ? FOLDER_TYPE : FILE_TYPE);
        MemorySegment.copy(name, 0, out, JAVA_BYTE, DIRENT_BYTES, name.length);
    }

    @Override
    public void close() {
        arena.close();
    }
}
