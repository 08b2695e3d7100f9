package dev.stoker.formats.lmdb;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.format.PlanOutline;
import dev.stoker.format.Run;
import dev.stoker.format.RunWriter;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.io.Checksum;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/** An LMDB file before its first byte is written: one tree for each database, one behind the other. */
final class LmdbPlan implements Plan {
    private final int pageBytes;
    private final PlanOutline outline;
    private final List<Tree.Piece> pieces = new ArrayList<>();
    private final List<MainEntries.Extra> extras = new ArrayList<>();

    LmdbPlan(Samples samples, FormatOptions options, boolean bySample, int pageBytes) {
        this.pageBytes = pageBytes;
        // The database of the data has no name of its own.
        Schema schema = options.renamed(samples.schema(), LmdbFormat.NAME, Set.of(Field.KEY, Field.DATA));
        int key = bySample ? requireKey(schema) : -1;
        int data = schema.find(Field.DATA);
        var meta = new IndexMeta(LmdbFormat.NAME, schema, samples.splits(), Values.placements(schema));
        extras.add(new MainEntries.Extra(bytes(LmdbFormat.SCHEMA_KEY), 0, schemaValue(meta)));
        long page = Page.META_PAGES;
        boolean hasSplits = !samples.splits().isEmpty();
        List<Split> splits = hasSplits ? samples.splits() : List.of(new Split("main", 0, samples.count()));
        Entries main = new FieldEntries(samples, new Keys.Numbers(0, 0), FieldEntries.NO_FIELD);
        for (Split split : splits) {
            Keys keys = key < 0 ? new Keys.Numbers(split.first(), split.count()) : SampleKeys.of(samples, key, split);
            String prefix = hasSplits ? split.name() + "/" : "";
            var values = new FieldEntries(samples, keys, data);
            if (hasSplits) {
                page = add(split.name(), values, page, split.first());
            } else {
                main = values;
            }
            for (int f = 0; f < schema.size(); f++) {
                if (f != data && f != key) {
                    String name = prefix + schema.fields().get(f).name();
                    page = add(name, new FieldEntries(samples, keys, f), page, -1);
                }
            }
        }
        var tree = new Tree(new MainEntries(main, extras), pageBytes, page);
        pieces.addAll(tree.pieces(hasSplits ? -1 : 0));
        byte[] metaPages = Meta.pages(pageBytes, tree.database(), tree.endPage());
        pieces.add(new Tree.Piece(Run.frame(0, metaPages.length), out -> out.put(metaPages)));
        List<Run> runs = pieces.stream().map(Tree.Piece::run).toList();
        this.outline = new PlanOutline(IndexLayout.sidecar(meta, samples), tree.endPage() * pageBytes, runs);
    }

    /** Places a named database; returns the page behind it. */
    private long add(String name, Entries entries, long page, long firstSample) {
        byte[] key = bytes(name);
        if (key.length > Page.MAX_KEY_BYTES || name.indexOf(0) >= 0) {
            throw new StokerException(
                    "format lmdb cannot name a database '" + SampleKeys.shown(key) + "': a name has at" + " most "
                            + Page.MAX_KEY_BYTES + " bytes, and no NUL; rename the split, or the field with --name");
        }
        var tree = new Tree(entries, pageBytes, page);
        pieces.addAll(tree.pieces(firstSample));
        extras.add(new MainEntries.Extra(key, Page.DATABASE, tree.database().toBytes()));
        return tree.endPage();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String checksum(byte[] json) {
        return HexFormat.of().toHexDigits(Checksum.of(MemorySegment.ofArray(json)));
    }

    private static byte[] schemaValue(IndexMeta meta) {
        String json = meta.toJson();
        return bytes(checksum(bytes(json)) + " " + json);
    }

    private static int requireKey(Schema schema) {
        int key = schema.find(Field.KEY);
        if (key < 0 || !(schema.type(key) instanceof FieldType.Text)) {
            throw new UsageException("--keys sample needs samples with a field 'key' of text; use --keys number");
        }
        return key;
    }

    @Override
    public PlanOutline outline() {
        return outline;
    }

    @Override
    public void fill(int run, RunWriter out) {
        pieces.get(run).fill().accept(out);
    }
}
