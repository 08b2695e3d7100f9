package dev.stoker.image.kernel;

import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.ZERO_EXTEND_B2I;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Three planes to pixels. Byte j of output vector o is channel (n o + j) % 3 of pixel (n o + j) / 3, where n is the number of
 * bytes in a vector. Flat on purpose, see {@link VectorKernels}.
 */
final class VectorInterleave {
    private VectorInterleave() {}

    /** With byte permutations of 512 bits that take from two vectors: first red and green, then blue. */
    static void by64(byte[] red, byte[] green, byte[] blue, int count, byte[] out) {
        for (int i = 0; i < count; i += 64) {
            ByteVector r = ByteVector.fromArray(By64.V, red, i);
            ByteVector g = ByteVector.fromArray(By64.V, green, i);
            ByteVector b = ByteVector.fromArray(By64.V, blue, i);
            By64.BLUE0.selectFrom(By64.RED_GREEN0.selectFrom(r, g), b).intoArray(out, 3 * i);
            By64.BLUE1.selectFrom(By64.RED_GREEN1.selectFrom(r, g), b).intoArray(out, 3 * i + 64);
            By64.BLUE2.selectFrom(By64.RED_GREEN2.selectFrom(r, g), b).intoArray(out, 3 * i + 128);
        }
    }

    private static final class By64 {
        static final VectorSpecies<Byte> V = ByteVector.SPECIES_512;
        static final ByteVector RED_GREEN0 = redGreen(0), RED_GREEN1 = redGreen(1), RED_GREEN2 = redGreen(2);
        static final ByteVector BLUE0 = blue(0), BLUE1 = blue(1), BLUE2 = blue(2);

        private static ByteVector redGreen(int vector) {
            byte[] places = new byte[64];
            for (int j = 0; j < 64; j++) {
                int k = 64 * vector + j;
                places[j] = (byte) (k % 3 == 0 ? k / 3 : k % 3 == 1 ? 64 + k / 3 : 0);
            }
            return ByteVector.fromArray(V, places, 0);
        }

        private static ByteVector blue(int vector) {
            byte[] places = new byte[64];
            for (int j = 0; j < 64; j++) {
                int k = 64 * vector + j;
                places[j] = (byte) (k % 3 == 2 ? 64 + k / 3 : j);
            }
            return ByteVector.fromArray(V, places, 0);
        }
    }

    /** With one permutation per 8 pixels of 4 bytes each, of which 3 are kept; what is stored beyond is overwritten by the next. */
    static void by8(byte[] red, byte[] green, byte[] blue, int count, byte[] out) {
        for (int i = 0; i < count; i += 8) {
            IntVector r =
                    (IntVector) ByteVector.fromArray(By8.CHANNEL, red, i).convertShape(ZERO_EXTEND_B2I, By8.PIXELS, 0);
            IntVector g = (IntVector)
                    ByteVector.fromArray(By8.CHANNEL, green, i).convertShape(ZERO_EXTEND_B2I, By8.PIXELS, 0);
            IntVector b =
                    (IntVector) ByteVector.fromArray(By8.CHANNEL, blue, i).convertShape(ZERO_EXTEND_B2I, By8.PIXELS, 0);
            r.or(g.lanewise(LSHL, 8))
                    .or(b.lanewise(LSHL, 16))
                    .reinterpretAsBytes()
                    .rearrange(By8.THREE_OF_FOUR)
                    .intoArray(out, 3 * i);
        }
    }

    private static final class By8 {
        static final VectorSpecies<Byte> CHANNEL = ByteVector.SPECIES_64;
        static final VectorSpecies<Integer> PIXELS = IntVector.SPECIES_256;
        static final VectorShuffle<Byte> THREE_OF_FOUR =
                VectorShuffle.fromOp(ByteVector.SPECIES_256, j -> j < 24 ? j / 3 * 4 + j % 3 : 0);
    }

    /** With byte permutations of 128 bits, which every machine has. */
    static void by16(byte[] red, byte[] green, byte[] blue, int count, byte[] out) {
        for (int i = 0; i < count; i += 16) {
            ByteVector r = ByteVector.fromArray(By16.V, red, i);
            ByteVector g = ByteVector.fromArray(By16.V, green, i);
            ByteVector b = ByteVector.fromArray(By16.V, blue, i);
            r.rearrange(By16.R0)
                    .blend(g.rearrange(By16.G0), By16.IS_G0)
                    .blend(b.rearrange(By16.B0), By16.IS_B0)
                    .intoArray(out, 3 * i);
            r.rearrange(By16.R1)
                    .blend(g.rearrange(By16.G1), By16.IS_G1)
                    .blend(b.rearrange(By16.B1), By16.IS_B1)
                    .intoArray(out, 3 * i + 16);
            r.rearrange(By16.R2)
                    .blend(g.rearrange(By16.G2), By16.IS_G2)
                    .blend(b.rearrange(By16.B2), By16.IS_B2)
                    .intoArray(out, 3 * i + 32);
        }
    }

    private static final class By16 {
        static final VectorSpecies<Byte> V = ByteVector.SPECIES_128;
        static final VectorShuffle<Byte> R0 = places(0, 0), R1 = places(1, 0), R2 = places(2, 0);
        static final VectorShuffle<Byte> G0 = places(0, 1), G1 = places(1, 1), G2 = places(2, 1);
        static final VectorShuffle<Byte> B0 = places(0, 2), B1 = places(1, 2), B2 = places(2, 2);
        static final VectorMask<Byte> IS_G0 = mask(0, 1), IS_G1 = mask(1, 1), IS_G2 = mask(2, 1);
        static final VectorMask<Byte> IS_B0 = mask(0, 2), IS_B1 = mask(1, 2), IS_B2 = mask(2, 2);

        private static VectorShuffle<Byte> places(int vector, int channel) {
            return VectorShuffle.fromOp(V, j -> (16 * vector + j) % 3 == channel ? (16 * vector + j) / 3 : 0);
        }

        private static VectorMask<Byte> mask(int vector, int channel) {
            long bits = 0;
            for (int j = 0; j < 16; j++) {
                bits |= (16 * vector + j) % 3 == channel ? 1L << j : 0;
            }
            return VectorMask.fromLong(V, bits);
        }
    }
}
