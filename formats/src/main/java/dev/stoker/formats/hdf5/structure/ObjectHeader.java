package dev.stoker.formats.hdf5.structure;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The messages of an object: a group, a dataset, a named datatype. */
public final class ObjectHeader {
    private static final int SHARED = 0x02;

    /** @param at the place of its body */
    public record Message(int type, long at, int size) {
        long end() {
            return at + size;
        }
    }

    private record Block(long at, long length) {}

    private final FileBytes file;
    private final long address;
    /** Whether this was reached as a named datatype. */
    private final boolean isNamed;

    private final FileBytes.Seen seen;
    private final List<Message> messages = new ArrayList<>();
    private final List<Block> continuations = new ArrayList<>();

    private ObjectHeader(FileBytes file, long address, boolean isNamed) {
        this.file = file;
        this.address = address;
        this.isNamed = isNamed;
        this.seen = file.new Seen();
    }

    public static ObjectHeader read(FileBytes file, long address) {
        return read(file, address, false);
    }

    private static ObjectHeader read(FileBytes file, long address, boolean isNamed) {
        var header = new ObjectHeader(file, address, isNamed);
        file.require(address, 4, "an object header");
        if (file.u8(address) == 1) {
            header.readOld();
        } else {
            header.readRecent();
        }
        return header;
    }

    long address() {
        return address;
    }

    List<Message> all(int type) {
        return messages.stream().filter(message -> message.type == type).toList();
    }

    public @Nullable Message find(int type) {
        for (Message message : messages) {
            if (message.type == type) {
                return message;
            }
        }
        return null;
    }

    public boolean has(int type) {
        return find(type) != null;
    }

    private void readOld() {
        addBlock(address + 16, file.u32(address + 8));
        readContinuations(block -> readOldMessages(block.at, block.at + block.length));
    }

    private void readRecent() {
        file.signature(address, "OHDR");
        int version = file.u8(address + 4);
        if (version != 2) {
            throw file.unsupported("an object header has version " + version + "; Stoker reads 1 and 2");
        }
        int flags = file.u8(address + 5);
        long at = address + 6 + ((flags & 0x20) != 0 ? 16 : 0) + ((flags & 0x10) != 0 ? 4 : 0);
        int sizeBytes = 1 << (flags & 3);
        long length = file.uint(at, sizeBytes);
        long start = at + sizeBytes;
        file.require(start, length, "an object header");
        file.checksum(address, start + length - address, "an object header");
        boolean ordered = (flags & 0x04) != 0;
        readRecentMessages(start, start + length, ordered);
        readContinuations(block -> {
            file.signature(block.at, "OCHK");
            file.checksum(block.at, block.length - 4, "a part of an object header");
            readRecentMessages(block.at + 4, block.at + block.length - 4, ordered);
        });
    }

    private void readContinuations(java.util.function.Consumer<Block> reader) {
        while (!continuations.isEmpty()) {
            reader.accept(continuations.removeFirst());
        }
    }

    private void addBlock(long at, long length) {
        file.require(at, length, "a part of an object header");
        seen.add(at, "a part of an object header");
        continuations.add(new Block(at, length));
    }

    private void readOldMessages(long start, long end) {
        file.look(start, end - start);
        for (long at = start; at + 8 <= end; ) {
            int size = file.u16(at + 2);
            add(file.u16(at), file.u8(at + 4), at + 8, size, end);
            at += 8 + size;
        }
    }

    private void readRecentMessages(long start, long end, boolean ordered) {
        int head = ordered ? 6 : 4;
        for (long at = start; at + head <= end; ) {
            int size = file.u16(at + 1);
            add(file.u8(at), file.u8(at + 3), at + head, size, end);
            at += head + size;
        }
    }

    private void add(int type, int flags, long at, int size, long end) {
        if (at + size > end) {
            throw file.corrupt(at, "a message of " + size + " bytes should end at byte " + end + " at the latest");
        }
        if (type == HeaderMessages.CONTINUATION) {
            long length = file.length(at + file.offsetBytes());
            if (length < 8) {
                throw file.corrupt(at, "a part of an object header should have at least 8 bytes, not " + length);
            }
            addBlock(file.address(at), length);
        } else if ((flags & SHARED) != 0 && type == HeaderMessages.DATATYPE) {
            messages.add(named(at));
        } else if ((flags & SHARED) == 0) {
            messages.add(new Message(type, at, size));
        } else if (type == HeaderMessages.DATASPACE
                || type == HeaderMessages.FILTERS
                || type == HeaderMessages.FILL_VALUE) {
            throw file.unsupported("its object headers share messages of type " + type + "; Stoker does not read such"
                    + " files; copy it with h5repack");
        }
    }

    /** The datatype that is an object of its own. */
    private Message named(long at) {
        int version = file.u8(at);
        int kind = file.u8(at + 1);
        if (version < 1 || version > 3 || (version == 3 && kind != 2)) {
            throw file.unsupported("a datatype is in a shared message of version " + version + " and kind " + kind
                    + ", which Stoker does not read; copy the file with h5repack");
        }
        long there = file.address(at + (version == 1 ? 8 : 2));
        // One step: a named datatype holds its message itself, or is damaged.
        Message found = isNamed ? null : read(file, there, true).find(HeaderMessages.DATATYPE);
        if (found == null) {
            throw file.corrupt(there, "a named datatype should be here");
        }
        return found;
    }
}
