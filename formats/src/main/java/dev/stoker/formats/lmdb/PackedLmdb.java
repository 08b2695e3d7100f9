package dev.stoker.formats.lmdb;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.json.Json;
import dev.stoker.sample.Field;
import dev.stoker.sample.Split;
import dev.stoker.text.Utf8;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes an environment of Stoker's apart: every key must be the one that is expected. */
final class PackedLmdb {
    private static final int CHECKSUM_DIGITS = 8;

    private final LmdbFile file;
    /** The named databases that were not read yet. */
    private final Map<String, Database> databases;

    private final IndexMeta meta;
    private final List<Placement> placements;
    private final IndexBuilder builder;
    private final int key;
    private final int data;
    private final Claims claims;

    PackedLmdb(LmdbFile file, byte[] schema) {
        this.file = file;
        this.databases = new LinkedHashMap<>();
        long samples = 0;
        TreeCursor cursor = file.cursor("main", file.main(), new Claims(file));
        while (cursor.next()) {
            if (cursor.flags() == Page.DATABASE) {
                databases.put(new String(cursor.key(), StandardCharsets.UTF_8), cursor.subDatabase());
            } else if (!isSchema(cursor)) {
                samples++;
            }
        }
        this.meta = meta(schema, samples);
        this.key = meta.schema().find(Field.KEY);
        this.data = meta.schema().find(Field.DATA);
        this.placements = Values.placements(meta.schema());
        this.builder = new IndexBuilder(meta.schema(), placements);
        this.claims = new Claims(file);
    }

    private static boolean isSchema(TreeCursor cursor) {
        return cursor.hasKey(LmdbFormat.SCHEMA_KEY.getBytes(StandardCharsets.UTF_8));
    }

    private IndexMeta meta(byte[] value, long unsplit) {
        int start = Math.min(value.length, CHECKSUM_DIGITS + 1);
        byte[] json = Arrays.copyOfRange(value, start, value.length);
        String head = new String(value, 0, start, StandardCharsets.US_ASCII);
        try {
            if (!head.equals(LmdbPlan.checksum(json) + " ")) {
                throw new StokerException("its checksum does not match");
            }
            return IndexMeta.ofJson(LmdbFormat.SCHEMA_KEY, json, unsplit + samplesInSplits(json));
        } catch (StokerException e) {
            throw new CorruptContainerException(
                    file.file().name(),
                    CorruptContainerException.NOWHERE,
                    "the entry '" + LmdbFormat.SCHEMA_KEY + "' cannot be used: " + e.getMessage());
        }
    }

    /** Splits have databases of their own, so the main one says nothing of their number. */
    private static long samplesInSplits(byte[] json) {
        long samples = 0;
        if (Json.parse(json, LmdbFormat.SCHEMA_KEY) instanceof Map<?, ?> map
                && map.get("splits") instanceof List<?> splits) {
            for (Object split : splits) {
                if (split instanceof Map<?, ?> entry && entry.get("count") instanceof Long count) {
                    samples += count;
                }
            }
        }
        return samples;
    }

    IndexBuilder derive() {
        try {
            if (meta.splits().isEmpty()) {
                TreeCursor main = file.cursor("main", file.main(), claims);
                addSplit("", file.main(), main, null);
            }
            for (Split split : meta.splits()) {
                Database database = require(split.name());
                addSplit(split.name() + "/", database, file.cursor(split.name(), database, claims), split);
            }
            if (!databases.isEmpty()) {
                throw new StokerException(
                        file.file().path(),
                        "the database '"
                                + databases.keySet().iterator().next()
                                + "' is none that Stoker wrote there; delete it, or the entry '" + LmdbFormat.SCHEMA_KEY
                                + "'");
            }
            builder.splits(meta.splits());
            return builder;
        } catch (RuntimeException e) {
            builder.close();
            throw e;
        }
    }

    private Database require(String name) {
        Database database = databases.remove(name);
        if (database == null) {
            throw new CorruptContainerException(
                    file.file().name(), CorruptContainerException.NOWHERE, "there should be a database '" + name + "'");
        }
        return database;
    }

    /** Adds the samples of a split, or of the whole container if it has none. */
    private void addSplit(String prefix, Database database, TreeCursor cursor, @Nullable Split split) {
        boolean isMain = split == null;
        boolean bySample = key >= 0 && !databases.containsKey(prefix + Field.KEY);
        long count = split != null ? split.count() : samplesInMain();
        var numbers = bySample ? null : new Keys.Numbers(0, count);
        long rank = 0;
        while (nextSample(cursor, isMain)) {
            if (numbers != null) {
                requireKey(cursor, rank < count ? numbers.key(rank) : new byte[0]);
            } else {
                addKey(cursor);
            }
            if (data >= 0) {
                addValue(data, cursor);
            }
            rank++;
        }
        requireCount(prefix, rank, count);
        for (int f = 0; f < meta.schema().size(); f++) {
            if (f != data && !(bySample && f == key)) {
                TreeCursor keys = bySample ? file.cursor("main", database, new Claims(file)) : null;
                addField(f, prefix + meta.schema().fields().get(f).name(), count, keys, isMain);
            }
        }
    }

    /** Without splits, the samples are what the main database holds beside the schema and the records. */
    private long samplesInMain() {
        return file.main().entries() - databases.size() - 1;
    }

    private boolean nextSample(TreeCursor cursor, boolean isMain) {
        while (cursor.next()) {
            if (!isMain && cursor.flags() != 0) {
                throw file.corrupt(cursor.keyOffset(), "a named database should hold no other database");
            }
            if (cursor.flags() == 0 && !(isMain && isSchema(cursor))) {
                return true;
            }
        }
        return false;
    }

    private void addField(int field, String name, long count, @Nullable TreeCursor keys, boolean isMain) {
        Database database = require(name);
        TreeCursor cursor = file.cursor(name, database, claims);
        var numbers = new Keys.Numbers(0, count);
        long rank = 0;
        while (nextSample(cursor, false)) {
            if (keys != null) {
                requireKey(cursor, nextSample(keys, isMain) ? keys.key() : new byte[0]);
            } else {
                requireKey(cursor, rank < count ? numbers.key(rank) : new byte[0]);
            }
            addValue(field, cursor);
            rank++;
        }
        requireCount(name, rank, count);
    }

    private void requireKey(TreeCursor cursor, byte[] expected) {
        if (!cursor.hasKey(expected)) {
            throw file.corrupt(
                    cursor.keyOffset(),
                    "expected the key '" + SampleKeys.shown(expected) + "' here but found '"
                            + SampleKeys.shown(cursor.key()) + "'");
        }
    }

    private void requireCount(String name, long found, long expected) {
        if (found != expected) {
            throw new CorruptContainerException(
                    file.file().name(),
                    CorruptContainerException.NOWHERE,
                    "the database '" + name + "' should have " + expected + " samples but has " + found);
        }
    }

    private void addKey(TreeCursor cursor) {
        byte[] value = cursor.key();
        if (Utf8.firstMalformed(value, 0, value.length) >= 0) {
            throw file.corrupt(cursor.keyOffset(), "the key should be UTF-8 but is not");
        }
        builder.value(key, MemorySegment.ofArray(value));
    }

    private void addValue(int field, TreeCursor cursor) {
        boolean isIndexed = placements.get(field).place() == Placement.Place.INDEX;
        try {
            Values.add(builder, field, isIndexed, file.bytes(), cursor.valueOffset(), cursor.valueBytes());
        } catch (StokerException e) {
            throw file.corrupt(cursor.valueOffset(), String.valueOf(e.getMessage()));
        }
    }
}
