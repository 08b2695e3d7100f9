package dev.stoker.formats.zarr.write;

import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.format.PlanOutline;
import dev.stoker.format.PlannedFolder;
import dev.stoker.format.PlannedFolder.PlannedFile;
import dev.stoker.format.Run;
import dev.stoker.format.RunWriter;
import dev.stoker.formats.shared.array.Area;
import dev.stoker.formats.zarr.ZarrFormat;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.sample.Samples;
import java.util.ArrayList;
import java.util.List;

/** A planned folder. A run is a part of one file; offsets count over all files. */
public final class ZarrFolderPlan implements Plan {
    /** For each run what fills it. */
    private final List<Area> areaOfRun = new ArrayList<>();

    private final PlannedFolder folder;
    private final PlanOutline outline;

    public ZarrFolderPlan(Samples samples, FormatOptions options) {
        var contents = new ZarrContents(ZarrFormat.NAME, samples, options);
        var runs = new ArrayList<Run>();
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
        IndexLayout index = IndexLayout.sidecar(
                meta, samples.count(), IndexLayout.indexedBytes(samples, placements), folder.blocks(), 0);
        this.outline = new PlanOutline(index, folder.length(), runs);
    }

    @Override
    public PlanOutline outline() {
        return outline;
    }

    @Override
    public PlannedFolder folder() {
        return folder;
    }

    @Override
    public void fill(int number, RunWriter out) {
        areaOfRun.get(number).fill(run(number), out);
    }
}
