package dev.stoker.formats.hdf5.structure;

import dev.stoker.formats.hdf5.read.DecodedTexts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What elements are that were never written. */
public record FillValue(byte[] element) {
    private static final int OLD = 0x04;

    public static FillValue of(DatasetHeader dataset) {
        FileBytes file = dataset.file();
        int bytes = Math.toIntExact(Math.min(dataset.type().bytes(), Integer.MAX_VALUE - 8));
        ObjectHeader.Message message = dataset.header().find(HeaderMessages.FILL_VALUE);
        ObjectHeader.Message old = dataset.header().find(OLD);
        long at = -1;
        if (message != null && file.u8(message.at()) == 3) {
            at = (file.u8(message.at() + 1) & 0x20) != 0 ? message.at() + 2 : -1;
        } else if (message != null) {
            boolean isThere = file.u8(message.at()) == 1 || file.u8(message.at() + 3) != 0;
            at = isThere ? message.at() + 4 : -1;
        } else if (old != null) {
            at = old.at();
        }
        if (at < 0 || file.u32(at) != bytes || dataset.type() instanceof Datatype.Sequence) {
            return new FillValue(new byte[0]);
        }
        file.require(at + 4, bytes, "a fill value");
        return new FillValue(file.bytes().asSlice(at + 4, bytes).toArray(ValueLayout.JAVA_BYTE));
    }

    public boolean isZero() {
        for (byte part : element) {
            if (part != 0) {
                return false;
            }
        }
        return true;
    }

    /** The same for numbers that are turned to little-endian; of width 0, none is. */
    public FillValue turned(int width) {
        if (width < 2) {
            return this;
        }
        byte[] turned = element.clone();
        DecodedTexts.turn(MemorySegment.ofArray(turned), width);
        return new FillValue(turned);
    }
}
