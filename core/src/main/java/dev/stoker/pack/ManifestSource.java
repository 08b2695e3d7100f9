package dev.stoker.pack;

import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.nio.file.Path;
import java.util.ArrayList;

/**
 * The files below a folder that a manifest names, in its order, with the labels and further fields that it gives them.
 *
 * <p>A manifest is a JSON object path -> label or path -> captions, JSON Lines, or a table with a header line; paths
 * are relative to the folder. What a field is made from, {@link ManifestFields} says.
 */
public final class ManifestSource {
    private ManifestSource() {}

    /**
     * Lists the files that a manifest names.
     *
     * @param threads how many requests are under way at once
     */
    public static Samples list(Path root, Path manifest, int threads, BadFiles bad) {
        return list(root, manifest, Survey.alone(threads, bad));
    }

    static Samples list(Path root, Path manifest, Survey survey) {
        var columns = new ArrayList<Listed>();
        try (var rows = new ManifestRows(manifest)) {
            ListedValues paths = rows.paths();
            columns.add(paths);
            ManifestReader.read(manifest, rows);
            try (RowGroups groups = rows.finish()) {
                var files = ListedFiles.of(root, paths);
                columns.add(files);
                files.listAll(survey, sample -> rows.place(groups, sample, 0));
                var fields = new ArrayList<Field>();
                fields.add(new Field(Field.KEY, new FieldType.Text()));
                fields.add(new Field(Field.DATA, NpyFiles.find(files, survey, columns)));
                var further = new ManifestFields(rows, groups, fields, columns);
                further.addAll();
                return Kept.of(new Listing(new Schema(fields, further.classes()), paths.count(), columns), files);
            }
        } catch (RuntimeException e) {
            columns.forEach(Listed::close);
            throw e;
        }
    }
}
