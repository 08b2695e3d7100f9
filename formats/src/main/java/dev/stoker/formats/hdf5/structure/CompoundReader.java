package dev.stoker.formats.hdf5.structure;

import dev.stoker.formats.hdf5.structure.Datatype.Compound.Member;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads compound datatypes, and finds where the types of their members end. */
final class CompoundReader {
    /** Where a type ends that Stoker does not know. */
    private static final long UNKNOWN = -1;

    private static final int HEAD_BYTES = 8;
    private static final int VERSION_1_DIMENSIONS = 4;
    /** Bytes that the first version has between a member's place and its type. */
    private static final int VERSION_1_BYTES = 28;

    private final DatatypeReader types;
    private final FileBytes file;
    private final long end;

    CompoundReader(DatatypeReader types, FileBytes file, long end) {
        this.types = types;
        this.file = file;
        this.end = end;
    }

    Datatype read(long body, int version, int count, long bytes, int depth) {
        var members = new ArrayList<Member>();
        long at = body;
        for (int m = 0; m < count; m++) {
            String name = file.textTo(at, end);
            at = afterName(at, name, version);
            long offset = file.uint(at, offsetBytes(version, bytes));
            long typeAt = at + offsetBytes(version, bytes) + (version == 1 ? VERSION_1_BYTES : 0);
            Datatype type = types.type(typeAt, depth + 1);
            type = version == 1 ? inArray(type, at + VERSION_1_DIMENSIONS) : type;
            if (type.bytes() > bytes || offset < 0 || offset > bytes - type.bytes()) {
                throw file.corrupt(
                        at,
                        "member '" + name + "' of " + type.bytes() + " bytes should lie inside the " + bytes
                                + " bytes of its compound");
            }
            add(members, name, offset, type);
            at = after(typeAt, depth + 1);
            if (at == UNKNOWN) {
                return new Datatype.Other(bytes, "compound");
            }
        }
        return new Datatype.Compound(bytes, members);
    }

    private static void add(List<Member> members, String name, long offset, Datatype type) {
        if (type instanceof Datatype.Compound inner) {
            inner.members()
                    .forEach(member -> members.add(
                            new Member(name + "." + member.name(), offset + member.offset(), member.type())));
        } else {
            members.add(new Member(name, offset, type));
        }
    }

    private static long afterName(long at, String name, int version) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length + 1;
        return at + (version < 3 ? bytes + 7 & -8 : bytes);
    }

    /** The third version writes places in as few bytes as the size of the compound needs. */
    private static int offsetBytes(int version, long bytes) {
        return version < 3 ? 4 : (Long.SIZE - Long.numberOfLeadingZeros(bytes) + 7) / 8;
    }

    /** In the first version a member may be an array by itself. */
    private Datatype inArray(Datatype type, long dimensionality) {
        int rank = file.u8(dimensionality);
        if (rank == 0 || rank > 4) {
            return type;
        }
        var shape = new ArrayList<Long>();
        for (int d = 0; d < rank; d++) {
            shape.add(file.u32(dimensionality + 12 + 4L * d));
        }
        return new Datatype.Tensor(type, shape);
    }

    private long after(long at, int depth) {
        if (at == UNKNOWN || depth > DatatypeReader.MAX_DEPTH) {
            return UNKNOWN;
        }
        int kind = file.u8(at) & 15;
        int version = file.u8(at) >> 4;
        int bits = (int) file.uint(at + 1, 3);
        long bytes = file.u32(at + 4);
        long body = at + HEAD_BYTES;
        file.look(at, HEAD_BYTES);
        return switch (kind) {
            case DatatypeReader.FIXED_POINT, DatatypeReader.BIT_FIELD -> body + 4;
            case DatatypeReader.FLOATING_POINT -> body + 12;
            case DatatypeReader.TIME -> body + 2;
            case DatatypeReader.OPAQUE -> body + (bits & 0xff);
            case DatatypeReader.COMPOUND -> afterMembers(body, version, bits & 0xffff, bytes, depth);
            case DatatypeReader.ENUMERATION -> afterNames(body, version, bits & 0xffff, bytes, depth);
            case DatatypeReader.VARIABLE_LENGTH -> after(body, depth + 1);
            case DatatypeReader.ARRAY -> after(afterDimensions(body, version), depth + 1);
            case DatatypeReader.STRING, DatatypeReader.REFERENCE -> body;
            default -> UNKNOWN;
        };
    }

    private long afterDimensions(long body, int version) {
        int rank = file.u8(body);
        return version < 3 ? body + 4 + 8L * rank : body + 1 + 4L * rank;
    }

    private long afterMembers(long body, int version, int count, long bytes, int depth) {
        long at = body;
        for (int m = 0; m < count && at != UNKNOWN; m++) {
            at = afterName(at, file.textTo(at, end), version);
            at = after(at + offsetBytes(version, bytes) + (version == 1 ? VERSION_1_BYTES : 0), depth + 1);
        }
        return at;
    }

    private long afterNames(long body, int version, int count, long bytes, int depth) {
        long at = after(body, depth + 1);
        for (int m = 0; m < count && at != UNKNOWN; m++) {
            at = afterName(at, file.textTo(at, end), version);
        }
        return at == UNKNOWN ? UNKNOWN : at + count * bytes;
    }
}
