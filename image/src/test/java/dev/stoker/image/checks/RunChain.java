package dev.stoker.image.checks;

import dev.stoker.image.DType;
import dev.stoker.image.ImageException;
import dev.stoker.image.ImagePipeline;
import dev.stoker.image.Layout;
import dev.stoker.image.PipelineWorker;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes what each chain of a list makes of each picture of a list, one after the other: {@code RunChain FILES CHAINS OUT}. */
public final class RunChain {
    private RunChain() {}

    public static void main(String[] args) throws Exception {
        List<String> files = Files.readAllLines(Path.of(args[0]));
        try (OutputStream out = Files.newOutputStream(Path.of(args[2]))) {
            for (String chain : Files.readAllLines(Path.of(args[1]))) {
                ImagePipeline pipeline = ImagePipeline.parse(chain, Layout.HWC, DType.UINT8);
                PipelineWorker worker = pipeline.worker();
                byte[] slot = new byte[(int) pipeline.outputBytes()];
                for (String file : files) {
                    try {
                        worker.run(
                                MemorySegment.ofArray(Files.readAllBytes(Path.of(file))),
                                MemorySegment.ofArray(slot),
                                0,
                                1,
                                1,
                                1);
                    } catch (ImageException e) {
                        throw new IllegalStateException(file + ": " + e.getMessage(), e);
                    }
                    out.write(slot);
                }
            }
        }
    }
}
