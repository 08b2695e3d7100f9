package dev.stoker.listing;

import dev.stoker.job.Team;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The files below a folder, in bytewise order of their paths. The key is the path relative to the folder; the label is
 * that of the {@link FolderLabels}.
 */
public final class FolderSource {
    private FolderSource() {}

    /** Lists a folder in which every file can be read. */
    public static Samples list(Path root, boolean labels, int threads) {
        return list(root, labels, threads, BadFilePolicy.refused());
    }

    /**
     * Lists a folder.
     *
     * @param labels whether samples get the label of their folder; if no file lies in a folder, none does
     * @param threads how many requests are under way at once
     */
    public static Samples list(Path root, boolean labels, int threads, BadFilePolicy bad) {
        return list(root, labels, ListingContext.alone(threads, bad));
    }

    /** Lists a folder whose files are taken as they are, all of them and arrays too: they have a key and bytes, nothing else. */
    public static Samples files(Path root, int threads) {
        var columns = new ArrayList<ListedColumn>();
        var everything =
                new ListingContext(threads, BadFilePolicy.refused(), Team.ALONE, null, SourceFilter.everything());
        try {
            ListedFiles files = ListedFiles.find(root, everything, columns);
            var fields =
                    List.of(new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes()));
            return new Listing(new Schema(fields), files.count(), columns);
        } catch (RuntimeException e) {
            columns.forEach(ListedColumn::close);
            throw e;
        }
    }

    public static Samples list(Path root, boolean labels, ListingContext context) {
        var columns = new ArrayList<ListedColumn>();
        try {
            ListedFiles files = ListedFiles.find(root, context, columns);
            ListedValues names = files.names();
            var fields = new ArrayList<Field>();
            fields.add(new Field(Field.KEY, new FieldType.Text()));
            fields.add(new Field(Field.DATA, ListedNpyFiles.find(files, context, columns)));
            List<String> classes = List.of();
            FolderLabels byFolder = labels ? FolderLabels.of(names.count(), names::get) : null;
            if (byFolder != null) {
                classes = byFolder.classes();
                fields.add(new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)));
                columns.add(byFolder.labels());
            }
            return ReadableSamples.of(new Listing(new Schema(fields, classes), names.count(), columns), files);
        } catch (RuntimeException e) {
            columns.forEach(ListedColumn::close);
            throw e;
        }
    }
}
