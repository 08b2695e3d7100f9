package dev.stoker.stage.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StageSourceTest {
    @TempDir
    Path folder;

    @Test
    void anArchiveIsReadThroughOnce() throws Exception {
        Path tar = folder.resolve("x.tar");
        for (String name : List.of("a.txt", "b.txt")) {
            Files.writeString(folder.resolve(name), name);
        }
        var packing = new ProcessBuilder("tar", "-cf", tar.toString(), "-C", folder.toString(), "a.txt", "b.txt");
        assertThat(packing.inheritIO().start().waitFor()).isZero();
        try (StageSource source = StageSource.of(tar)) {
            long bytes;
            try (CopyPlan plan = source.open(StagedForm.TREE)) {
                bytes = plan.need(1).bytes();
            }
            Files.write(tar, new byte[(int) Files.size(tar)]); // without a member, if it were read again
            try (CopyPlan plan = source.open(StagedForm.TREE)) {
                assertThat(plan.need(1)).isEqualTo(new CopyPlan.Need(bytes, 2));
            }
        }
    }
}
