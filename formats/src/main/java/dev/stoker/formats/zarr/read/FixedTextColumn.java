package dev.stoker.formats.zarr.read;

import dev.stoker.io.LittleEndian;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Text of one length, without its padding; as UTF-8. */
final class FixedTextColumn extends ArrayColumn {
    private final ArrayRows rows;
    private final ElementType.FixedText text;
    private final MemorySegment buffer;

    FixedTextColumn(ArrayRows rows, ElementType.FixedText text) {
        super(rows.store(), rows.array(), new FieldType.Text());
        this.rows = rows;
        this.text = text;
        this.buffer = rows.buffer();
    }

    @Override
    public MemorySegment value(long row) {
        rows.copy(row, buffer);
        if (!text.utf32()) {
            long length = buffer.byteSize();
            while (length > 0 && buffer.get(ValueLayout.JAVA_BYTE, length - 1) == 0) {
                length--;
            }
            return buffer.asSlice(0, length);
        }
        if (text.bigEndian()) {
            ArrayRows.turn(buffer, 4);
        }
        var letters = new StringBuilder();
        for (long at = 0; at <= buffer.byteSize() - 4; at += 4) {
            int letter = buffer.get(LittleEndian.U32, at);
            if (!Character.isValidCodePoint(letter) || (letter >= 0xd800 && letter <= 0xdfff)) {
                throw store().corrupt(
                                -1,
                                label() + ", row " + row + ": " + Integer.toUnsignedString(letter)
                                        + " is not a Unicode character");
            }
            letters.appendCodePoint(letter);
        }
        int length = letters.length();
        while (length > 0 && letters.charAt(length - 1) == 0) {
            length--;
        }
        return copy(letters.substring(0, length).getBytes(StandardCharsets.UTF_8));
    }
}
