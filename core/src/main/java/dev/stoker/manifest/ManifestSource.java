package dev.stoker.manifest;

import dev.stoker.listing.BadFilePolicy;
import dev.stoker.listing.ListedColumn;
import dev.stoker.listing.ListedFiles;
import dev.stoker.listing.ListedNpyFiles;
import dev.stoker.listing.ListedValues;
import dev.stoker.listing.Listing;
import dev.stoker.listing.ListingContext;
import dev.stoker.listing.ReadableSamples;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.nio.file.Path;
import java.util.ArrayList;

/**
 * The files below a folder that a manifest names, in its order, with the labels and further fields that it gives them.
 *
 * <p>A manifest is a JSON object path -> label or path -> captions, JSON Lines, or a table with or without a header line; what
 * paths are relative to, {@link ManifestBase} finds out. What a field is made from, {@link ManifestFields} says.
 */
public final class ManifestSource {
    private ManifestSource() {}

    /**
     * Lists the files that a manifest names.
     *
     * @param threads how many requests are under way at once
     */
    public static Samples list(Path root, Path manifest, int threads, BadFilePolicy bad) {
        return list(root, manifest, ListingContext.alone(threads, bad));
    }

    public static Samples list(Path root, Path manifest, ListingContext context) {
        var columns = new ArrayList<ListedColumn>();
        var base = new ManifestBase(root, manifest, context.filter());
        try (var rows = new ManifestRows(manifest, base)) {
            ListedValues paths = rows.paths();
            columns.add(paths);
            ManifestReader.read(manifest, rows, context);
            try (ManifestGroups groups = rows.finish()) {
                var files = ListedFiles.of(root, paths);
                columns.add(files);
                files.listAll(context, sample -> rows.place(groups, sample, 0));
                var fields = new ArrayList<Field>();
                fields.add(new Field(Field.KEY, new FieldType.Text()));
                fields.add(new Field(Field.DATA, ListedNpyFiles.find(files, context, columns)));
                var further = new ManifestFields(rows, groups, fields, columns);
                further.addAll();
                return ReadableSamples.of(
                        new Listing(new Schema(fields, further.classes()), paths.count(), columns), files);
            }
        } catch (RuntimeException e) {
            columns.forEach(ListedColumn::close);
            throw e;
        }
    }
}
