package dev.stoker.image.webp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stoker.image.ImageException;
import dev.stoker.os.SharedMemory;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * libwebp: the one that comes with Stoker for Linux on x86-64 and arm64, or else the one that is installed. Both give the
 * same pixels; no other decoder is used for WebP, since those that exist in Java give others.
 */
record WebpLibrary(MethodHandle features, MethodHandle decode) {
    /** The version of the structures that are passed to it; all releases from 0.5 on know it. */
    private static final int DECODER_ABI = 0x0209;

    private static final String[] INSTALLED_NAMES = {"libwebp.so.7", "libwebp.so", "libwebp.dylib"};

    /** Loaded when it is first asked for. */
    private static final class Found {
        static final Optional<WebpLibrary> LIBRARY = Stream.concat(
                        bundled().stream(), Stream.of(INSTALLED_NAMES).flatMap(name -> named(name).stream()))
                .findFirst();
    }

    /** The library; {@link ImageException} with what to install if there is none. */
    static WebpLibrary get() {
        return required(Found.LIBRARY);
    }

    static WebpLibrary required(Optional<WebpLibrary> found) {
        return found.orElseThrow(() -> ImageException.unsupported(
                0,
                "the picture is WebP, which only libwebp decodes, and none can be loaded on this machine ("
                        + System.getProperty("os.arch")
                        + "); install it (Debian and Ubuntu: apt install libwebp7, Fedora and RHEL: dnf install libwebp),"
                        + " or convert the picture to PNG"));
    }

    /**
     * The library inside this jar, in memory that has a name for this process alone: there may be no folder from which
     * programs can be loaded.
     */
    static Optional<WebpLibrary> bundled() {
        byte[] library = resource();
        if (library == null) {
            return Optional.empty();
        }
        try (var memory = new SharedMemory("libwebp", library.length)) {
            memory.bytes().copyFrom(MemorySegment.ofArray(library));
            return named("/proc/self/fd/" + memory.file());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static byte @Nullable [] resource() {
        String machine = System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");
        try (InputStream in =
                WebpLibrary.class.getResourceAsStream("/native/Linux/" + machine + "/libwebp-imageio.so")) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            return null;
        }
    }

    /** Empty if it is missing, not for this machine, or native code is not allowed. */
    static Optional<WebpLibrary> named(String name) {
        try {
            return Optional.of(of(SymbolLookup.libraryLookup(name, Arena.global())));
        } catch (IllegalArgumentException | NoSuchElementException | IllegalCallerException e) {
            return Optional.empty();
        }
    }

    private static WebpLibrary of(SymbolLookup symbols) {
        return new WebpLibrary(
                call(symbols, "WebPGetFeaturesInternal", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_INT),
                call(symbols, "WebPDecodeRGBInto", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT));
    }

    private static MethodHandle call(
            SymbolLookup symbols, String name, MemoryLayout result, MemoryLayout... arguments) {
        return Linker.nativeLinker()
                .downcallHandle(symbols.findOrThrow(name), FunctionDescriptor.of(result, arguments));
    }

    /** Looks at the headers of a picture; empty if they are damaged or cut off. */
    Optional<WebpFeatures> features(MemorySegment encoded) {
        try (var arena = Arena.ofConfined()) {
            MemorySegment found = arena.allocate(WebpFeatures.LAYOUT);
            int status = (int) features.invokeExact(encoded, encoded.byteSize(), found, DECODER_ABI);
            return status == 0 ? Optional.of(WebpFeatures.of(found)) : Optional.empty();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a native function cannot throw", e);
        }
    }

    /** Decodes a picture to red, green and blue, row by row; false if it is damaged or cut off. */
    boolean decode(MemorySegment encoded, MemorySegment rgb, int width) {
        try {
            MemorySegment done =
                    (MemorySegment) decode.invokeExact(encoded, encoded.byteSize(), rgb, rgb.byteSize(), 3 * width);
            return done.address() != 0;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a native function cannot throw", e);
        }
    }
}
