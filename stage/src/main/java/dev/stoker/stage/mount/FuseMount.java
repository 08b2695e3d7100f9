package dev.stoker.stage.mount;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.os.FileProbe;
import dev.stoker.os.FuseDevice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;

/** Serves a container as a filesystem until it is unmounted, with several threads. */
public final class FuseMount {
    private FuseMount() {}

    /** What all workers know. */
    static final class Shared {
        private static final int UNKNOWN = 0;
        private static final int INTACT = 1;
        private static final int DAMAGED = 2;
        private static final int PER_WORD = 16;

        private final FileTree tree;
        private final long bytes;
        private final long modifiedSeconds;
        private final int user;
        private final int group;
        private final Consumer<String> complain;
        /** Two bits for each node: a value is compared with its checksum when it is first read, and not again. */
        private final AtomicIntegerArray states;

        Shared(Container container, Consumer<String> complain) throws IOException {
            this.tree = new FileTree(container);
            this.bytes = FileProbe.isFolder(container.path()) ? 0 : Files.size(container.path());
            this.modifiedSeconds = Files.getLastModifiedTime(container.path()).toMillis() / 1000;
            var own = Files.readAttributes(Path.of("/proc/self"), "unix:uid,gid");
            this.user = (int) own.getOrDefault("uid", 0);
            this.group = (int) own.getOrDefault("gid", 0);
            this.complain = complain;
            this.states = new AtomicIntegerArray(tree.nodes() / PER_WORD + 1);
        }

        FileTree tree() {
            return tree;
        }

        long bytes() {
            return bytes;
        }

        long modifiedSeconds() {
            return modifiedSeconds;
        }

        int user() {
            return user;
        }

        int group() {
            return group;
        }

        void complain(String sentence) {
            complain.accept(sentence);
        }

        boolean isIntact(int node) {
            int shift = 2 * (node % PER_WORD);
            int state = states.get(node / PER_WORD) >>> shift & 3;
            if (state == UNKNOWN) {
                state = tree.isIntact(node) ? INTACT : DAMAGED;
                int bits = state << shift;
                states.getAndUpdate(node / PER_WORD, word -> word | bits);
                if (state == DAMAGED) {
                    complain.accept(new String(tree.name(node), StandardCharsets.UTF_8)
                            + ": the checksum does not match; the value is damaged, and reading it fails");
                }
            }
            return state == INTACT;
        }
    }

    /**
     * Mounts a container and serves it.
     *
     * @param complain is told of damage and of what cannot be served
     */
    public static void serve(Container container, Path point, int threads, Consumer<String> complain) {
        try {
            var shared = new Shared(container, complain);
            try (FuseDevice device = FuseDevice.mount(point)) {
                serve(shared, device, threads);
            }
        } catch (IOException e) {
            throw new StokerException(container.path(), "cannot be served: " + e.getMessage(), e);
        }
    }

    private static void serve(Shared shared, FuseDevice device, int threads) throws IOException {
        var ends = new ArrayList<FuseDevice>(List.of(device));
        try {
            while (ends.size() < threads) {
                ends.add(device.another());
            }
            var workers = new ArrayList<Thread>();
            for (FuseDevice end : ends) {
                workers.add(Thread.ofPlatform().name("stoker-fuse").start(() -> {
                    try (var worker = new FuseRequests(shared, end)) {
                        worker.run();
                    }
                }));
            }
            for (Thread worker : workers) {
                worker.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ends.subList(1, ends.size()).forEach(FuseDevice::close);
        }
    }
}
