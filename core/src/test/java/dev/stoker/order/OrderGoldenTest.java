package dev.stoker.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds the code to the tables of the specification, which its Python made. */
class OrderGoldenTest {
    private static final Pattern BLOCKS = Pattern.compile("blocks run=(\\d+) window=(\\d+)");

    @Test
    void ordersAreThoseOfTheSpecification() throws IOException {
        List<String[]> rows = rows("shuffled|blocks run.*");
        assertThat(rows).hasSize(17);
        for (String[] row : rows) {
            long size = Long.parseLong(row[1]);
            Matcher blocks = BLOCKS.matcher(row[0]);
            Order order = blocks.matches()
                    ? Order.blocks(size, Long.parseLong(blocks.group(1)), Long.parseLong(blocks.group(2)))
                    : Order.shuffled(size);
            List<String> samples = new ArrayList<>();
            for (long position : new long[] {0, 1, 2, 3, size - 1}) {
                samples.add("" + order.at(Long.parseLong(row[2]), Long.parseLong(row[3]), position));
            }
            assertThat(String.join(", ", samples)).as(String.join(" ", row)).isEqualTo(row[4]);
        }
    }

    @Test
    void mixesAreThoseOfTheSpecification() throws IOException {
        List<String[]> rows = rows("\\d+ \\d+.*");
        assertThat(rows).hasSize(5);
        for (String[] row : rows) {
            long[] sizes = numbers(row[0]);
            long[] weights = numbers(row[1]);
            List<Mix.Part> parts = new ArrayList<>();
            for (int i = 0; i < sizes.length; i++) {
                parts.add(new Mix.Part(SampleView.of(Order.shuffled(sizes[i])), weights[i]));
            }
            String[] sizeAndRun = row[2].split(" in runs of ");
            long size = Long.parseLong(sizeAndRun[0]);
            long run = sizeAndRun.length == 1 ? 1 : Long.parseLong(sizeAndRun[1]);
            Mix mix = new Mix(parts, size, run);
            List<String> places = new ArrayList<>();
            for (long position : new long[] {0, 1, 2, 3, size - 1}) {
                SampleRef place = mix.at(Long.parseLong(row[3]), Long.parseLong(row[4]), position);
                places.add(place.dataset() + ":" + place.sample());
            }
            assertThat(String.join(", ", places)).as(String.join(" ", row)).isEqualTo(row[5]);
        }
    }

    private static long[] numbers(String text) {
        return Arrays.stream(text.split(" ")).mapToLong(Long::parseLong).toArray();
    }

    private static List<String[]> rows(String firstCell) throws IOException {
        return Files.readAllLines(Path.of("../docs/format/order.md")).stream()
                .filter(line -> line.startsWith("| "))
                .map(line -> line.substring(2, line.length() - 2).split(" \\| "))
                .filter(cells -> cells[0].matches(firstCell))
                .toList();
    }
}
