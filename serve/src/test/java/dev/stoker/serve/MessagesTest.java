package dev.stoker.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.order.PositionFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessagesTest {
    @Test
    void answersAreAsSpecified() throws IOException {
        var welcome = new LinkedHashMap<String, Object>();
        welcome.put("protocol", Message.PROTOCOL);
        welcome.put("version", "0.1.0");
        welcome.put("pid", 4711);
        welcome.put("vector", true);
        assertThat(Message.json(Message.WELCOME, welcome).encode()).isEqualTo(Examples.bytes("welcome"));
        assertThat(Message.json(Message.STARTED, Map.of()).encode()).isEqualTo(Examples.bytes("started"));
        assertThat(Message.error("no field 'image'; the fields are key, data, label")
                        .encode())
                .isEqualTo(Examples.bytes("error"));
    }

    @Test
    void batchesAreAsSpecified() throws IOException {
        byte[] example = Examples.message("batch").payload();
        Object position = Examples.message("start-position").object().get("position");
        var batch = new BatchMessage(
                3,
                true,
                false,
                2,
                5,
                List.of(1, 3),
                List.of(
                        new BatchMessage.FieldPlace(0, 24, 8, -1, -1),
                        new BatchMessage.FieldPlace(128, 40, -1, 64, -1),
                        new BatchMessage.FieldPlace(320, 96, -1, 256, 192)),
                null,
                PositionFile.write(PositionFile.of(position, "example")));
        assertThat(batch.message(false).payload()).isEqualTo(example);
        var empty = new BatchMessage(
                0, false, false, 0, 0, List.of(), List.of(new BatchMessage.FieldPlace(0, 0, -1, 0, -1)), null, "{}");
        assertThat(empty.message(false).encode()).isEqualTo(Examples.bytes("batch-empty"));
        assertThat(BatchMessage.end(1, "{}").message(true).encode()).isEqualTo(Examples.bytes("batch-end"));
        var rows = new BatchMessage(
                2,
                false,
                false,
                4,
                1,
                List.of(2),
                List.of(new BatchMessage.FieldPlace(0, 16, 8, -1, -1)),
                List.of(new BatchMessage.Row(1L << 33, 1, false), new BatchMessage.Row(7, 0, true)),
                "{}");
        assertThat(rows.message(false).encode()).isEqualTo(Examples.bytes("batch-rows"));
        assertThat(Message.json(Message.RECORDED, Map.of()).encode()).isEqualTo(Examples.bytes("recorded"));
    }

    @Test
    void requestsAreUnderstood() throws IOException {
        assertThat(Examples.message("hello").object().get("cores")).isEqualTo(List.of(0L, 1L));
        assertThat(Examples.message("start-epoch").object()).isEqualTo(Map.of("epoch", 5L));
        assertThat(Examples.message("next").encode()).isEqualTo(Examples.bytes("next"));
        assertThat(Examples.message("handed-on").type()).isEqualTo(Message.HANDED_ON);
        assertThat(new FeedRequest(Examples.message("open").object()).paths()).containsExactly("/data/träin.stk");
    }

    @Test
    void whatIsNoObjectIsRefused() {
        var list = new Message(Message.OPEN, "[1]".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(list::object)
                .isInstanceOf(StokerException.class)
                .hasMessage("message 2 should be a JSON object but is [1]");
    }
}
