package dev.stoker.formats.tar;

import dev.stoker.StokerException;
import dev.stoker.io.GrowingBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The members of an archive of unknown origin as samples, as the WebDataset library has it: members that follow each other
 * and have one key, which is the path up to the first dot of the name, are one sample; a key that comes again later is
 * another sample, and two members of one key and one extension are an error. Only where no two members make a sample, or
 * there are more than {@value #MAX_EXTENSIONS} extensions, the archive is just files, and each is a sample.
 */
final class MemberGroups implements AutoCloseable {
    static final int MAX_EXTENSIONS = 64;

    /** The first member of each group, and the number of all members behind the last. */
    private final GrowingBuffer starts = new GrowingBuffer();

    private final GrowingBuffer extensionOfMember = new GrowingBuffer();
    private final Map<String, Integer> extensions = new HashMap<>();
    private final List<String> extensionNames = new ArrayList<>();

    private MemberGroups() {}

    static MemberGroups of(String file, TarMembers members) {
        var groups = new MemberGroups();
        try {
            return groups.groupByKey(file, members) ? groups : groups.singles(members.count());
        } catch (RuntimeException e) {
            groups.close();
            throw e;
        }
    }

    /** False if no sample has several members, or there are too many extensions. */
    private boolean groupByKey(String file, TarMembers members) {
        boolean hasSeveral = false;
        long repeated = -1;
        var inGroup = new BitSet();
        byte[] previous = null;
        for (long i = 0; i < members.count(); i++) {
            byte[] name = members.name(i);
            if (previous == null || !TarNames.sameStem(previous, name)) {
                starts.addLong(i);
                inGroup.clear();
            }
            int extension = extensions.computeIfAbsent(TarNames.extension(name), found -> {
                extensionNames.add(found);
                return extensions.size();
            });
            if (extensions.size() > MAX_EXTENSIONS) {
                return false;
            }
            repeated = inGroup.get(extension) && repeated < 0 ? i : repeated;
            inGroup.set(extension);
            hasSeveral |= inGroup.cardinality() > 1;
            extensionOfMember.addLong(extension);
            previous = name;
        }
        starts.addLong(members.count());
        if (hasSeveral && repeated >= 0) {
            String name = TarNames.text(members.name(repeated));
            throw new StokerException(
                    file,
                    "'" + name
                            + "' follows another member of the same key and extension, so the two cannot be one sample"
                            + " (WebDataset refuses that, too); extract the archive and pack the folder, where each file is"
                            + " a sample");
        }
        return hasSeveral;
    }

    private MemberGroups singles(long count) {
        starts.clear();
        extensionOfMember.clear();
        extensionNames.clear();
        extensionNames.add("");
        for (long i = 0; i < count; i++) {
            starts.addLong(i);
            extensionOfMember.addLong(0);
        }
        starts.addLong(count);
        return this;
    }

    long count() {
        return starts.size() / 8 - 1;
    }

    long first(long group) {
        return starts.getLong(group);
    }

    private long end(long group) {
        return starts.getLong(group + 1);
    }

    /** In the order in which they first appear. */
    List<String> extensions() {
        return extensionNames;
    }

    /** The group's first member with one of these extensions, or -1. */
    long find(long group, BitSet wanted) {
        for (long i = first(group); i < end(group); i++) {
            if (wanted.get((int) extensionOfMember.getLong(i))) {
                return i;
            }
        }
        return -1;
    }

    /**
     * The extensions of main files. Several, if a sample has either one or the other (jpg here, png there); those that
     * stand beside another main file are further fields.
     */
    BitSet mains() {
        int best = extensionNames.stream().mapToInt(MemberGroups::rank).min().orElse(0);
        var candidates = new BitSet();
        for (int e = 0; e < extensionNames.size(); e++) {
            candidates.set(e, rank(extensionNames.get(e)) == best);
        }
        var mains = (BitSet) candidates.clone();
        for (long g = 0; g < count(); g++) {
            int main = -1;
            for (long i = first(g); i < end(g); i++) {
                int extension = (int) extensionOfMember.getLong(i);
                if (candidates.get(extension) && main < 0) {
                    main = extension;
                } else if (candidates.get(extension)) {
                    mains.clear(Math.max(main, extension));
                    main = Math.min(main, extension);
                }
            }
        }
        return mains;
    }

    /** How little an extension looks like that of a main file. */
    private static int rank(String extension) {
        return switch (extension) {
            case TarLayout.CLASS_SUFFIX -> 4;
            case TarLayout.JSON_SUFFIX -> 3;
            case "txt" -> 2;
            default -> NpyMember.isName(extension) ? 1 : 0;
        };
    }

    @Override
    public void close() {
        starts.close();
        extensionOfMember.close();
    }
}
