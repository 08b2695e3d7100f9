package dev.stoker.fuzz;

import dev.stoker.ledger.LedgerTarget;
import dev.stoker.s3.XmlTarget;
import dev.stoker.serve.MessageTarget;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** All targets by name. Each is made when it is wanted: some pack containers first. */
public final class Targets {
    private static final Map<String, Supplier<Target>> ALL = all();

    private Targets() {}

    private static Map<String, Supplier<Target>> all() {
        var all = new LinkedHashMap<String, Supplier<Target>>();
        all.put("stk", IndexTarget::new);
        all.put("stkx", SidecarTarget::new);
        Map<String, Consumer<byte[]>> signers = Map.of(
                "tar", Signers::tar,
                "tfrecord", Signers::records,
                "zip", Signers::zip,
                "npz", Signers::zip,
                "zarr-zip", Signers::zip);
        for (String format :
                List.of("arrow", "lmdb", "npy", "npz", "parquet", "squashfs", "tar", "tfrecord", "zarr-zip", "zip")) {
            all.put(format, () -> new FormatTarget(format, signers.getOrDefault(format, input -> {})));
        }
        all.put("hdf5", () -> new FormatTarget("hdf5", new Hdf5Signer()::sign));
        for (Target target : TextTargets.all()) {
            all.put(target.name(), () -> target);
        }
        all.put("ledger", LedgerTarget::new);
        all.put("manifest", ManifestTarget::new);
        all.put("jpeg", JpegTarget::new);
        all.put("picture", PictureTarget::new);
        all.put("messages", MessageTarget::new);
        all.put("s3", XmlTarget::new);
        return all;
    }

    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    public static Target named(String name) {
        Supplier<Target> found = ALL.get(name);
        if (found == null) {
            throw new IllegalArgumentException("no target '" + name + "'; there are " + String.join(", ", names()));
        }
        return found.get();
    }
}
