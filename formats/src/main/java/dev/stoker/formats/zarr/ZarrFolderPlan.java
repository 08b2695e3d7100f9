package dev.stoker.formats.zarr;

import dev.stoker.format.Options;
import dev.stoker.format.Plan;
import dev.stoker.format.PlannedFolder;
import dev.stoker.format.PlannedFolder.PlannedFile;
import dev.stoker.format.Run;
import dev.stoker.format.RunWriter;
import dev.stoker.formats.shared.array.Area;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.sample.Samples;
import java.util.ArrayList;
import java.util.List;

/** A planned folder. A run is a part of one file; offsets count over all files. */
final class ZarrFolderPlan implements Plan {
    private final List<Run> runs = new ArrayList<>();
    /** For each run what fills it. */
    private final List<Area> areaOfRun = new ArrayList<>();

    private final PlannedFolder folder;
    private final IndexLayout index;

    ZarrFolderPlan(Samples samples, Options options) {
        var contents = new ZarrContents(ZarrFormat.NAME, samples, options);
        var files = new ArrayList<PlannedFile>();
        long position = 0;
        for (ZarrContents.Content content : contents.all()) {
            Area area = content.area();
            area.place(position);
            for (Run run : area.runs()) {
                runs.add(run);
                areaOfRun.add(area);
            }
            if (content.path() != null) {
                files.add(new PlannedFile(content.path(), position, area.length()));
                position = Math.addExact(position, area.length());
            }
        }
        this.folder = new PlannedFolder(files, runs);
        List<Placement> placements = contents.placements(true);
        var meta = new IndexMeta(
                ZarrFormat.NAME, samples.schema(), samples.splits(), placements, PlannedFolder.meta(files));
        this.index = IndexLayout.sidecar(
                meta, samples.count(), IndexLayout.indexedBytes(samples, placements), folder.blocks(), 0);
    }

    @Override
    public PlannedFolder folder() {
        return folder;
    }

    @Override
    public void fill(int number, RunWriter out) {
        areaOfRun.get(number).fill(runs.get(number), out);
    }

    @Override
    public IndexLayout index() {
        return index;
    }

    @Override
    public long length() {
        return folder.length();
    }

    @Override
    public int runs() {
        return runs.size();
    }

    @Override
    public Run run(int number) {
        return runs.get(number);
    }
}
