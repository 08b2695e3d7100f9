package dev.stoker.formats.tar;

import dev.stoker.StokerException;
import dev.stoker.format.Ability;
import dev.stoker.format.Archive;
import dev.stoker.format.Format;
import dev.stoker.format.Options;
import dev.stoker.format.Plan;
import dev.stoker.index.IndexBuilder;
import dev.stoker.memory.MappedFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
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
 * that, else each file as one sample; see {@link ForeignTar}. Only regular files, and hard links to them, are samples;
 * folders, symbolic links, devices and the like are passed over.
 */
public final class TarFormat implements Format {
    static final String NAME = "tar";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<String> extensions() {
        return List.of("tar");
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(
                Ability.WRITE,
                Ability.PARALLEL_FILL,
                Ability.SINGLE_FILE,
                Ability.VARIABLE_LENGTH,
                Ability.IN_PLACE,
                Ability.DUPLICATE_KEYS,
                Ability.KEYLESS,
                Ability.ANY_FIELDS,
                Ability.SPECIFIED);
    }

    @Override
    public boolean matches(Path path, MemorySegment head) {
        return TarWalker.matches(path, head);
    }

    @Override
    public Plan plan(Samples samples, Options options) {
        options.requireOnly(name(), settings());
        return new TarPlan(samples, TarLayout.of(renamed(samples.schema(), options)));
    }

    /** The fields renamed as asked. The members of a sample tell key, data and label by their place: these stay. */
    private static Schema renamed(Schema schema, Options options) {
        var fields = new ArrayList<Field>();
        for (Field field : schema.fields()) {
            String name = options.nameOf(field.name());
            if (!name.equals(field.name())
                    && Set.of(Field.KEY, Field.DATA, Field.LABEL).contains(field.name())) {
                throw new StokerException("format tar has no name for the field '" + field.name() + "', so it cannot be"
                        + " called '" + name + "'; leave out --name " + field.name() + "=" + name);
            }
            fields.add(new Field(name, field.type()));
        }
        return new Schema(fields, schema.classes());
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
            return comment != null
                    ? new PackedTar(file, members, comment).derive()
                    : new ForeignTar(file, members).derive();
        }
    }
}
