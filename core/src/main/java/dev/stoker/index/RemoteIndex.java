package dev.stoker.index;

import static dev.stoker.io.LittleEndian.U32;
import static dev.stoker.io.LittleEndian.U64;

import dev.stoker.io.MappedFile;
import dev.stoker.io.ScratchFile;
import dev.stoker.os.FileErrors;
import dev.stoker.remote.RemoteObject;
import dev.stoker.remote.RemotePath;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The Index part of a {@code .stk} container on remote storage. It is written to a scratch file at the very places that it
 * has in the container, with a hole where the samples are: so it is an Index like any other.
 */
record RemoteIndex(RemotePath path, RemoteObject object, ScratchFile scratch, MappedFile file)
        implements AutoCloseable {
    /** Holds header, section table and META of nearly all containers. */
    private static final long HEAD_BYTES = 64 << 10;

    private static final long STEP = 8 << 20;

    /** Fetches what an {@link Index} reads when it is made. */
    static RemoteIndex open(RemotePath path, RemoteObject object) {
        try {
            ScratchFile scratch = ScratchFile.create(object.size());
            var made = new RemoteIndex(path, object, scratch, MappedFile.of(path, scratch));
            try {
                made.fetchHead();
                return made;
            } catch (RuntimeException e) {
                made.file.close();
                made.close();
                throw e;
            }
        } catch (IOException e) {
            throw FileErrors.cannotWrite(ScratchFile.folder(), e);
        }
    }

    private void fetchHead() {
        fetch(0, Math.min(HEAD_BYTES, object.size()));
        if (object.size() < IndexHeader.BYTES) {
            return; // whoever reads the header says so
        }
        long table = file.bytes().get(U64, 32);
        long bytes = Integer.toUnsignedLong(file.bytes().get(U32, 40)) * Section.BYTES;
        if (table >= 0 && bytes <= (long) IndexHeader.MAX_SECTIONS * Section.BYTES && table <= object.size() - bytes) {
            fetch(table, bytes);
            for (Section section : IndexHeader.read(file.name(), file.bytes()).sections()) {
                if (section.kind() == Section.Kind.META) {
                    fetch(section.offset(), section.length());
                }
            }
        }
    }

    /** Fetches all sections but those that hold the samples. */
    void fetch(IndexHeader header, IndexMeta meta) {
        for (Section section : header.sections()) {
            boolean isInFile = section.kind() == Section.Kind.DATA
                    || (section.kind() == Section.Kind.VALUES
                            && meta.placements().get(section.field()).place() == Placement.Place.FILE);
            if (!isInFile && section.kind() != Section.Kind.META) {
                fetch(section.offset(), section.length());
            }
        }
    }

    private void fetch(long from, long length) {
        try (var arena = Arena.ofConfined();
                RemotePath.Reader reader = path.open(object, from, length)) {
            MemorySegment buffer = arena.allocate(Math.max(1, Math.min(STEP, length)));
            for (long done = 0; done < length; ) {
                MemorySegment part = buffer.asSlice(0, Math.min(buffer.byteSize(), length - done));
                reader.read(part);
                scratch.write(from + done, part);
                done += part.byteSize();
            }
        } catch (IOException e) {
            throw FileErrors.cannotWrite(ScratchFile.folder(), e);
        }
    }

    /** Nothing more is fetched; what was stays mapped. */
    @Override
    public void close() {
        scratch.close();
    }
}
