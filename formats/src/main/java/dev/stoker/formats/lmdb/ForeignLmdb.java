package dev.stoker.formats.lmdb;

import dev.stoker.StokerException;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import dev.stoker.text.Utf8;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Any other environment: keys and values as they are; named databases are splits. */
final class ForeignLmdb {
    private static final String MAIN = "main";
    private static final int KEY = 0;
    private static final int DATA = 1;

    private final LmdbFile file;
    private final Map<String, Database> databases = new LinkedHashMap<>();
    private long inMain;
    private boolean isText = true;

    ForeignLmdb(LmdbFile file) {
        this.file = file;
        var claims = new Claims(file);
        TreeCursor cursor = file.cursor(MAIN, file.main(), claims);
        while (cursor.next()) {
            if (cursor.flags() == Page.DATABASE) {
                databases.put(name(cursor), cursor.subDatabase());
            } else {
                inMain++;
                isText &= isText(cursor, file.main());
            }
        }
        if (inMain > 0 && databases.containsKey(MAIN)) {
            throw new StokerException(
                    file.file().path(),
                    "has " + inMain + " samples beside its named databases,"
                            + " and one of these is called 'main', as their split would be; copy it under another name");
        }
        databases.forEach((name, database) -> {
            TreeCursor named = file.cursor(name, database, claims);
            while (named.next()) {
                if (named.flags() != 0) {
                    throw file.corrupt(named.keyOffset(), "a named database should hold no other database");
                }
                isText &= isText(named, database);
            }
        });
    }

    private String name(TreeCursor cursor) {
        byte[] key = cursor.key();
        boolean utf8 = Utf8.firstMalformed(key, 0, key.length) < 0;
        String name = new String(key, utf8 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
        if (name.isEmpty() || databases.containsKey(name)) {
            throw file.corrupt(cursor.keyOffset(), "a database has no name, or that of another: '" + name + "'");
        }
        return name;
    }

    private static boolean isText(TreeCursor cursor, Database database) {
        byte[] key = cursor.key();
        return isNumber(key, database) || Utf8.firstMalformed(key, 0, key.length) < 0;
    }

    private static boolean isNumber(byte[] key, Database database) {
        return (database.flags() & Database.INTEGER_KEY) != 0 && (key.length == 4 || key.length == 8);
    }

    IndexBuilder derive() {
        FieldType keyType = isText ? new FieldType.Text() : new FieldType.Bytes();
        var schema = new Schema(List.of(new Field(Field.KEY, keyType), new Field(Field.DATA, new FieldType.Bytes())));
        return new IndexBuilder(schema, List.of(Placement.indexed(false), Placement.stored())).filledBy(builder -> {
            var splits = new ArrayList<Split>();
            var claims = new Claims(file);
            if (inMain > 0 || databases.isEmpty()) {
                add(MAIN, file.main(), claims, builder, splits::add);
            }
            databases.forEach((name, database) -> add(name, database, claims, builder, splits::add));
            if (!databases.isEmpty()) {
                builder.splits(splits);
            }
        });
    }

    private void add(String name, Database database, Claims claims, IndexBuilder builder, Consumer<Split> splits) {
        long first = builder.count();
        TreeCursor cursor = file.cursor(name, database, claims);
        while (cursor.next()) {
            if (cursor.flags() == 0) {
                builder.value(KEY, MemorySegment.ofArray(key(cursor.key(), database)));
                builder.stored(DATA, cursor.valueOffset(), cursor.valueBytes());
            }
        }
        splits.accept(new Split(name, first, builder.count() - first));
    }

    /** Numbers as people write them, if other keys are text too. */
    private byte[] key(byte[] key, Database database) {
        if (!isText || !isNumber(key, database)) {
            return key;
        }
        MemorySegment bytes = MemorySegment.ofArray(key);
        String number = key.length == 4
                ? Integer.toUnsignedString(bytes.get(LittleEndian.U32, 0))
                : Long.toUnsignedString(bytes.get(LittleEndian.U64, 0));
        return number.getBytes(StandardCharsets.US_ASCII);
    }
}
