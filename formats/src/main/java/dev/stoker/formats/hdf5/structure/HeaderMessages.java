package dev.stoker.formats.hdf5.structure;

import dev.stoker.StokerException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Superblock (version 2), object headers (version 2) and their messages. */
public final class HeaderMessages {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    public static final long UNDEFINED = -1;
    public static final int SUPERBLOCK_BYTES = 48;

    public static final int DATASPACE = 0x01;
    static final int LINK_INFO = 0x02;
    public static final int DATATYPE = 0x03;
    static final int FILL_VALUE = 0x05;
    static final int LINK = 0x06;
    public static final int EXTERNAL_FILES = 0x07;
    public static final int LAYOUT = 0x08;
    static final int GROUP_INFO = 0x0A;
    static final int FILTERS = 0x0B;
    static final int ATTRIBUTE = 0x0C;
    public static final int CONTINUATION = 0x10;
    public static final int SYMBOL_TABLE = 0x11;
    static final int ATTRIBUTE_INFO = 0x15;

    /** The longest name whose length is written in one byte. */
    private static final int SHORT_NAME = 255;

    private static final int MAX_RANK = 32;

    private HeaderMessages() {}

    /** What every HDF5 file begins with. */
    public static byte[] signature() {
        return SIGNATURE.clone();
    }

    public static byte[] superblock(long end, long root) {
        MetadataBuffer block = new MetadataBuffer()
                .bytes(SIGNATURE)
                .u8(2)
                .u8(8)
                .u8(8)
                .u8(0)
                .u64(0)
                .u64(UNDEFINED)
                .u64(end)
                .u64(root);
        return block.u32(Lookup3.of(block.done())).done();
    }

    public record Message(int type, byte[] body) {
        public Message {
            if (body.length > 0xffff) {
                throw new StokerException("format hdf5 has at most 65535 bytes for a name, a type or an attribute; one"
                        + " here needs " + body.length);
            }
        }
    }

    public static byte[] objectHeader(List<Message> messages) {
        var body = new MetadataBuffer();
        for (Message message : messages) {
            body.u8(message.type).u16(message.body.length).u8(0).bytes(message.body);
        }
        MetadataBuffer header = new MetadataBuffer()
                .bytes("OHDR".getBytes(StandardCharsets.US_ASCII))
                .u8(2)
                .u8(0x02)
                .u32(body.size())
                .bytes(body.done());
        return header.u32(Lookup3.of(header.done())).done();
    }

    /** What a group begins with; its links follow. */
    public static List<Message> group() {
        return List.of(
                new Message(
                        LINK_INFO,
                        new MetadataBuffer()
                                .u8(0)
                                .u8(0)
                                .u64(UNDEFINED)
                                .u64(UNDEFINED)
                                .done()),
                new Message(GROUP_INFO, new byte[] {0, 0}));
    }

    public static Message link(String name, long address) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        boolean isLong = utf8.length > SHORT_NAME;
        // Version, flags (a name's character set is given; the size of its length), UTF-8.
        MetadataBuffer link =
                new MetadataBuffer().u8(1).u8(0x10 | (isLong ? 1 : 0)).u8(1);
        (isLong ? link.u16(utf8.length) : link.u8(utf8.length)).bytes(utf8).u64(address);
        return new Message(LINK, link.done());
    }

    static Message dataspace(long... dimensions) {
        if (dimensions.length > MAX_RANK) {
            throw new StokerException("format hdf5 has at most " + MAX_RANK + " dimensions, the samples' own included; "
                    + "a field here needs " + dimensions.length);
        }
        MetadataBuffer space =
                new MetadataBuffer().u8(2).u8(dimensions.length).u8(0).u8(dimensions.length == 0 ? 0 : 1);
        for (long dimension : dimensions) {
            space.u64(dimension);
        }
        return new Message(DATASPACE, space.done());
    }

    /** A dataset that lies in one piece; one without bytes has no place. */
    public static byte[] dataset(byte[] datatype, long[] dimensions, long address, long bytes) {
        return objectHeader(List.of(
                dataspace(dimensions),
                new Message(DATATYPE, datatype),
                new Message(FILL_VALUE, new byte[] {3, 0x0A}),
                new Message(
                        LAYOUT,
                        new MetadataBuffer()
                                .u8(3)
                                .u8(1)
                                .u64(bytes == 0 ? UNDEFINED : address)
                                .u64(bytes)
                                .done())));
    }

    /** An attribute of text. */
    public static Message attribute(String name, byte[] utf8) {
        byte[] nul = (name + "\0").getBytes(StandardCharsets.UTF_8);
        byte[] type = TypeMessages.fixedText(utf8.length);
        byte[] space = dataspace().body();
        MetadataBuffer attribute = new MetadataBuffer()
                .u8(3)
                .u8(0)
                .u16(nul.length)
                .u16(type.length)
                .u16(space.length);
        return new Message(
                ATTRIBUTE,
                attribute.u8(1).bytes(nul).bytes(type).bytes(space).bytes(utf8).done());
    }
}
