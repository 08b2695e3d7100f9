package dev.stoker.formats.tar;

import dev.stoker.io.GrowingBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The members of an archive of unknown origin as samples: members next to each other that have one stem are one sample,
 * as WebDataset has it. That is so if at least half of the samples have several members, none has two of one extension,
 * and there are at most {@value #MAX_EXTENSIONS} extensions. Otherwise the archive is a heap of files, and each is a
 * sample.
 */
final class MemberGroups implements AutoCloseable {
    static final int MAX_EXTENSIONS = 64;

    /** The first member of each group, and the number of all members behind the last. */
    private final GrowingBuffer starts = new GrowingBuffer();

    private final GrowingBuffer extensionOfMember = new GrowingBuffer();
    private final Map<String, Integer> extensions = new HashMap<>();
    private final List<String> extensionNames = new ArrayList<>();

    private MemberGroups() {}

    static MemberGroups of(TarMembers members) {
        var groups = new MemberGroups();
        try {
            return groups.groupByStem(members) ? groups : groups.singles(members.count());
        } catch (RuntimeException e) {
            groups.close();
            throw e;
        }
    }

    /** False if this is not what WebDataset would read as samples of several members. */
    private boolean groupByStem(TarMembers members) {
        long several = 0;
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
            if (inGroup.get(extension) || extensions.size() > MAX_EXTENSIONS) {
                return false;
            }
            inGroup.set(extension);
            several += inGroup.cardinality() == 2 ? 1 : 0;
            extensionOfMember.addLong(extension);
            previous = name;
        }
        long groups = starts.size() / 8;
        starts.addLong(members.count());
        return groups > 0 && 2 * several >= groups;
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
