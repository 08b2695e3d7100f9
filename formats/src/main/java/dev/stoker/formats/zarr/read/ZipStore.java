package dev.stoker.formats.zarr.read;

import dev.stoker.formats.shared.zip.ZipArchive;
import dev.stoker.formats.zarr.layout.ZarrJson;
import dev.stoker.io.Checksum;
import dev.stoker.io.MappedFile;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** The members of a zip; of several that have the same name the last one counts, as when zarr-python changes one. */
public final class ZipStore extends ZarrStore {
    private final MappedFile file;
    private final Map<String, Member> members = new HashMap<>();
    private final Map<String, SortedSet<String>> children = new TreeMap<>();

    private record Member(long offset, long length, int crc) {}

    public ZipStore(MappedFile file) {
        super(file.name());
        this.file = file;
        var archive = new ZipArchive(file);
        archive.read((member, data) -> {
            if (member.isDeflated()) {
                throw archive.refused(
                        member,
                        "is deflated; the members of a Zarr store are compressed by Zarr, or not at all: zip it with -0");
            }
            String key = new String(archive.name(member), StandardCharsets.UTF_8);
            members.put(key, new Member(data, member.length(), member.crc()));
            addToFolders(key);
        });
    }

    /** Only folders of groups and arrays are ever looked for, and these have metadata. */
    private void addToFolders(String key) {
        if (!ZarrJson.isMetadata(key.substring(key.lastIndexOf('/') + 1))) {
            return;
        }
        int folderEnd = -1;
        for (int level = 0; level < Hierarchy.MAX_DEPTH + 2; level++) {
            String folder = key.substring(0, Math.max(0, folderEnd));
            int end = key.indexOf('/', folderEnd + 1);
            if (end < 0) {
                return;
            }
            children.computeIfAbsent(folder, ignored -> new TreeSet<>()).add(key.substring(folderEnd + 1, end));
            folderEnd = end;
        }
    }

    @Override
    @Nullable
    Blob find(String key) {
        Member member = members.get(key);
        return member == null ? null : new Blob(bytes(member), "", member.offset);
    }

    private MemorySegment bytes(Member member) {
        return file.bytes().asSlice(member.offset, member.length);
    }

    @Override
    @Nullable
    MemorySegment metadata(String key) {
        Member member = members.get(key);
        if (member == null) {
            return null;
        }
        MemorySegment bytes = bytes(member);
        DecodedLimit.requireDocument(this, key, member.length);
        var crc = new CRC32();
        Checksum.update(crc, bytes);
        if ((int) crc.getValue() != member.crc) {
            throw corrupt(member.offset, "the CRC-32 of '" + key + "' does not fit; the file is damaged");
        }
        return bytes;
    }

    @Override
    SortedSet<String> children(String folder) {
        return children.getOrDefault(folder, new TreeSet<>());
    }

    @Override
    public long storedBytes() {
        return file.size();
    }
}
