package dev.stoker.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.collect.CollectSealer;
import dev.stoker.container.Container;
import dev.stoker.io.LittleEndian;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollectSessionTest {
    @TempDir
    private Path folder;

    /** The request of the examples, for a file of this test. */
    private Map<Object, Object> request(Object... changes) throws IOException {
        var request =
                new LinkedHashMap<Object, Object>(Examples.message("collect").object());
        request.put("path", folder.resolve("out.stk").toString());
        request.put("rank", 0L);
        request.put("world", 1L);
        for (int i = 0; i < changes.length; i += 2) {
            request.put(changes[i], changes[i + 1]);
        }
        return request;
    }

    @Test
    void samplesAreTakenAsSpecified() throws IOException {
        var intake = new CollectSession(request());
        byte[] sample = Examples.message("append").payload();
        intake.append(sample);
        assertThat(intake.flush()).isEqualTo(1);
        intake.append(sample);
        assertThat(intake.close()).isEqualTo(2);
        assertThat(CollectSealer.run(folder.resolve("out.stk"), CollectSealer.Order.RANK, false)
                        .missing())
                .isEmpty();
        try (Container container = Container.open(folder.resolve("out.stk"))) {
            assertThat(container.schema().classes()).containsExactly("cat", "dog");
            assertThat(container.text(1, 0)).isEqualTo("é");
            assertThat(container.shape(1, 1)).containsExactly(2);
            assertThat(container.value(1, 2).get(LittleEndian.U64, 0)).isEqualTo(3);
        }
    }

    @Test
    void samplesThatAreCutAreRefused() throws IOException {
        byte[] sample = Examples.message("append").payload();
        for (int length = 0; length < sample.length + 2; length++) {
            Path output = folder.resolve(length + ".stk");
            var intake = new CollectSession(request("path", output.toString()));
            byte[] cut = Arrays.copyOf(sample, length);
            if (length == sample.length) {
                intake.append(cut);
                continue;
            }
            assertThatThrownBy(() -> intake.append(cut))
                    .isInstanceOf(StokerException.class)
                    .hasMessageContaining("a sample ");
            intake.append(sample); // was under way
            assertThatThrownBy(intake::flush).hasMessageContaining("a sample ");
            assertThatThrownBy(intake::close).hasMessageContaining("a sample ");
            intake.abandon();
        }
        assertThat(CollectSealer.run(folder.resolve("0.stk"), CollectSealer.Order.RANK, true)
                        .samples())
                .isZero();
    }

    @Test
    void wrongRequestsAreRefused() throws IOException {
        Map<String, Map<Object, Object>> wrong = Map.of(
                "unknown option 'speed'", request("speed", 1L),
                "should be pairs of name and type but has key", request("fields", List.of("key")),
                "unknown number type", request("fields", List.of(List.of("key", "int"))),
                "a schema needs at least one field", request("fields", List.of()),
                "rank 3 of 2", request("rank", 3L, "world", 2L),
                "a chunk has 65536", request("chunk", 1L));
        wrong.forEach((message, request) -> assertThatThrownBy(() -> new CollectSession(request))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining(message));
    }
}
