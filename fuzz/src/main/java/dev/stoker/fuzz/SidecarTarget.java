package dev.stoker.fuzz;

import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.index.Index;
import dev.stoker.io.MappedFile;
import dev.stoker.testkit.Workshop;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A container of any format with a sidecar that lies about it. The first byte of an input says which container. */
final class SidecarTarget implements Target {
    private final Memory memory = new Memory();
    private final List<MappedFile> containers = new ArrayList<>();
    private final List<byte[]> sidecars = new ArrayList<>();

    SidecarTarget() {
        Path folder = Sandbox.make("stkx");
        for (Variant variant : Variant.all()) {
            Workshop shop = variant.workshop(folder, 1);
            if (!shop.isFile() || variant.format().equals("stk")) {
                continue;
            }
            Path place = shop.pack(variant.samples(Variant.FEW, 1), variant.label());
            Path sidecar = Sidecar.beside(place);
            if (Files.exists(sidecar)) {
                byte[] bytes = Workshop.read(sidecar);
                byte[] input = new byte[1 + bytes.length];
                input[0] = (byte) containers.size();
                System.arraycopy(bytes, 0, input, 1, bytes.length);
                sidecars.add(input);
                containers.add(MappedFile.of(place.resolveSibling(FILE), copy(Workshop.read(place))));
            }
        }
    }

    private static MemorySegment copy(byte[] bytes) {
        return Arena.global().allocate(bytes.length, 4096).copyFrom(MemorySegment.ofArray(bytes));
    }

    @Override
    public String name() {
        return "stkx";
    }

    @Override
    public void read(byte[] input) {
        if (input.length == 0) {
            return;
        }
        MappedFile container = containers.get((input[0] & 0xff) % containers.size());
        // Where a mapped file begins: at a multiple of any alignment.
        byte[] sidecar = Arrays.copyOfRange(input, 1, input.length);
        try (Container open = Container.of(container.path(), Index.open(memory.file("stkx", sidecar)), container)) {
            Use.all(open);
        }
    }

    @Override
    public List<byte[]> made() {
        return sidecars;
    }

    @Override
    public List<String> words() {
        return Words.INDEX;
    }

    @Override
    public void sign(byte[] input) {
        Signers.index(input, 1);
    }
}
