import dev.stoker.StokerException;
import dev.stoker.collect.Collector;
import dev.stoker.container.Container;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * One of several processes that collect samples, and the check of what came of it.
 *
 * <pre>
 *   Collect OUT RANK WORLD      collects; says after each flush how many samples are safe
 *   Collect OUT check WORLD     every rank's samples are right, once and in order; says how many each rank has
 * </pre>
 */
final class Collect {
    private static final int SAMPLES = 300;
    private static final int FLUSH_EVERY = 20;
    private static final Schema SCHEMA = new Schema(
            List.of(new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes())));

    private Collect() {}

    public static void main(String[] args) {
        try {
            Path output = Path.of(args[0]);
            if (args[1].equals("check")) {
                check(output, Integer.parseInt(args[2]));
            } else {
                collect(output, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
            }
        } catch (StokerException e) {
            System.err.println("stoker: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void collect(Path output, int rank, int world) {
        var settings = new Collector.Settings(64 << 10, Duration.ofHours(1), true);
        try (var collector = Collector.open(output, SCHEMA, rank, world, settings)) {
            for (int i = 0; i < SAMPLES; i++) {
                byte[] key = (rank + "/" + i).getBytes(StandardCharsets.UTF_8);
                collector.append(MemorySegment.ofArray(key), MemorySegment.ofArray(data(rank, i)));
                if ((i + 1) % FLUSH_EVERY == 0) {
                    collector.flush();
                    System.out.println(i + 1);
                }
            }
        }
    }

    private static byte[] data(int rank, int number) {
        var random = new SplittableRandom(rank * 1_000_003L + number);
        var data = new byte[random.nextInt(10) == 0 ? random.nextInt(30_000) : random.nextInt(500)];
        random.nextBytes(data);
        return data;
    }

    private static void check(Path output, int world) {
        var next = new int[world];
        try (Container container = Container.open(output)) {
            for (long i = 0; i < container.count(); i++) {
                String[] key = container.text(i, 0).split("/");
                int rank = Integer.parseInt(key[0]);
                require(Integer.parseInt(key[1]) == next[rank], "sample " + i + " is " + String.join("/", key));
                byte[] expected = data(rank, next[rank]++);
                byte[] found = container.value(i, 1).toArray(ValueLayout.JAVA_BYTE);
                require(Arrays.equals(found, expected), "sample " + i + " has other bytes than were given");
                require(container.isIntact(i, 1), "the checksum of sample " + i + " does not fit");
            }
        }
        System.out.println(Arrays.stream(next).mapToObj(String::valueOf).collect(Collectors.joining(" ")));
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new StokerException(otherwise);
        }
    }
}
