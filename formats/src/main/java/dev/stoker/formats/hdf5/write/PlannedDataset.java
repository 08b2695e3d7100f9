package dev.stoker.formats.hdf5.write;

import dev.stoker.formats.hdf5.structure.HeaderMessages;
import dev.stoker.formats.shared.array.Area;

/**
 * A dataset of a planned file.
 *
 * @param name in its group
 * @param type the datatype message
 * @param area its raw data
 */
record PlannedDataset(String name, byte[] type, long[] dimensions, Area area) {
    byte[] header(long address) {
        return HeaderMessages.dataset(type, dimensions, address, area.length());
    }
}
