package dev.stoker.metric.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationTest {
    @Test
    void readsEachKind() {
        assertThat(Destination.parse("prometheus://:9400")).isEqualTo(new Destination.Prometheus("127.0.0.1", 9400));
        assertThat(Destination.parse("prometheus://0.0.0.0:80/")).isEqualTo(new Destination.Prometheus("0.0.0.0", 80));
        assertThat(Destination.parse("prometheus://[::1]:80")).isEqualTo(new Destination.Prometheus("[::1]", 80));
        assertThat(Destination.parse("tensorboard:/runs/../a")).isEqualTo(new Destination.TensorBoard(Path.of("/a")));
        assertThat(Destination.parse("jsonl:x.jsonl"))
                .isEqualTo(new Destination.JsonLines(Path.of("x.jsonl").toAbsolutePath()));
        assertThat(new Destination.Prometheus("h", 9400).plus(3)).hasToString("prometheus://h:9403");
    }

    @Test
    void commasMayBeInNames() {
        assertThat(Destination.parseAll("jsonl:/a,b.jsonl, tensorboard:/r"))
                .as("a blank after the comma makes it a part of the name")
                .containsExactly(new Destination.JsonLines(Path.of("/a,b.jsonl, tensorboard:/r")));
        assertThat(Destination.parseAll("jsonl:/a,b.jsonl,tensorboard:/r"))
                .containsExactly(
                        new Destination.JsonLines(Path.of("/a,b.jsonl")), new Destination.TensorBoard(Path.of("/r")));
        assertThat(Destination.parseAll("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "file", "jsonl:", "tensorboard:", "prometheus:9400", "prometheus://host", "csv:x"})
    void refusesOthers(String word) {
        assertThatThrownBy(() -> Destination.parse(word))
                .isInstanceOf(StokerException.class)
                .hasMessage("metrics cannot go to '" + word
                        + "'; valid are prometheus://[HOST]:PORT, tensorboard:DIR and jsonl:FILE");
    }

    @Test
    void refusesPortsThatAreNone() {
        for (String port : new String[] {"0", "65536", "99999999999"}) {
            assertThatThrownBy(() -> Destination.parse("prometheus://:" + port))
                    .hasMessage("a metrics port should be from 1 to 65535 but is " + port);
        }
        assertThatThrownBy(() -> new Destination.Prometheus("h", 65535).plus(1)).hasMessageContaining("65536");
    }
}
