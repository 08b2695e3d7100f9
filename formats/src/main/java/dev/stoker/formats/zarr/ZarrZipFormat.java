package dev.stoker.formats.zarr;

import dev.stoker.format.AbstractFormat;
import dev.stoker.format.Capability;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.formats.shared.zip.ZipRecords;
import dev.stoker.formats.zarr.layout.Shard;
import dev.stoker.formats.zarr.layout.ZarrJson;
import dev.stoker.formats.zarr.read.ZarrReader;
import dev.stoker.formats.zarr.read.ZipStore;
import dev.stoker.formats.zarr.write.ZarrZipPlan;
import dev.stoker.index.IndexBuilder;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;

/**
 * Zarr 3 in one zip, without compression; zarr-python opens it with {@code zarr.open(zarr.storage.ZipStore(PATH,
 * mode="r"))}.
 *
 * <p><b>Writing.</b> Everything follows from the samples' sizes, so that many writers fill one file:
 *
 * <pre>
 *   zarr.json                       the root group: attribute stoker, and the metadata of all below (consolidated)
 *   train/zarr.json                 for each split a group, in it its arrays
 *   train/images/zarr.json          for each array its metadata
 *   train/images/c/0                for each array with elements its one shard: inner chunks and their index
 *   central directory and end       of the zip
 * </pre>
 *
 * A group is a split; samples that are in none are the group {@code train}. The field {@code data} is the array
 * {@code images} and {@code label} is {@code targets}, if {@code --name} does not say otherwise.
 *
 * <pre>
 *   int64, float32[3,224,224]   N x shape
 *   bytes                       uint8 (all values one after another) and NAME_offsets, int64 [N + 1]
 *   float32[*,*]                float32 and NAME_offsets (in elements); if it has more than one dimension also
 *                               NAME_shape, int64 [N, dimensions]
 *   text                        string (codec vlen-utf8)
 *   text[]                      string (all texts) and NAME_offsets, int64 [N + 1]
 * </pre>
 *
 * An array is one shard: inner chunks without gaps, so that a value lies in one piece, then the index with its CRC32C
 * (see {@link Shard}, {@code TextArea}). Members are stored; shards begin at multiples of 64 bytes. The CRC-32 of a
 * member is put together from those of its runs, so local headers and the central directory are filled last. The root's
 * attribute {@code stoker} keeps names, types, classes and splits (see {@link
 * dev.stoker.formats.shared.array.StokerAttribute}).
 *
 * <p><b>Reading.</b> Containers by any writer, Zarr 2 and 3, in a zip whose members are stored or in a folder ({@link
 * ZarrFormat}); metadata consolidated or not; chunks of any shape, in shards or not, missing ones too; either order of
 * bytes and of dimensions; codecs bytes, transpose, sharding_indexed, crc32c, gzip, zlib, zstd, lz4, blosc (with lz4,
 * zlib, zstd), vlen-utf8 and vlen-bytes. Without our attribute, arrays are the fields: those of the group with the most
 * bytes, as {@link dev.stoker.formats.shared.array.ArrayChoice} says. {@code images}
 * and {@code targets} are called {@code data} and {@code label}; a container that is one array has the field
 * {@code data}. A table of N x K strings is a field of {@code text[]}. <em>Arrays of other types (complex, times,
 * structures, ...) and single values are left out.</em> Other codecs and filters are refused by name.
 *
 * <p>Rows that lie in a zip as they are, are read where they lie; others are decoded as blocks. Numbers and tensors of at
 * most 16 bytes, bools, keys, lists of text, and text that is compressed or in a folder are kept in the Index, up to
 * 256 MiB of an array.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html">the specification of Zarr 3</a>
 */
public final class ZarrZipFormat extends AbstractFormat {
    public static final String NAME = "zarr-zip";
    private static final String EXTENSION = "zarr.zip";

    public ZarrZipFormat() {
        super(NAME, List.of(EXTENSION), EnumSet.allOf(Capability.class));
    }

    /** A zip that is called so, or whose first member is metadata of Zarr. */
    @Override
    public boolean matches(Path path, MemorySegment head) {
        if (head.byteSize() < ZipRecords.LOCAL_BYTES || head.get(LittleEndian.U32, 0) != ZipRecords.LOCAL) {
            return false;
        }
        String fileName = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
        int nameBytes = Short.toUnsignedInt(head.get(LittleEndian.U16, 26));
        if (fileName.endsWith("." + EXTENSION) || nameBytes > head.byteSize() - ZipRecords.LOCAL_BYTES) {
            return fileName.endsWith("." + EXTENSION);
        }
        byte[] raw = head.asSlice(ZipRecords.LOCAL_BYTES, nameBytes).toArray(ValueLayout.JAVA_BYTE);
        String name = new String(raw, StandardCharsets.UTF_8);
        return ZarrJson.isMetadata(name.substring(name.lastIndexOf('/') + 1));
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options) {
        return new ZarrZipPlan(samples, options);
    }

    @Override
    public IndexBuilder derive(MappedFile file) {
        return new ZarrReader(new ZipStore(file)).derive();
    }
}
