package dev.stoker.formats.hdf5.structure;

import java.util.LinkedHashMap;
import java.util.Map;

/** The links of a group: of hard ones the names and the places of object headers, of others the names. */
public final class GroupLinks {
    private static final int SOFT = 2;
    private static final int SOFT_LINK = 1;

    private final FileBytes file;
    private final Map<String, Long> links = new LinkedHashMap<>();
    private final Map<String, String> others = new LinkedHashMap<>();

    private GroupLinks(FileBytes file) {
        this.file = file;
    }

    public static boolean isGroup(ObjectHeader header) {
        return header.has(HeaderMessages.SYMBOL_TABLE)
                || header.has(HeaderMessages.LINK_INFO)
                || header.has(HeaderMessages.LINK);
    }

    public static GroupLinks of(FileBytes file, ObjectHeader group) {
        var reader = new GroupLinks(file);
        for (ObjectHeader.Message message : group.all(HeaderMessages.LINK)) {
            reader.link(message.at());
        }
        ObjectHeader.Message table = group.find(HeaderMessages.SYMBOL_TABLE);
        if (table != null) {
            reader.symbolTable(table.at());
        }
        ObjectHeader.Message info = group.find(HeaderMessages.LINK_INFO);
        if (info != null) {
            reader.dense(info.at());
        }
        return reader;
    }

    /** The hard links. */
    public Map<String, Long> hard() {
        return links;
    }

    /** The links that are not followed, and what kind each is of. */
    public Map<String, String> others() {
        return others;
    }

    private void add(String name, long header, long at) {
        if (name.isEmpty() || header == FileBytes.UNDEFINED || links.put(name, header) != null) {
            throw file.corrupt(at, "a group's link '" + name + "' has no name, leads nowhere or is there twice");
        }
    }

    /** A link message, in an object header or in a heap. */
    private void link(long message) {
        int flags = file.u8(message + 1);
        long at = message + 2;
        int kind = (flags & 0x08) == 0 ? 0 : file.u8(at);
        at += ((flags & 0x08) != 0 ? 1 : 0) + ((flags & 0x04) != 0 ? 8 : 0) + ((flags & 0x10) != 0 ? 1 : 0);
        int lengthBytes = 1 << (flags & 3);
        long length = file.uint(at, lengthBytes);
        String name = file.text(at + lengthBytes, length);
        if (kind == 0) {
            add(name, file.address(at + lengthBytes + length), message);
        } else {
            others.put(name, kind == SOFT_LINK ? "soft link" : "external link");
        }
    }

    private void dense(long info) {
        int flags = file.u8(info + 1);
        long at = info + 2 + ((flags & 1) != 0 ? 8 : 0);
        long heapAddress = file.address(at);
        if (heapAddress == FileBytes.UNDEFINED) {
            return;
        }
        var heap = new FractalHeap(file, heapAddress);
        // A record of the names' tree: a hash of the name, then the number of the link in the heap.
        new BTree2(file, file.address(at + file.offsetBytes()), 5)
                .records((record, bytes) ->
                        link(heap.object(record + 4, bytes - 4).offset()));
    }

    private void symbolTable(long message) {
        long heap = file.address(message + file.offsetBytes());
        file.signature(heap, "HEAP");
        long bytes = file.length(heap + 8);
        long names = file.address(heap + 8 + 2L * file.lengthBytes());
        file.require(names, bytes, "the names of a group");
        new BTree1(file, file.address(message), 0, file.lengthBytes())
                .leaves((key, node) -> symbols(node, names, names + bytes));
    }

    private void symbols(long node, long names, long end) {
        file.signature(node, "SNOD");
        int count = file.u16(node + 6);
        int width = 2 * file.offsetBytes() + 24;
        file.require(node + 8, (long) count * width, "the entries of a group");
        file.look(node, (long) count * width);
        for (long at = node + 8; at < node + 8 + (long) count * width; at += width) {
            long name = file.uint(at, file.offsetBytes());
            if (name < 0 || name >= end - names) {
                throw file.corrupt(at, "a name should lie inside the group's " + (end - names) + " bytes of names");
            }
            if (file.u32(at + 2L * file.offsetBytes()) != SOFT) {
                add(file.textTo(names + name, end), file.address(at + file.offsetBytes()), at);
            } else {
                others.put(file.textTo(names + name, end), "soft link");
            }
        }
    }
}
