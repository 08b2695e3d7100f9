package dev.stoker.stage.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a process lives: only from there can it be told whether another one still does. Process numbers belong to one
 * container, locks to one node, while several of both may see a place to stage into, such as a {@code TMPDIR} on a shared
 * filesystem.
 *
 * @param host the node's name
 * @param boot another text each time that any machine starts; empty if it cannot be known
 * @param processes the namespace of its process numbers; empty if it cannot be known
 */
public record ProcessHome(String host, String boot, String processes) {
    /** Another text each time that the machine starts. */
    public static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    /** The namespace of the node itself has this number on every Linux; a container's never has. */
    private static final String OF_NODE = "pid:[4026531836]";

    public static ProcessHome current() {
        return new ProcessHome(text(Path.of("/proc/sys/kernel/hostname")), text(BOOT), namespace());
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }

    private static String namespace() {
        try {
            // A container may see another one's /proc, where its own processes have other numbers.
            String number = Files.readSymbolicLink(Path.of("/proc/self")).toString();
            boolean isOwn = number.equals(Long.toString(ProcessHandle.current().pid()));
            return isOwn ? Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString() : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether processes there and here see each other's locks. */
    public boolean sharesLocks(ProcessHome here) {
        return !boot.isEmpty() && boot.equals(here.boot);
    }

    /** Whether process numbers mean the same there and here. */
    public boolean sharesProcesses(ProcessHome here) {
        return sharesLocks(here) && !processes.isEmpty() && processes.equals(here.processes);
    }

    /** Whether that was a node of the same name before it restarted. A container's name says nothing. */
    public boolean isEarlier(ProcessHome here) {
        return !boot.isEmpty()
                && !here.boot.isEmpty()
                && !boot.equals(here.boot)
                && host.equals(here.host)
                && processes.equals(OF_NODE)
                && here.processes.equals(OF_NODE);
    }

    /** As a message has it; {@code here} is where it is read. */
    public String describe(ProcessHome here) {
        return sharesLocks(here) ? "another container on this node" : "node " + (host.isEmpty() ? "unknown" : host);
    }
}
