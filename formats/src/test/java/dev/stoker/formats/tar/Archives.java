package dev.stoker.formats.tar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.formats.shared.tar.TarHeader;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.testkit.Same;
import dev.stoker.write.Packer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What the tests of tar share: packing, opening without a sidecar, other programs, and archives made by hand. */
final class Archives {
    private Archives() {}

    static Path pack(Samples samples, Path place) {
        Format format = new TarFormat();
        var settings = new Packer.Settings(FormatOptions.NONE, 2, false, true, false);
        new Packer(samples, format, place, settings, new Progress()).run();
        return place;
    }

    /** Opens an archive as if nobody had opened it before. */
    static Container openAnew(Path place) throws IOException {
        Files.deleteIfExists(Sidecar.beside(place));
        return Container.open(place);
    }

    /** Key to data of all samples, in their order. */
    static Map<String, String> contents(Container container) {
        int key = container.schema().place(Field.KEY);
        int data = container.schema().place(Field.DATA);
        var contents = new LinkedHashMap<String, String>();
        for (long i = 0; i < container.count(); i++) {
            contents.put(
                    container.text(i, key), new String(Same.bytes(container, i, data), StandardCharsets.ISO_8859_1));
        }
        return contents;
    }

    /** Runs a program that has to succeed in silence on its standard error; returns what it printed. */
    static String run(Path folder, String... command) throws IOException, InterruptedException {
        Path out = Files.createTempFile("stoker-tar", ".out");
        Path err = Files.createTempFile("stoker-tar", ".err");
        try {
            Process process = new ProcessBuilder(List.of(command))
                    .directory(folder.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(err)).as("standard error").isEmpty();
            assertThat(process.exitValue()).isZero();
            return Files.readString(out);
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    /** A member with its padding. */
    static byte[] member(String name, String content) {
        return member(TarHeader.file(utf8(name), content.length()), content);
    }

    static byte[] member(byte[] header, String content) {
        byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
        byte[] member = Arrays.copyOf(header, header.length + (bytes.length + 511) / 512 * 512);
        System.arraycopy(bytes, 0, member, header.length, bytes.length);
        return member;
    }

    /** The header of a member of another type; its checksum fits. */
    static byte[] header(String name, long size, char type) {
        return patched(TarHeader.file(utf8(name), size), TarHeader.TYPE, new byte[] {(byte) type});
    }

    /** Puts other bytes into a header and makes its checksum fit again. */
    static byte[] patched(byte[] header, int at, byte[] bytes) {
        byte[] changed = header.clone();
        System.arraycopy(bytes, 0, changed, at, bytes.length);
        Arrays.fill(changed, TarHeader.CHECKSUM, TarHeader.CHECKSUM + 8, (byte) ' ');
        int sum = 0;
        for (byte b : changed) {
            sum += b & 0xff;
        }
        System.arraycopy(utf8("%06o\0".formatted(sum)), 0, changed, TarHeader.CHECKSUM, 7);
        return changed;
    }

    /** Writes members and the end of an archive. */
    static Path write(Path place, byte[]... members) throws IOException {
        var bytes = new ByteArrayOutputStream();
        for (byte[] member : members) {
            bytes.writeBytes(member);
        }
        bytes.writeBytes(new byte[1024]);
        return Files.write(place, bytes.toByteArray());
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
