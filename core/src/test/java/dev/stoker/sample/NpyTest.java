package dev.stoker.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.TestSeed;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NpyTest {
    /** As numpy.save writes it for numpy.zeros((3, 4), '<f4'): 128 bytes. */
    private static final byte[] GOLDEN = latin1("\u0093NUMPY\u0001\u0000v\u0000"
            + "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }" + " ".repeat(58) + "\n");

    private static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] header(String dict) {
        return header(1, dict);
    }

    private static byte[] header(int version, String dict) {
        int length = dict.length();
        String size = version == 1
                ? "" + (char) (length & 0xFF) + (char) (length >> 8)
                : "" + (char) (length & 0xFF) + (char) (length >> 8 & 0xFF) + "\0\0";
        return latin1("\u0093NUMPY" + (char) version + "\0" + size + dict);
    }

    private static Npy parse(String descr, String order, String shape) {
        String dict = "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
        return Npy.parse(header(dict), "a.npy");
    }

    @Test
    void writesAndReadsTheGoldenHeader() {
        assertThat(GOLDEN).hasSize(128);
        assertThat(Npy.header(DType.FLOAT32, 3, 4)).isEqualTo(GOLDEN);
        var npy = Npy.parse(GOLDEN, "a.npy");
        assertThat(npy).isEqualTo(new Npy(DType.FLOAT32, false, false, new long[] {3, 4}, 128));
        assertThat(npy.elements()).isEqualTo(12);
        assertThat(npy.dataLength()).isEqualTo(48);
        assertThat(npy.fileLength()).isEqualTo(176);
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void everyTypeIsReadBack(DType dtype) {
        for (long[] shape : new long[][] {{}, {0}, {7}, {2, 3, 4}, {1L << 50}, new long[64]}) {
            byte[] header = Npy.header(dtype, shape);
            assertThat(header.length % 64).isZero();
            assertThat(Npy.parse(header, "a.npy")).isEqualTo(new Npy(dtype, false, false, shape, header.length));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "<f4, FLOAT32, false", ">f8, FLOAT64, true", "|u1, UINT8, false", ">u1, UINT8, false", "|b1, BOOL, false",
        ">i2, INT16, true", "<f2, FLOAT16, false", "<u8, UINT64, false", "|i1, INT8, false", ">u4, UINT32, true",
    })
    void readsTypes(String descr, DType dtype, boolean bigEndian) {
        var npy = parse("'" + descr + "'", "True", "(5,)");
        assertThat(npy).isEqualTo(new Npy(dtype, bigEndian, true, new long[] {5}, npy.dataOffset()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'shape': (2, 3), 'fortran_order': False, 'descr': '<i4'}",
                "{\"descr\":\"<i4\",\"fortran_order\":False,\"shape\":(2,3)}",
                " { 'descr' : '<i4' , 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , } \n",
                "{'descr': '<i4', 'fortran_order': False, 'shape': (2L, 3L), }",
            })
    void readsAnyLayoutOfTheDict(String dict) {
        for (int version = 1; version <= 3; version++) {
            byte[] header = header(version, dict);
            assertThat(Npy.parse(header, "a.npy"))
                    .isEqualTo(new Npy(DType.INT32, false, false, new long[] {2, 3}, header.length));
        }
    }

    @Test
    void refusesOtherTypesByName() {
        assertThatThrownBy(() -> parse("'|O'", "False", "()"))
                .isExactlyInstanceOf(Npy.TypeException.class)
                .hasMessage("[a.npy] .npy header: expected the type of a number such as '<f4' or '|u1' but found '|O', "
                        + "Python objects; they are pickled and cannot be read without running code");
        assertThatThrownBy(() -> parse("[('x', '<f4'), ('y', '<i2')]", "False", "(3,)"))
                .hasMessage("[a.npy] .npy header, byte 20: expected the type of a number such as '<f4' but found "
                        + "a structured type; store each field as an array");
        String others = "<U5 |S3 |V8 <c8 <M8[ns] <m8[s] <f16 f4 =f4 |f4 < <i3 <b2 x";
        for (String descr : others.split(" ")) {
            assertThatThrownBy(() -> parse("'" + descr + "'", "False", "()"))
                    .isExactlyInstanceOf(Npy.TypeException.class)
                    .hasMessageContaining("but found '" + descr + "'");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{}",
                "{'descr': '<f4'}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (3)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (3,,)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': [3]}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (3 4)}",
                "{'descr': '<f4', 'fortran_order': 0, 'shape': (3,)}",
                "{'descr': '<f4', 'fortran_order': Falsey, 'shape': (3,)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} x",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'shape': (4,)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775808,)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807,)}",
                "{'descr': '|u1', 'fortran_order': False, 'shape': (9223372036854775807,)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (1.0,)}",
                "{'descr': '<f4' 'fortran_order': False, 'shape': ()}",
                "{'descr': \"<f4', 'fortran_order': False, 'shape': ()}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (",
            })
    void refusesOtherDicts(String dict) {
        assertThatThrownBy(() -> Npy.parse(header(dict), "a.npy"))
                .isExactlyInstanceOf(StokerException.class)
                .hasMessageMatching("(?s)\\[a\\.npy] \\.npy header, byte \\d+: expected .+ but found .+");
    }

    @Test
    void refusesTooManyDimensions() {
        assertThatThrownBy(() -> parse("'<f4'", "False", "(" + "1,".repeat(65) + ")"))
                .isExactlyInstanceOf(StokerException.class);
    }

    @Test
    void refusesForeignAndTruncatedFiles() {
        assertThatThrownBy(() -> Npy.parse(latin1("PK\u0003\u0004 and so on"), "a.npy"))
                .hasMessage("[a.npy] byte 0: expected the 6 bytes 93 'NUMPY' but found others; it is not a .npy file");
        byte[] version4 = GOLDEN.clone();
        version4[6] = 4;
        assertThatThrownBy(() -> Npy.parse(version4, "a.npy"))
                .hasMessage("[a.npy] byte 6: expected version 1.0, 2.0 or 3.0 of .npy but found 4.0");
        assertThatThrownBy(() -> Npy.parse(latin1("\u0093NUMPY\u0002\0\u00ff\u00ff\u00ff\u00ff"), "a.npy"))
                .hasMessage("[a.npy] byte 8: expected a header of at most 65535 bytes but found one of 4294967295");
        for (int length = 0; length < GOLDEN.length; length++) {
            byte[] head = Arrays.copyOf(GOLDEN, length);
            assertThatThrownBy(() -> Npy.parse(head, "a.npy")).isExactlyInstanceOf(StokerException.class);
        }
    }

    @Test
    void damagedHeadersAreRefusedOrRead() {
        RandomGenerator random = TestSeed.random("NpyTest");
        for (int i = 0; i < 100_000; i++) {
            byte[] head = GOLDEN.clone();
            for (int k = random.nextInt(4); k >= 0; k--) {
                byte[] likely = latin1("'\"{}(),:<>|=[]LTF0123456789 \n\\");
                byte any = (byte) random.nextInt();
                head[random.nextInt(70)] = random.nextBoolean() ? any : likely[random.nextInt(likely.length)];
            }
            try {
                assertThat(Npy.parse(head, "a.npy").fileLength()).isPositive();
            } catch (StokerException e) {
                assertThat(e).hasMessageStartingWith("[a.npy] ");
            }
        }
    }
}
