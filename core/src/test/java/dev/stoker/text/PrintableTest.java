package dev.stoker.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a data set calls its files must not reach the terminal as orders. */
class PrintableTest {
    private static final String HOSTILE = "a\u001b[2J\u009b31m\nstoker: fine\r\u007f\u202egpj.exe\u0000é😀\t";

    @Test
    void whatATerminalObeysIsShownByItsNumber() {
        assertThat(Printable.line(HOSTILE))
                .isEqualTo("a\\x1b[2J\\x9b31m\\nstoker: fine\\r\\x7f\\u202egpj.exe\\x00é😀\\t");
        assertThat(Printable.lines("a\n\tb\u001b")).isEqualTo("a\n\tb\\x1b");
    }

    @Test
    void otherTextIsGivenAsItIs() {
        String plain = "[träin/n01440764/10026.JPEG] 東京 is fine";
        assertThat(Printable.line(plain)).isSameAs(plain);
    }

    @Test
    void jsonMeansTheSame() {
        Map<String, Object> document = Map.of("key", HOSTILE);
        String shown = Printable.json(Json.writePretty(document));
        assertThat(shown.chars().filter(c -> Character.isISOControl(c) && c != '\n'))
                .isEmpty();
        assertThat(Json.parse(shown.getBytes(java.nio.charset.StandardCharsets.UTF_8), "it"))
                .isEqualTo(document);
    }
}
