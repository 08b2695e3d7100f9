package dev.stoker.collect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.io.OutputFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeaderBackupTest {
    private static final CollectHeader HEAD = CollectHeader.of("stk", 2, Collected.CHUNK, Collected.SCHEMA, 1000);

    @TempDir
    private Path folder;

    private Path partial = Path.of("");
    private HeaderBackup backup = HeaderBackup.of(Path.of("x"));

    @BeforeEach
    void name() {
        partial = folder.resolve("out.stk.partial");
        backup = HeaderBackup.of(partial);
    }

    @Test
    void theHeadComesBackAsItWas() throws IOException {
        try (OutputFile file = OutputFile.open(partial)) {
            file.write(0, HEAD.toSealingBytes());
            backup.save(file, HEAD);
            assertThat(backup.exists()).isTrue();
            file.write(0, MemorySegment.ofArray(new byte[100]));
            backup.restore(file);
            assertThat(CollectHeader.read(file)).isEqualTo(HEAD);
            assertThat(CollectHeader.isSealing(file)).isTrue();
        }
        assertThat(Files.readAllBytes(backup.path()))
                .isEqualTo(HEAD.toSealingBytes().toArray(ValueLayout.JAVA_BYTE));
        assertThat(folder.resolve("out.stk.partial.head.new")).doesNotExist();
        backup.delete();
        backup.delete();
        assertThat(backup.exists()).isFalse();
    }

    @Test
    void whatAKilledTryLeftIsReplaced() throws IOException {
        Files.write(folder.resolve("out.stk.partial.head.new"), new byte[10_000]);
        Files.write(backup.path(), new byte[10_000]);
        try (OutputFile file = OutputFile.open(partial)) {
            file.write(0, HEAD.toBytes());
            backup.save(file, HEAD);
        }
        assertThat(Files.size(backup.path())).isEqualTo(HEAD.toBytes().byteSize());
    }

    @Test
    void withoutACopyNothingIsRestored() throws IOException {
        try (OutputFile file = OutputFile.open(partial)) {
            file.write(0, MemorySegment.ofArray(new byte[] {1, 2, 3}));
            backup.restore(file);
        }
        assertThat(Files.readAllBytes(partial)).containsExactly(1, 2, 3);
    }
}
