package dev.stoker.os;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.index.Index;
import dev.stoker.io.InputFile;
import dev.stoker.io.MappedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RegularFileTest {
    @TempDir
    Path folder;

    private Path pipe(String name) throws IOException, InterruptedException {
        Path pipe = folder.resolve(name);
        var _ = new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
        return pipe;
    }

    @Test
    void aPipeIsNotWaitedFor() throws IOException, InterruptedException {
        Path pipe = pipe("x.stk");
        for (ThrowingCallable reader : List.<ThrowingCallable>of(
                () -> MappedFile.open(pipe),
                () -> InputFile.open(pipe),
                () -> Container.open(pipe),
                () -> Index.open(pipe))) {
            assertThatThrownBy(reader)
                    .isInstanceOf(StokerException.class)
                    .hasMessage("[" + pipe + "] cannot be read: it is neither a file nor a folder");
        }
    }

    @Test
    void aFolderIsNoFile() {
        assertThatThrownBy(() -> InputFile.open(folder)).hasMessageContaining("it is a folder");
    }
}
