package dev.stoker.block;

import dev.stoker.StokerException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** Every codec that this program has, by name. */
public final class Codecs {
    private static final Map<String, Codec> ALL = load();

    private Codecs() {}

    private static Map<String, Codec> load() {
        var all = new LinkedHashMap<String, Codec>();
        for (Codec codec : List.of(
                InflateCodec.zlib(),
                InflateCodec.gzip(),
                InflateCodec.raw(),
                new LzfCodec(),
                new ShuffleCodec(),
                new ByteSwapCodec(),
                new TrailingChecksumCodec("crc32c"),
                new TrailingChecksumCodec("fletcher32"))) {
            all.put(codec.name(), codec);
        }
        for (Codec codec : ServiceLoader.load(Codec.class, Codec.class.getClassLoader())) {
            all.put(codec.name(), codec);
        }
        return all;
    }

    public static Codec named(String name) {
        Codec codec = ALL.get(name);
        if (codec == null) {
            throw new StokerException(
                    "this Stoker cannot decode '" + name + "'; it knows " + String.join(", ", ALL.keySet()));
        }
        return codec;
    }
}
