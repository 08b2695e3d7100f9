package dev.stoker.image;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stoker.image.transform.Picture;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The TurboJPEG library of this machine, where there is one: for JPEGs that our own decoder does not cover (arithmetic
 * coding), and to compare with. For one thread.
 */
public final class TurboJpeg implements AutoCloseable {
    private static final String[] NAMES = {"libturbojpeg.so.0", "libturbojpeg.so", "libturbojpeg.dylib"};
    private static final int RGB = 0;

    private final Library library;
    private final MemorySegment handle;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment facts = arena.allocate(JAVA_INT, 4);
    private Arena buffers = Arena.ofConfined();
    private MemorySegment pixels = MemorySegment.NULL;
    private int width;
    private int height;

    private record Library(
            MethodHandle init,
            MethodHandle header,
            MethodHandle decompress,
            MethodHandle message,
            MethodHandle destroy) {
        /** Loaded when it is first asked for. */
        private static final Optional<Library> FOUND = find();

        private static Optional<Library> find() {
            return Arrays.stream(NAMES).flatMap(name -> named(name).stream()).findFirst();
        }

        /** Empty if it is not there, too old, or native code is not allowed: then we do without. */
        private static Optional<Library> named(String name) {
            try {
                return Optional.of(of(SymbolLookup.libraryLookup(name, Arena.global())));
            } catch (IllegalArgumentException | NoSuchElementException | IllegalCallerException e) {
                return Optional.empty();
            }
        }

        private static Library of(SymbolLookup symbols) {
            return new Library(
                    call(symbols, "tjInitDecompress", ADDRESS),
                    call(
                            symbols,
                            "tjDecompressHeader3",
                            JAVA_INT,
                            ADDRESS,
                            ADDRESS,
                            JAVA_LONG,
                            ADDRESS,
                            ADDRESS,
                            ADDRESS,
                            ADDRESS),
                    call(
                            symbols,
                            "tjDecompress2",
                            JAVA_INT,
                            ADDRESS,
                            ADDRESS,
                            JAVA_LONG,
                            ADDRESS,
                            JAVA_INT,
                            JAVA_INT,
                            JAVA_INT,
                            JAVA_INT,
                            JAVA_INT),
                    call(symbols, "tjGetErrorStr2", ADDRESS, ADDRESS),
                    call(symbols, "tjDestroy", JAVA_INT, ADDRESS));
        }

        private static MethodHandle call(
                SymbolLookup symbols, String name, MemoryLayout result, MemoryLayout... arguments) {
            return Linker.nativeLinker()
                    .downcallHandle(symbols.findOrThrow(name), FunctionDescriptor.of(result, arguments));
        }
    }

    private TurboJpeg(Library library) {
        this.library = library;
        handle = (MemorySegment) invoke(library.init);
    }

    /** A decoder, if the library is there. */
    public static Optional<TurboJpeg> open() {
        return Library.FOUND.map(TurboJpeg::new);
    }

    /**
     * Decodes a JPEG that our own decoder refused.
     *
     * @throws ImageException {@code why}, if it is not for being unsupported, or if there is no library here
     */
    static void decodeInstead(ImageException why, MemorySegment encoded, long maxPixels, Picture out) {
        if (!why.isUnsupported()) {
            throw why;
        }
        try (TurboJpeg library = open().orElseThrow(() -> why)) {
            library.decode(encoded, maxPixels, out);
        }
    }

    /** Decodes a whole picture; {@link ImageException} if the library refuses it. */
    public void decode(MemorySegment encoded, long maxPixels, Picture out) {
        decode(encoded, maxPixels);
        out.resize(width, height);
        byte[] red = out.plane(0), green = out.plane(1), blue = out.plane(2);
        for (int i = 0; i < width * height; i++) {
            red[i] = pixels.get(JAVA_BYTE, 3L * i);
            green[i] = pixels.get(JAVA_BYTE, 3L * i + 1);
            blue[i] = pixels.get(JAVA_BYTE, 3L * i + 2);
        }
    }

    /** Decodes a whole picture into memory of its own, and leaves it there. */
    public void decode(MemorySegment encoded, long maxPixels) {
        MemorySegment input = encoded;
        try (var scratch = Arena.ofConfined()) {
            // A page of a mapped file that cannot be read would end the JVM in the library.
            if (!encoded.isNative() || encoded.isMapped()) {
                input = scratch.allocate(encoded.byteSize()).copyFrom(encoded);
            }
            long length = input.byteSize();
            check((int) invoke(
                    library.header,
                    handle,
                    input,
                    length,
                    facts,
                    facts.asSlice(4),
                    facts.asSlice(8),
                    facts.asSlice(12)));
            width = facts.getAtIndex(JAVA_INT, 0);
            height = facts.getAtIndex(JAVA_INT, 1);
            PixelLimit.require(width, height, length, maxPixels);
            reserve(3L * width * height);
            check((int) invoke(library.decompress, handle, input, length, pixels, width, 3 * width, height, RGB, 0));
        }
    }

    private void reserve(long bytes) {
        if (pixels.byteSize() < bytes) {
            buffers.close();
            buffers = Arena.ofConfined();
            pixels = buffers.allocate(bytes);
        }
    }

    private void check(int result) {
        if (result != 0) {
            MemorySegment message = (MemorySegment) invoke(library.message, handle);
            throw new ImageException(
                    0, "libturbojpeg: " + message.reinterpret(Integer.MAX_VALUE).getString(0));
        }
    }

    private static Object invoke(MethodHandle call, Object... arguments) {
        try {
            return call.invokeWithArguments(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a native function cannot throw", e);
        }
    }

    @Override
    public void close() {
        invoke(library.destroy, handle);
        buffers.close();
        arena.close();
    }
}
