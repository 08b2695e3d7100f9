package dev.stoker.formats.lmdb;

/** The keys of one split's samples, in LMDB's order: bytewise, and what is shorter first. */
interface Keys {
    long count();

    /** The sample that has a rank in this order. */
    long sample(long rank);

    byte[] key(long rank);

    int keyBytes(long rank);

    /** Numbers with leading zeros, so that their order is that of the samples. */
    record Numbers(long first, long count) implements Keys {
        static final int DIGITS = 9;

        @Override
        public long sample(long rank) {
            return first + rank;
        }

        @Override
        public byte[] key(long rank) {
            var key = new byte[keyBytes(rank)];
            long rest = rank;
            for (int i = key.length - 1; i >= 0; i--) {
                key[i] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
            return key;
        }

        @Override
        public int keyBytes(long rank) {
            return count <= 1_000_000_000 ? DIGITS : Long.toString(count - 1).length();
        }
    }
}
