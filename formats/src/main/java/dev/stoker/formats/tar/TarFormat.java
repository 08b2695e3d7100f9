package dev.stoker.formats.tar;

import dev.stoker.format.AbstractFormat;
import dev.stoker.format.Archive;
import dev.stoker.format.Capability;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.index.IndexBuilder;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A tar archive (POSIX.1-2001: ustar headers, pax headers where those are too narrow), laid out as WebDataset reads it.
 *
 * <pre>
 *   global pax header     comment=STOKER.schema=CRC32C {"samples":2,"fields":[{"name":"key","type":"text"}, ...],"classes":[...]}
 *   for each sample:
 *     KEY                 the field data: bytes or text as they are, a tensor or array as a .npy file; empty if there is none
 *     STEM.cls            the field label, if it is an integer: decimal digits
 *     STEM.json           all further numbers, texts and lists of texts: one object, in the order of the schema
 *     STEM.FIELD          each further field of bytes
 *     STEM.FIELD.npy      each further tensor or array
 *   two blocks of zeros
 * </pre>
 *
 * A member is a header of 512 bytes (mode 0644, owner 0, time 0) and its content, padded with zeros to a multiple of
 * 512. STEM is the key up to the first dot of its base name. Samples without keys are named by their number: {@code
 * 000000000.bin}. Numbers in JSON are exact; see {@link JsonNumbers}.
 *
 * <p>What tar could hold but WebDataset would misread is refused: samples next to each other with one stem, if they
 * have labels or further fields. Without these any keys do, also one twice, and every member is a sample.
 *
 * <p>Reading. An archive with Stoker's comment is taken apart by counting members, and each is checked to have the name
 * it should. Any other tar is read as well (v7, ustar, GNU, pax; see {@link TarWalker}): as WebDataset if it looks like
 * that, else each file as one sample; see {@link ForeignTar}. Only regular files, and hard links to them, are samples.
 * Symbolic links, devices, and in archives by other programs what desktops leave behind ({@link
 * dev.stoker.sample.JunkNames}), are left out and counted.
 */
public final class TarFormat extends AbstractFormat {
    static final String NAME = "tar";

    public TarFormat() {
        super(
                NAME,
                List.of("tar"),
                EnumSet.of(
                        Capability.WRITE,
                        Capability.PARALLEL_FILL,
                        Capability.SINGLE_FILE,
                        Capability.VARIABLE_LENGTH,
                        Capability.IN_PLACE,
                        Capability.DUPLICATE_KEYS,
                        Capability.KEYLESS,
                        Capability.ANY_FIELDS,
                        Capability.SPECIFIED));
    }

    @Override
    public boolean matches(Path path, MemorySegment head) {
        return TarWalker.matches(path, head);
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options) {
        // The members of a sample tell key, data and label by their place.
        Schema schema = options.renamed(samples.schema(), NAME, Set.of(Field.KEY, Field.DATA, Field.LABEL));
        return new TarPlan(samples, TarLayout.of(schema));
    }

    @Override
    public boolean isArchive() {
        return true;
    }

    @Override
    public Archive archive(MappedFile file) {
        return TarMembers.readAll(file);
    }

    @Override
    public IndexBuilder derive(MappedFile file) {
        try (TarMembers members = TarMembers.read(file)) {
            TarLayout.Comment comment = members.comment();
            IndexBuilder builder = comment != null
                    ? new PackedTar(file, members, comment).derive()
                    : new ForeignTar(file, members).derive();
            return builder.omit(members.leftOut().tell());
        }
    }
}
