package dev.stoker.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageEdgesTest {
    private static final int PAGE = 1 << 16;
    private static final int PROCESSES = 3;
    private static final byte UNTOUCHED = (byte) 0xee;

    @TempDir
    private Path folder;

    private Path file;
    private Path edgesFile;

    /** What one process is to write. */
    private record Piece(int offset, int length) {}

    @BeforeEach
    void setUp() {
        file = folder.resolve("out");
        edgesFile = folder.resolve("edges");
    }

    /** Bytes are dealt out at random; each process sees a file of its own, as a node does that has its own cache. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void eachProcessWritesOnlyPagesThatItFilled(int seed) throws IOException {
        var random = new Random(seed);
        byte[] all = bytes(random, 1 + random.nextInt(12 * PAGE));
        List<List<Piece>> dealt = deal(random, all.length);
        var pages = new byte[all.length];
        var owners = new int[all.length / PAGE + 1];
        Arrays.fill(owners, -1);
        for (int p = 0; p < PROCESSES; p++) {
            Files.write(file, untouched(all.length));
            writeAs(p, dealt.get(p), all, random);
            byte[] written = Files.readAllBytes(file);
            for (int page = 0; page * PAGE < all.length; page++) {
                int from = page * PAGE;
                int end = Math.min(all.length, from + PAGE);
                if (Arrays.mismatch(written, from, end, untouched(all.length), from, end) >= 0) {
                    assertThat(Arrays.mismatch(written, from, end, all, from, end))
                            .as("page " + page)
                            .isEqualTo(-1);
                    assertThat(owners[page]).as("owner of page " + page).isEqualTo(-1);
                    owners[page] = p;
                    System.arraycopy(all, from, pages, from, end - from);
                }
            }
        }
        Files.write(file, pages);
        for (int p = 0; p < PROCESSES; p++) {
            PageEdges.apply(edgesOf(p), folder, file::equals);
        }
        assertThat(Arrays.mismatch(Files.readAllBytes(file), all)).isEqualTo(-1);
    }

    private Path edgesOf(int process) {
        return folder.resolve("edges" + process);
    }

    private void writeAs(int process, List<Piece> pieces, byte[] all, Random random) {
        try (PageEdges edges = PageEdges.make(edgesOf(process), folder)) {
            try (OutputFile out = edges.open(file, all.length)) {
                Collections.shuffle(pieces, random);
                for (Piece piece : pieces) {
                    out.write(piece.offset, MemorySegment.ofArray(all).asSlice(piece.offset, piece.length));
                }
            }
            edges.seal();
        }
    }

    /** Cuts the bytes into pieces of any length; long rows of them go to the same process. */
    private static List<List<Piece>> deal(Random random, int length) {
        List<List<Piece>> dealt = new ArrayList<>();
        for (int p = 0; p < PROCESSES; p++) {
            dealt.add(new ArrayList<>());
        }
        int process = 0;
        for (int at = 0; at < length; ) {
            int piece = Math.min(length - at, 1 + random.nextInt(random.nextBoolean() ? 300 : 2 * PAGE));
            dealt.get(process).add(new Piece(at, piece));
            at += piece;
            if (random.nextInt(3) == 0) {
                process = random.nextInt(PROCESSES);
            }
        }
        return dealt;
    }

    private static byte[] bytes(Random random, int length) {
        var bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) random.nextInt(100); // never as what is untouched
        }
        return bytes;
    }

    private static byte[] untouched(int length) {
        var bytes = new byte[length];
        Arrays.fill(bytes, UNTOUCHED);
        return bytes;
    }

    @Test
    void aPageThatComesInPartsIsWrittenWhenItIsWhole() throws IOException {
        Files.write(file, untouched(2 * PAGE));
        try (PageEdges edges = PageEdges.make(edgesFile, folder);
                OutputFile out = edges.open(file, 2 * PAGE)) {
            out.write(10, MemorySegment.ofArray(new byte[PAGE - 10]));
            assertThat(Files.readAllBytes(file)).containsOnly(UNTOUCHED);
            out.write(0, MemorySegment.ofArray(new byte[10]));
            assertThat(Arrays.copyOf(Files.readAllBytes(file), PAGE)).containsOnly(0);
        }
    }

    @Test
    void aDamagedFileIsRefusedBeforeAnythingIsWritten() throws IOException {
        Files.write(file, untouched(100));
        writeAs(0, new ArrayList<>(List.of(new Piece(3, 20), new Piece(50, 7))), new byte[200], new Random(1));
        byte[] right = Files.readAllBytes(edgesOf(0));
        for (int length : new int[] {0, 7, right.length - 1}) {
            assertRefused(Arrays.copyOf(right, length));
        }
        for (int at = 0; at < right.length; at++) {
            byte[] wrong = right.clone();
            wrong[at] ^= 1;
            assertRefused(wrong);
        }
        PageEdges.apply(edgesOf(0), folder, file::equals);
        assertThat(Files.readAllBytes(file)[3]).isZero();
    }

    private void assertRefused(byte[] edges) throws IOException {
        Files.write(edgesFile, edges);
        assertThatThrownBy(() -> PageEdges.apply(edgesFile, folder, file::equals))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining(edgesFile + "] is not what a process wrote")
                .hasMessageContaining("--resume");
        assertThat(Files.readAllBytes(file)).containsOnly(UNTOUCHED);
    }

    @Test
    void otherFilesAreRefused() throws IOException {
        Files.write(file, untouched(100));
        writeAs(0, new ArrayList<>(List.of(new Piece(3, 20))), new byte[200], new Random(1));
        assertThatThrownBy(() -> PageEdges.apply(edgesOf(0), folder, folder.resolve("other")::equals))
                .hasMessageContaining("names the file 'out', which is none of this output's");
        assertThat(Files.readAllBytes(file)).containsOnly(UNTOUCHED);
    }
}
