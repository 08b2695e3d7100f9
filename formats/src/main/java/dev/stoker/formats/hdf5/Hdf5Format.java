package dev.stoker.formats.hdf5;

import dev.stoker.format.AbstractFormat;
import dev.stoker.format.Capability;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.formats.hdf5.read.Hdf5Reader;
import dev.stoker.formats.hdf5.structure.Superblock;
import dev.stoker.formats.hdf5.write.Hdf5Plan;
import dev.stoker.formats.shared.array.StokerAttribute;
import dev.stoker.index.IndexBuilder;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * HDF5: written without compression, read with and without.
 *
 * <p><b>Writing.</b> Everything follows from the samples' sizes, so that many writers fill one file:
 *
 * <pre>
 *   superblock (version 2)                 points at the root group
 *   object headers (version 2)             for each split a group, in it its datasets; all of them contiguous
 *   raw data of the datasets               numbers, references, offsets and shapes; each dataset in one piece
 *   global heap collections                the values of any length: "GCOL", and objects with a number and a length
 * </pre>
 *
 * A group is a split; samples that are in none are the group {@code train}. The field {@code data} is the dataset
 * {@code images} and {@code label} is {@code targets}, if {@code --name} does not say otherwise. The setting
 * {@code layout} says how values of any length lie:
 *
 * <pre>
 *                 vlen (default)            csr                                       fixed
 *   bytes         sequence of uint8         uint8 (all values one after another)      uint8 [N, length]
 *                                           and NAME_offsets, int64 [N + 1]
 *   float32[*,*]  sequence of float32       float32 and NAME_offsets (in elements)    float32 [N, shape]
 *                 and, if it has more than one dimension, NAME_shape, int64 [N, dimensions]
 * </pre>
 *
 * The others are laid out alike in all three: text as variable-length UTF-8 strings, {@code text[]} as sequences of
 * such, numbers as datasets of N (bool as h5py's enumeration), tensors as N x shape. Layout fixed refuses values of
 * different lengths; vlen refuses those of 2^32 elements and more. A text with a NUL in it is kept whole, but the HDF5
 * library shows it up to there.
 *
 * <p>A reference is {@code u32} elements, {@code u64} address of a collection, {@code u32} number of the object in it;
 * all zeros for an empty value. Collections have at least 4096 bytes, at most 65,535 objects, and 64 KiB unless one value
 * is longer: the library reads them whole. All datasets of a fixed-length field follow each other, so that it is dense
 * over all splits. The root's attribute {@code stoker}, or a dataset of that name where it outgrows an attribute, keeps
 * names, types, classes and splits as JSON (see {@link StokerAttribute}).
 *
 * <p><b>Reading.</b> Files by any writer: superblocks 0 to 3, groups of both kinds, contiguous, compact and chunked
 * datasets with every index of chunks, chunks that went through gzip, lzf, zstd, shuffle and fletcher32 in any order, integers,
 * floats, h5py's bool, fixed and variable-length strings, sequences, arrays, opaque bytes. Without our attribute, datasets are the fields: those of the group with the most
 * bytes, as {@link dev.stoker.formats.shared.array.ArrayChoice} says. {@code images} and
 * {@code targets} are called {@code data} and {@code label}. An N x K dataset of variable-length strings is a field of
 * {@code text[]}. <em>Datasets of other types (compound, reference, ...), single values, soft and external links are
 * left out.</em> External and virtual datasets, and other filters, are refused by
 * name.
 *
 * <p>Numbers and tensors of at most 16 bytes, keys, and lists of text are kept in the Index; so are texts of one length
 * that do not lie in the file as they are, up to 256 MiB. Numbers and tensors that do not (filtered, big-endian, in pieces
 * over several chunks, never written) are decoded in blocks: a chunk, where it holds whole samples, or all chunks beside
 * each other that make whole samples ({@link dev.stoker.block.TileLayout}). Everything else is read where it lies.
 *
 * @see <a href="https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t4.html">the specification of HDF5</a>
 */
public final class Hdf5Format extends AbstractFormat {
    public static final String NAME = "hdf5";
    public static final String LAYOUT = "layout";

    public Hdf5Format() {
        super(NAME, List.of("h5", "hdf5"), EnumSet.allOf(Capability.class));
    }

    @Override
    public Set<String> settings() {
        return Set.of(LAYOUT);
    }

    /** The signature stands at byte 0, 512, 1024, 2048 and so on: what is before it is the user's own. */
    @Override
    public boolean matches(Path path, MemorySegment head) {
        return Superblock.find(head) >= 0;
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options) {
        return new Hdf5Plan(samples, options);
    }

    @Override
    public IndexBuilder derive(MappedFile file) {
        return new Hdf5Reader(file).derive();
    }
}
