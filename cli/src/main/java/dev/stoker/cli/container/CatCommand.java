package dev.stoker.cli.container;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.cli.Main;
import dev.stoker.container.Container;
import dev.stoker.sample.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        description = "Write the bytes of one value, and nothing else, to standard output.",
        footerHeading = "%nExamples:%n",
        footer = {"  stoker cat train.arrow 17 > picture.jpg", "  stoker cat train.arrow 17 key"})
public final class CatCommand implements Callable<Integer> {
    private static final long STEP = 1 << 20;

    @Parameters(index = "0", paramLabel = "FILE", description = "A container of any format.")
    private Path file;

    @Parameters(index = "1", paramLabel = "INDEX", description = "Number of the sample, from 0.")
    private long sample;

    @Parameters(index = "2", paramLabel = "FIELD", arity = "0..1", description = "Name of the field (default: data).")
    private String field = Field.DATA;

    @Override
    public Integer call() {
        try (Container container = Container.open(file)) {
            int place = container.schema().place(field);
            if (sample < 0 || sample >= container.count()) {
                throw new UsageException(
                        file,
                        "has " + (container.count() == 0 ? "no samples" : "samples 0 to " + (container.count() - 1))
                                + ", so there is no sample " + sample);
            }
            if (!container.isIntact(sample, place)) {
                throw container.damaged(sample, place);
            }
            write(container.value(sample, place));
        }
        return 0;
    }

    private static void write(MemorySegment value) {
        for (long at = 0; at < value.byteSize(); at += STEP) {
            byte[] part =
                    value.asSlice(at, Math.min(STEP, value.byteSize() - at)).toArray(ValueLayout.JAVA_BYTE);
            System.out.write(part, 0, part.length);
        }
        if (System.out.checkError()) {
            throw new StokerException(Main.LOST_OUTPUT);
        }
    }
}
