package dev.stoker.formats.hdf5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.formats.hdf5.CraftedHdf5.Symbol;
import dev.stoker.formats.hdf5.structure.HeaderMessages;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Small files that were made to take much time or memory. Each of them did. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class Hdf5HostileTest {
    private static final String METADATA = "more metadata should be read than a file of";
    private static final String UNSTORED = "too many pieces of which nothing is stored";
    private static final long MAX_CPU_NANOS = 6_000_000_000L;
    private static final long PIECES = 1 << 16;

    @TempDir
    Path folder;

    private final CraftedHdf5 craft = new CraftedHdf5();

    private void assertRefused(String sentence, byte[]... root) {
        Path file = craft.write(folder.resolve("hostile.h5"), craft.header(root));
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        assertThatThrownBy(() -> Container.openAnew(file, Hdf5Format.NAME))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("[hostile.h5]")
                .hasMessageContaining(sentence);
        long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
        assertThat(took).as("nanoseconds").isLessThan(MAX_CPU_NANOS);
    }

    @Test
    void partsOfAHeaderThatLieInEachOtherAreNotReadForEver() {
        int parts = 10_000;
        byte[] group = craft.group(List.of(craft.dataset()));
        long nothing = craft.put(new byte[8 * 4 * parts]);
        long end = nothing + 8L * 4 * parts;
        var continuations = new ArrayList<byte[]>();
        for (int i = 0; i < parts; i++) {
            continuations.add(CraftedHdf5.continuation(nothing + 8L * i, end - nothing - 8L * i));
        }
        byte[] all = CraftedHdf5.join(continuations);
        assertRefused(METADATA, group, CraftedHdf5.continuation(craft.put(all), all.length));
    }

    @Test
    void namesThatAreTheEndsOfOneLongNameAreNotReadForEver() {
        byte[] name = new byte[(1 << 20) + 1];
        java.util.Arrays.fill(name, 0, name.length - 1, (byte) 'a');
        long dataset = craft.dataset();
        var symbols = new ArrayList<Symbol>();
        IntStream.range(0, 6000).forEach(i -> symbols.add(Symbol.hard(i, dataset)));
        assertRefused(METADATA, craft.group(symbols, name));
    }

    @Test
    void manyLinksToOneLongHeaderDoNotReadItForEver() {
        long dataset =
                craft.dataset(Collections.nCopies(60_000, CraftedHdf5.NOTHING).toArray(new byte[0][]));
        assertRefused(METADATA, craft.group(Collections.nCopies(20_000, dataset)));
    }

    @Test
    void entriesThatManyLeavesOfATreeLeadToAreNotReadForEver() {
        long node = craft.node(Collections.nCopies(60_000, Symbol.soft(0)));
        assertRefused(METADATA, craft.group(new byte[8], Collections.nCopies(60_000, node)));
    }

    @Test
    void chunksThatWereNeverWrittenAreCountedOverAllDatasets() {
        assertRefused("more chunks than bytes", craft.group(datasets(30, CraftedHdf5.chunkedNowhere(), PIECES)));
    }

    @Test
    void valuesThatWereNeverWrittenAreCountedOverAllDatasets() {
        assertRefused(UNSTORED, craft.group(datasets(30, nowhere(), PIECES, 1 << 20)));
    }

    @Test
    void textsThatWereNeverWrittenAreCountedOverAllDatasets() {
        var headers = new ArrayList<Long>();
        for (int i = 0; i < 100; i++) {
            headers.add(craft.header(CraftedHdf5.space(1 << 20), CraftedHdf5.type(CraftedHdf5.TEXT), nowhere()));
        }
        assertRefused("far more memory than the container has bytes", craft.group(headers));
    }

    private static byte[] nowhere() {
        return CraftedHdf5.contiguous(HeaderMessages.UNDEFINED, 0);
    }

    private List<Long> datasets(int count, byte[] layout, long... dimensions) {
        var headers = new ArrayList<Long>();
        for (int i = 0; i < count; i++) {
            headers.add(craft.header(CraftedHdf5.space(dimensions), CraftedHdf5.type(CraftedHdf5.BYTE), layout));
        }
        return headers;
    }

    /** Bounds are for what nobody writes. */
    @Test
    void oneDatasetUnderThousandsOfNamesIsRead() {
        byte[] group = craft.group(Collections.nCopies(5000, craft.dataset()));
        try (Container container =
                Container.openAnew(craft.write(folder.resolve("links.h5"), craft.header(group)), Hdf5Format.NAME)) {
            assertThat(container.count()).isEqualTo(10);
            assertThat(container.schema().size()).isEqualTo(5000);
        }
    }

    @Test
    void aDatasetOfManyChunksThatWereNeverWrittenIsRead() {
        byte[] group = craft.group(datasets(2, CraftedHdf5.chunkedNowhere(), PIECES / 2));
        try (Container container =
                Container.openAnew(craft.write(folder.resolve("sparse.h5"), craft.header(group)), Hdf5Format.NAME)) {
            assertThat(container.count()).isEqualTo(PIECES / 2);
            assertThat(container.value(PIECES / 2 - 1, 1).byteSize()).isEqualTo(1);
        }
    }
}
