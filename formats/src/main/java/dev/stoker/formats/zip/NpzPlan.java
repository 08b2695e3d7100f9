package dev.stoker.formats.zip;

import dev.stoker.StokerException;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.NpyArray;
import dev.stoker.format.Plan;
import dev.stoker.format.PlanOutline;
import dev.stoker.format.Run;
import dev.stoker.format.RunWriter;
import dev.stoker.formats.shared.zip.ZipRecords;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/** An {@code .npz} before its first byte is written: one run. */
final class NpzPlan implements Plan {
    private final Samples samples;
    private final List<Member> members = new ArrayList<>();
    private final byte[] end;
    private final PlanOutline outline;

    /**
     * A field that is an array.
     *
     * @param offset where its local header begins
     * @param length of the .npy file
     */
    private record Member(int field, byte[] name, byte[] header, long offset, long length) {
        long data() {
            return offset + ZipRecords.localBytes(name.length, length) + header.length;
        }

        long endOffset() {
            return offset + ZipRecords.localBytes(name.length, length) + length + ZipRecords.descriptorBytes(length);
        }
    }

    NpzPlan(Samples samples, FormatOptions options) {
        this.samples = samples;
        Schema schema = options.renamed(samples.schema());
        var placements = new ArrayList<Placement>();
        long position = 0;
        long directoryBytes = 0;
        for (int f = 0; f < schema.size(); f++) {
            if (NpyArray.isText(schema.type(f))) {
                placements.add(Placement.indexed(false));
                continue;
            }
            NpyArray.requireFixed(NpzFormat.NAME, schema, f);
            Member member = member(schema, f, position);
            members.add(member);
            placements.add(Placement.storedFrom(member.data()));
            position = member.endOffset();
            directoryBytes += ZipRecords.centralBytes(member.name.length, member.length, member.offset);
        }
        if (members.isEmpty()) {
            throw new StokerException(
                    "format npz needs samples with a field of numbers, such as 'data'; choose another" + " format");
        }
        this.end = ZipRecords.end(members.size(), position, directoryBytes);
        long length = position + directoryBytes + end.length;
        IndexLayout index =
                IndexLayout.sidecar(new IndexMeta(NpzFormat.NAME, schema, samples.splits(), placements), samples);
        this.outline = new PlanOutline(index, length, List.of(new Run(0, samples.count(), 0, length)));
    }

    private Member member(Schema schema, int field, long position) {
        String name = schema.fields().get(field).name();
        byte[] raw = (name + NpzReader.ENDING).getBytes(StandardCharsets.UTF_8);
        if (raw.length > ZipRecords.MAX16 || name.startsWith("/") || name.indexOf(0) >= 0) {
            throw new StokerException("format npz cannot hold the field '" + name + "': its name becomes that of a"
                    + " file; rename it with --name");
        }
        byte[] header = NpyArray.header(schema.type(field), samples.count());
        long bytes = Math.multiplyExact(schema.type(field).width(), samples.count());
        return new Member(field, raw, header, position, Math.addExact(header.length, bytes));
    }

    @Override
    public PlanOutline outline() {
        return outline;
    }

    @Override
    public void fill(int run, RunWriter out) {
        var crcs = new int[members.size()];
        for (int m = 0; m < crcs.length; m++) {
            Member member = members.get(m);
            var crc = new CRC32();
            out.put(ZipRecords.local(member.name, member.length));
            out.digest(crc);
            out.put(member.header);
            for (long i = 0; i < samples.count(); i++) {
                out.value(i, member.field);
            }
            out.digest(null);
            crcs[m] = (int) crc.getValue();
            out.put(ZipRecords.descriptor(crcs[m], member.length));
        }
        for (int m = 0; m < crcs.length; m++) {
            Member member = members.get(m);
            out.put(ZipRecords.central(member.name, crcs[m], member.length, member.offset, true));
        }
        out.put(end);
    }
}
