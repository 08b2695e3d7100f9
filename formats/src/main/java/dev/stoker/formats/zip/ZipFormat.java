package dev.stoker.formats.zip;

import dev.stoker.format.AbstractFormat;
import dev.stoker.format.Capability;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.format.TreeFields;
import dev.stoker.formats.shared.zip.ZipArchive;
import dev.stoker.formats.shared.zip.ZipRecords;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;

/**
 * A zip archive (APPNOTE 6.3) that holds exactly the source tree: one stored member for each sample, its field {@code
 * data} under its key. All other fields are in the sidecar.
 *
 * <pre>
 *   for each sample:
 *     local header        30 bytes, the key; zip64 sizes (20 bytes) if the data has 4 GiB - 1 or more
 *     data                as it is
 *     data descriptor     16 bytes (zip64: 24): signature, CRC-32, size, size
 *   central directory     for each sample 46 bytes, the key; zip64 sizes and place (4 + 8 to 24 bytes) where they need it
 *   zip64 end             56 + 20 bytes, if there are 65,535 samples or more, or the directory lies or ends beyond 4 GiB
 *   end                   22 bytes
 * </pre>
 *
 * Members are regular files of mode 0644 and of 1980-01-01, the earliest time that zip has; names are UTF-8 and say so.
 * The CRC-32 of a member is known when its data has passed, so it stands behind the data (flag 3), and the central
 * directory, which has it too, is filled last.
 *
 * <p>Reading. Any zip on one disk whose members are stored or deflated; if any is deflated, all are read as blocks. The
 * central directory is believed only where the local headers say the same, and members must not overlap each other.
 * Only regular files are samples. Symbolic links, and what desktops leave behind ({@link dev.stoker.sample.JunkNames}),
 * are left out and counted. Refused by name: members that are compressed otherwise, encrypted, or claim to inflate to
 * more than deflate can make, and bytes before or after the archive.
 */
public final class ZipFormat extends AbstractFormat {
    static final String NAME = "zip";

    public ZipFormat() {
        super(
                NAME,
                List.of("zip"),
                EnumSet.of(
                        Capability.WRITE,
                        Capability.PARALLEL_FILL,
                        Capability.SINGLE_FILE,
                        Capability.VARIABLE_LENGTH,
                        Capability.IN_PLACE,
                        Capability.SPECIFIED));
    }

    /** By the first member, or by the end if there is none. */
    @Override
    public boolean matches(Path path, MemorySegment head) {
        if (head.byteSize() < 4) {
            return false;
        }
        int signature = head.get(LittleEndian.U32, 0);
        return signature == ZipRecords.LOCAL || signature == ZipRecords.END;
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options) {
        return new ZipPlan(samples, TreeFields.require(NAME, samples, options));
    }

    @Override
    public IndexBuilder derive(MappedFile file) {
        var archive = new ZipArchive(file);
        boolean inBlocks = archive.isCompressed();
        Placement ofData = inBlocks ? Placement.blocks() : Placement.stored();
        return TreeFields.builder(ofData).filledBy(builder -> {
            archive.read((member, data) -> {
                builder.value(0, MemorySegment.ofArray(archive.name(member)));
                builder.stored(1, inBlocks ? archive.block(member, data, builder.blocks()) : data, member.length());
            });
            builder.omit(archive.leftOut().tell());
        });
    }
}
