package dev.stoker.formats.zarr.write;

import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.format.PlanOutline;
import dev.stoker.format.Run;
import dev.stoker.format.RunWriter;
import dev.stoker.formats.shared.array.Area;
import dev.stoker.formats.shared.zip.ZipRecords;
import dev.stoker.formats.zarr.ZarrZipFormat;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.Samples;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A planned zip. Runs: the contents of the members; and last, since they have the CRC-32 of these, the local headers and
 * the central directory. Every run of contents notes its CRC-32 under its own number.
 */
public final class ZarrZipPlan implements Plan {
    /** So that numbers lie where processors like them. */
    private static final int ALIGNMENT = 64;

    private final List<Member> members = new ArrayList<>();
    /** The runs of contents first. */
    private final List<Run> runs = new ArrayList<>();
    /** For each run of contents what fills it. */
    private final List<Area> areaOfRun = new ArrayList<>();

    /** Where the next member begins. */
    private long position;

    private final long directory;
    private final byte[] end;
    private final PlanOutline outline;

    /** A file of the archive; its contents are the runs {@code firstRun … endRun - 1}. */
    private record Member(byte[] name, long header, int padding, long length, int firstRun, int endRun) {}

    public ZarrZipPlan(Samples samples, FormatOptions options) {
        var contents = new ZarrContents(ZarrZipFormat.NAME, samples, options);
        contents.all().forEach(this::add);
        this.directory = position;
        this.end = planDirectory();
        var meta = new IndexMeta(ZarrZipFormat.NAME, samples.schema(), samples.splits(), contents.placements(false));
        this.outline = new PlanOutline(IndexLayout.sidecar(meta, samples), position, runs);
    }

    private void add(ZarrContents.Content content) {
        if (content.path() != null) {
            addMember(content.path(), content.area(), content.isShard() ? ALIGNMENT : 1);
        } else {
            content.area().place(position);
            addRuns(content.area());
        }
    }

    private void addMember(String path, Area content, int alignment) {
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        long header = position;
        long headerEnd = header + ZipRecords.localBytes(name.length, content.length());
        int padding = (int) (LittleEndian.align(headerEnd, alignment) - headerEnd);
        if (padding > 0 && padding < ZipRecords.LEAST_PADDING) {
            padding += alignment;
        }
        content.place(headerEnd + padding);
        int first = runs.size();
        addRuns(content);
        members.add(new Member(name, header, padding, content.length(), first, runs.size()));
        position = Math.addExact(content.offset(), content.length());
    }

    private void addRuns(Area area) {
        for (Run run : area.runs()) {
            runs.add(run);
            areaOfRun.add(area);
        }
    }

    private byte[] planDirectory() {
        for (Member member : members) {
            runs.add(Run.frame(
                    member.header, ZipRecords.localBytes(member.name.length, member.length) + member.padding));
        }
        long bytes = 0;
        for (Member member : members) {
            bytes += ZipRecords.centralBytes(member.name.length, member.length, member.header);
        }
        byte[] last = ZipRecords.end(members.size(), directory, bytes);
        runs.add(Run.frame(directory, bytes + last.length));
        position = directory + bytes + last.length;
        return last;
    }

    @Override
    public PlanOutline outline() {
        return outline;
    }

    @Override
    public void fill(int number, RunWriter out) {
        if (number < areaOfRun.size()) {
            var crc = new CRC32();
            out.digest(crc);
            areaOfRun.get(number).fill(run(number), out);
            out.digest(null);
            out.note(number, (int) crc.getValue());
            return;
        }
        int late = number - areaOfRun.size();
        if (late < members.size()) {
            Member member = members.get(late);
            out.put(ZipRecords.local(member.name, crc(member, out), member.length, member.padding));
            return;
        }
        for (Member member : members) {
            out.put(ZipRecords.central(member.name, crc(member, out), member.length, member.header, false));
        }
        out.put(end);
    }

    /** The CRC-32 of a member, from those of its runs. */
    private int crc(Member member, RunWriter out) {
        int[] noted = out.noted(member.firstRun, member.endRun - member.firstRun);
        int crc = 0;
        for (int i = 0; i < noted.length; i++) {
            crc = CombinedCrc32.join(
                    crc, noted[i], runs.get(member.firstRun + i).length());
        }
        return crc;
    }

    @Override
    public int lateRuns() {
        return members.size() + 1;
    }
}
