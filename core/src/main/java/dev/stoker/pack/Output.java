package dev.stoker.pack;

import dev.stoker.StokerException;
import dev.stoker.memory.OutputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a plan's runs are written to: one file, or a folder with a file for each sample.
 *
 * @param file the one file, or null for a folder
 */
record Output(Path path, @Nullable OutputFile file) implements AutoCloseable {
    static Output open(Path path, boolean isTree, Function<Path, OutputFile> opening) {
        return new Output(path, isTree ? null : opening.apply(path));
    }

    /**
     * The file of a folder that holds one sample. What is in it already stays: another who fills the same run may just
     * have written it. Whoever has written all of it cuts off what is behind.
     */
    OutputFile member(byte[] name) {
        Path member = path.resolve(new String(name, StandardCharsets.UTF_8)).normalize();
        if (!member.startsWith(path) || member.equals(path)) {
            throw new StokerException("the key '" + new String(name, StandardCharsets.UTF_8) + "' leaves the folder");
        }
        try {
            Path folder = member.getParent();
            if (folder != null && !Files.isDirectory(folder)) {
                requireThere();
                Files.createDirectories(folder);
            }
        } catch (FileAlreadyExistsException e) {
            throw new StokerException(
                    "[" + member + "] is needed as a folder and as a file: two keys get in each" + " other's way", e);
        } catch (IOException e) {
            throw OutputFile.cannotWrite(member, e);
        }
        return OutputFile.open(member);
    }

    /** Someone who comes too late, when the folder has its final name, makes no new one. */
    private void requireThere() throws IOException {
        if (!Files.isDirectory(path)) {
            throw new NoSuchFileException(path.toString());
        }
    }

    void sync() {
        if (file != null) {
            file.sync();
        }
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }
}
