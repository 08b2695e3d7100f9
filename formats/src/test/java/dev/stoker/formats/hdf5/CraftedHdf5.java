package dev.stoker.formats.hdf5;

import dev.stoker.formats.hdf5.structure.HeaderMessages;
import dev.stoker.formats.hdf5.structure.MetadataBuffer;
import dev.stoker.testkit.Workshop;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A file of the oldest kind, put together by hand: no checksum is in the way of what no library would write. */
final class CraftedHdf5 {
    static final byte[] BYTE =
            new MetadataBuffer().u32(0x10).u32(1).u16(0).u16(8).u32(0).done();
    static final byte[] TEXT =
            new MetadataBuffer().u32(0x119).u32(16).bytes(BYTE).done();
    /** A message of 8 bytes that says nothing. */
    static final byte[] NOTHING = new byte[8];

    private static final int SUPERBLOCK_BYTES = 96;
    private static final int MOST_SYMBOLS = 60_000;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** An entry of a group: where its name begins among the names, and what it leads to. */
    record Symbol(long name, long header, int kind) {
        static Symbol hard(long name, long header) {
            return new Symbol(name, header, 0);
        }

        static Symbol soft(long name) {
            return new Symbol(name, 0, 2);
        }
    }

    CraftedHdf5() {
        bytes.writeBytes(new byte[SUPERBLOCK_BYTES]);
    }

    /** Adds bytes, and gives their place. */
    long put(byte[] more) {
        bytes.writeBytes(new byte[-bytes.size() & 7]);
        long at = bytes.size();
        bytes.writeBytes(more);
        return at;
    }

    static byte[] message(int type, byte[] body) {
        byte[] padded = Arrays.copyOf(body, body.length + 7 & -8);
        return new MetadataBuffer()
                .u16(type)
                .u16(padded.length)
                .u32(0)
                .bytes(padded)
                .done();
    }

    static byte[] continuation(long at, long length) {
        return message(
                HeaderMessages.CONTINUATION,
                new MetadataBuffer().u64(at).u64(length).done());
    }

    long header(byte[]... messages) {
        byte[] body = join(List.of(messages));
        return put(new MetadataBuffer()
                .u8(1)
                .u8(0)
                .u16(messages.length & 0xffff)
                .u32(1)
                .u32(body.length)
                .u32(0)
                .bytes(body)
                .done());
    }

    static byte[] join(List<byte[]> parts) {
        var all = new ByteArrayOutputStream();
        parts.forEach(all::writeBytes);
        return all.toByteArray();
    }

    static byte[] space(long... dimensions) {
        MetadataBuffer space =
                new MetadataBuffer().u8(1).u8(dimensions.length).u16(0).u32(0);
        for (long dimension : dimensions) {
            space.u64(dimension);
        }
        return message(HeaderMessages.DATASPACE, space.done());
    }

    static byte[] type(byte[] datatype) {
        return message(HeaderMessages.DATATYPE, datatype);
    }

    static byte[] contiguous(long at, long length) {
        return message(
                HeaderMessages.LAYOUT,
                new MetadataBuffer().u8(3).u8(1).u64(at).u64(length).done());
    }

    /** Chunks of one element, all missing. */
    static byte[] chunkedNowhere() {
        return message(
                HeaderMessages.LAYOUT,
                new MetadataBuffer()
                        .u8(3)
                        .u8(2)
                        .u8(2)
                        .u64(HeaderMessages.UNDEFINED)
                        .u32(1)
                        .u32(1)
                        .done());
    }

    /** A dataset of ten bytes. */
    long dataset(byte[]... more) {
        long data = put(new byte[10]);
        var messages = new ArrayList<>(List.of(space(10), type(BYTE), contiguous(data, 10)));
        messages.addAll(List.of(more));
        return header(messages.toArray(new byte[0][]));
    }

    /** The message of a group of so many links to headers, each with a name of its own. */
    byte[] group(List<Long> headers) {
        var names = new MetadataBuffer();
        var symbols = new ArrayList<Symbol>();
        for (long header : headers) {
            symbols.add(Symbol.hard(names.size(), header));
            names.bytes(("n" + symbols.size() + "\0").getBytes(StandardCharsets.US_ASCII));
        }
        return group(symbols, names.done());
    }

    byte[] group(List<Symbol> symbols, byte[] names) {
        var nodes = new ArrayList<Long>();
        for (int from = 0; from < symbols.size(); from += MOST_SYMBOLS) {
            nodes.add(node(symbols.subList(from, Math.min(symbols.size(), from + MOST_SYMBOLS))));
        }
        return group(names, nodes);
    }

    byte[] group(byte[] names, List<Long> nodes) {
        MetadataBuffer tree = new MetadataBuffer()
                .bytes("TREE".getBytes(StandardCharsets.US_ASCII))
                .u8(0)
                .u8(0)
                .u16(nodes.size())
                .u64(HeaderMessages.UNDEFINED)
                .u64(HeaderMessages.UNDEFINED);
        nodes.forEach(node -> tree.u64(0).u64(node));
        long root = put(tree.u64(0).done());
        long text = put(names);
        long heap = put(new MetadataBuffer()
                .bytes("HEAP".getBytes(StandardCharsets.US_ASCII))
                .u32(0)
                .u64(names.length)
                .u64(HeaderMessages.UNDEFINED)
                .u64(text)
                .done());
        return message(
                HeaderMessages.SYMBOL_TABLE,
                new MetadataBuffer().u64(root).u64(heap).done());
    }

    /** A node of a group's entries. */
    long node(List<Symbol> symbols) {
        MetadataBuffer node = new MetadataBuffer()
                .bytes("SNOD".getBytes(StandardCharsets.US_ASCII))
                .u8(1)
                .u8(0)
                .u16(symbols.size());
        for (Symbol symbol : symbols) {
            node.u64(symbol.name)
                    .u64(symbol.header)
                    .u32(symbol.kind)
                    .u32(0)
                    .u64(0)
                    .u64(0);
        }
        return put(node.done());
    }

    /** Writes the file, whose root is the header at a place. */
    Path write(Path file, long root) {
        byte[] all = bytes.toByteArray();
        byte[] superblock = new MetadataBuffer()
                .bytes(HeaderMessages.signature())
                .u32(0)
                .u8(0)
                .u8(8)
                .u8(8)
                .u8(0)
                .u16(4)
                .u16(16)
                .u32(0)
                .u64(0)
                .u64(HeaderMessages.UNDEFINED)
                .u64(all.length)
                .u64(HeaderMessages.UNDEFINED)
                .u64(0)
                .u64(root)
                .u64(0)
                .done();
        System.arraycopy(superblock, 0, all, 0, superblock.length);
        Workshop.write(file, all);
        return file;
    }
}
