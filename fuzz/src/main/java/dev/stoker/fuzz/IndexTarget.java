package dev.stoker.fuzz;

import dev.stoker.container.Container;
import dev.stoker.index.Index;
import dev.stoker.io.MappedFile;
import java.util.List;

/** A {@code .stk} container: an Index that lies, by accident or on purpose with checksums that fit. */
final class IndexTarget implements Target {
    private final Memory memory = new Memory();

    @Override
    public String name() {
        return "stk";
    }

    @Override
    public void read(byte[] input) {
        MappedFile file = memory.file("stk", input);
        try (Container container = Container.of(file.path(), Index.open(file), null)) {
            Use.all(container);
        }
    }

    @Override
    public List<byte[]> made() {
        return Variant.files(name());
    }

    @Override
    public List<String> words() {
        return Words.INDEX;
    }

    @Override
    public void sign(byte[] input) {
        Signers.index(input, 0);
    }
}
