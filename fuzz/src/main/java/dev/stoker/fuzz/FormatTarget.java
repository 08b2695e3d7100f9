package dev.stoker.fuzz;

import dev.stoker.container.Container;
import dev.stoker.format.Archive;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import dev.stoker.io.MappedFile;
import java.util.List;
import java.util.function.Consumer;

/** The Index of a file is derived and used; of an archive its members too. */
final class FormatTarget implements Target {
    private final Format format;
    private final Consumer<byte[]> signer;
    private final Memory memory = new Memory();

    FormatTarget(String format, Consumer<byte[]> signer) {
        this.format = Formats.named(format);
        this.signer = signer;
    }

    @Override
    public String name() {
        return format.name();
    }

    @Override
    public void read(byte[] input) {
        MappedFile file = memory.file(format.extensions().getFirst(), input);
        format.matches(file.path(), file.bytes().asSlice(0, Math.min(Format.HEAD_BYTES, file.size())));
        try (Container container = Container.openAnew(file, format.name())) {
            Use.all(container);
        }
        if (format.isArchive()) {
            try (Archive archive = format.archive(file)) {
                Use.all(archive, file.size());
            }
        }
    }

    @Override
    public List<byte[]> made() {
        return Variant.files(format.name());
    }

    @Override
    public List<String> words() {
        return format.name().equals("zarr-zip") ? Words.JSON : List.of();
    }

    /**
     * Arrays may have parts that were never written, and a few bytes of zstd stand for very many; a block of them is made
     * up to 256 MB, and has a buffer beside it. A few bytes of Parquet may stand for 16 million values.
     */
    @Override
    public long mostAllocated() {
        return switch (format.name()) {
            case "arrow", "hdf5", "zarr-zip" -> 640 << 20;
            case "parquet" -> 256 << 20;
            default -> Target.super.mostAllocated();
        };
    }

    @Override
    public void sign(byte[] input) {
        signer.accept(input);
    }
}
