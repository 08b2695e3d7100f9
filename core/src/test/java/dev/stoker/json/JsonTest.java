package dev.stoker.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.TestSeed;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void parsesToPlainValues() {
        Object value = Json.parse("{\"b\":[1,2.5,true,null,\"x\"],\"a\":{\"n\":18446744073709551615}}", "f.json");
        assertThat(value).isInstanceOf(LinkedHashMap.class);
        assertThat(value)
                .isEqualTo(Map.of(
                        "b", Arrays.asList(1L, 2.5, true, null, "x"),
                        "a", Map.of("n", new BigInteger("18446744073709551615"))));
        assertThat(((Map<?, ?>) value).keySet()).hasToString("[b, a]");
    }

    @Test
    void refusesNamesUsedTwice() {
        assertThatThrownBy(() -> Json.parse("{\"a\":1,\n\"\\u0061\":2}", "f.json"))
                .hasMessage("[f.json] line 2, column 2: expected each name once in an object but found \"a\" again");
        assertThatThrownBy(() -> Json.parse("{\"a\":null,\"a\":null}", "f.json"))
                .isInstanceOf(StokerException.class);
    }

    @Test
    void sizeIsLimited() {
        byte[] bytes = "[1,2]".getBytes(StandardCharsets.UTF_8);
        assertThat(Json.parse(new ByteArrayInputStream(bytes), "f.json", 5)).isEqualTo(List.of(1L, 2L));
        assertThatThrownBy(() -> Json.parse(new ByteArrayInputStream(bytes), "f.json", 4))
                .hasMessage("[f.json] expected at most 4 bytes of JSON but found more");
    }

    @Test
    void writesCompactAndPretty() {
        var value = new LinkedHashMap<String, Object>();
        value.put("z", Arrays.asList(1, -2L, (short) 3, 1.0, 1e10, -0.0, 0.1f, null, false));
        value.put("a\"\\\b\f\n\r\t\u0001\u001f/", "ä€😀\u007f\u2028");
        value.put("empty", List.of(Map.of(), List.of()));
        assertThat(Json.write(value))
                .isEqualTo("{\"z\":[1,-2,3,1.0,1.0E10,-0.0,0.1,null,false],"
                        + "\"a\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f/\":\"ä€😀\u007f\u2028\",\"empty\":[{},[]]}");
        assertThat(Json.writePretty(Map.of("a", List.of(1, Map.of("b", 2))))).isEqualTo("""
                        {
                          "a": [
                            1,
                            {
                              "b": 2
                            }
                          ]
                        }""");
    }

    @Test
    void refusesWhatJsonCannotHold() {
        assertThatThrownBy(() -> Json.write(Map.of("a", List.of(1, Double.NaN))))
                .isExactlyInstanceOf(StokerException.class)
                .hasMessage("cannot write JSON at $.a[1]: expected a finite number but found NaN");
        assertThatThrownBy(() -> Json.write(Float.NEGATIVE_INFINITY)).isInstanceOf(StokerException.class);
        assertThatThrownBy(() -> Json.write("\ud800")).hasMessageContaining("half of a surrogate pair");
        assertThatThrownBy(() -> Json.write(Map.of("\udc00", 1))).isInstanceOf(StokerException.class);
        assertThatThrownBy(() -> Json.write(Map.of(1, 1))).isInstanceOf(StokerException.class);
        assertThatThrownBy(() -> Json.write(new Object())).hasMessageContaining("java.lang.Object");
        assertThatThrownBy(() -> Json.write(BigInteger.TEN.pow(1000))).isInstanceOf(StokerException.class);
        assertThatThrownBy(() -> Json.parse("\"\ud800\"", "f.json")).isInstanceOf(StokerException.class);
        var cyclic = new ArrayList<Object>();
        cyclic.add(cyclic);
        assertThatThrownBy(() -> Json.write(cyclic)).hasMessageContaining("at most 64 levels");
    }

    @Test
    void whatIsWrittenIsReadBackEqual() {
        RandomGenerator random = TestSeed.random("JsonTest");
        for (int i = 0; i < 20_000; i++) {
            Object value = RandomJson.value(random, 4);
            String compact = Json.write(value);
            assertThat(Json.parse(compact, "compact")).isEqualTo(value);
            assertThat(Json.parse(Json.writePretty(value), "pretty")).isEqualTo(value);
            assertThat(Json.write(Json.parse(compact, "compact"))).isEqualTo(compact);
        }
    }
}
