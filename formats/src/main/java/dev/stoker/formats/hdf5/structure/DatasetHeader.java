package dev.stoker.formats.hdf5.structure;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the header of a dataset says.
 *
 * @param path for messages
 * @param maxDimensions where the library lets it grow to; -1 without a limit
 */
public record DatasetHeader(
        FileBytes file, String path, Datatype type, long[] dimensions, long[] maxDimensions, ObjectHeader header) {
    private static final int MAX_RANK = 32;

    /** The dataset of an object header, or null if it is none or holds nothing. */
    public static @Nullable DatasetHeader of(FileBytes file, String path, ObjectHeader header) {
        ObjectHeader.Message type = header.find(HeaderMessages.DATATYPE);
        ObjectHeader.Message space = header.find(HeaderMessages.DATASPACE);
        if (type == null || space == null || !header.has(HeaderMessages.LAYOUT)) {
            return null;
        }
        int version = file.u8(space.at());
        int rank = file.u8(space.at() + 1);
        int flags = file.u8(space.at() + 2);
        if (version < 1 || version > 2 || rank > MAX_RANK) {
            throw file.corrupt(space.at(), "a dataspace has version " + version + " and " + rank + " dimensions");
        }
        boolean isNull = version == 2 && file.u8(space.at() + 3) == 2;
        if (isNull) {
            return null;
        }
        long at = space.at() + (version == 1 ? 8 : 4);
        long[] dimensions = new long[rank];
        long[] most = new long[rank];
        for (int d = 0; d < rank; d++) {
            dimensions[d] = file.length(at + (long) d * file.lengthBytes());
            most[d] = (flags & 1) == 0
                    ? dimensions[d]
                    : file.uint(at + (long) (rank + d) * file.lengthBytes(), file.lengthBytes());
        }
        Datatype datatype = DatatypeReader.read(file, type.at(), type.end());
        return new DatasetHeader(file, path, datatype, dimensions, most, header);
    }

    /** One member of its records, as if that were a dataset of its own. */
    public DatasetHeader member(Datatype.Compound.Member member) {
        return new DatasetHeader(file, path + "." + member.name(), member.type(), dimensions, maxDimensions, header);
    }

    /** Whether it gives the places along a dimension of other datasets, as those of netCDF do. */
    public boolean isDimension() {
        return attribute("CLASS").equals("DIMENSION_SCALE");
    }

    /** Whether it only says how long a dimension is, which netCDF keeps as a dataset that nobody ever wrote to. */
    public boolean isBareDimension() {
        return isDimension() && attribute("NAME").startsWith("This is a netCDF dimension but not a netCDF variable");
    }

    private String attribute(String name) {
        byte[] text = AttributeReader.text(file, header, name, new GlobalHeap(file));
        return text == null ? "" : new String(text, StandardCharsets.UTF_8).replace("\0", "");
    }

    /** Those of these attributes that it has, as people write them. */
    public Map<String, String> attributes(List<String> names) {
        return AttributeReader.shown(file, header, names, new GlobalHeap(file));
    }

    /** The names of the numbers of an enumeration, as people write them; empty if it is none. */
    public String enumeration() {
        ObjectHeader.Message message = Objects.requireNonNull(header.find(HeaderMessages.DATATYPE));
        return DatatypeReader.enumeration(file, message.at(), message.end());
    }

    public int rank() {
        return dimensions.length;
    }

    /** Samples: the first dimension. */
    public long rows() {
        return rank() == 0 ? 1 : dimensions[0];
    }

    /** Bytes of one sample. */
    public long rowBytes() {
        return Math.multiplyExact(rowElements(), type.bytes());
    }

    long rowElements() {
        long elements = 1;
        for (int d = 1; d < rank(); d++) {
            elements = Math.multiplyExact(elements, dimensions[d]);
        }
        return elements;
    }

    public String label() {
        return "dataset '" + path + "' (" + type.label() + ", " + Arrays.toString(dimensions) + ")";
    }
}
