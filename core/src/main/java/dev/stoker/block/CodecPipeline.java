package dev.stoker.block;

import dev.stoker.StokerException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The steps that decode a block, in the order in which they are taken; without a step the stored bytes are the decoded
 * ones. At most one step compresses, so every length in between follows from the stored and the decoded length.
 */
public record CodecPipeline(List<Step> steps) {
    /** Stored as it is. */
    public static final CodecPipeline NONE = new CodecPipeline(List.of());

    /**
     * One step.
     *
     * @param numbers what the codec has to know, as it documents it
     */
    public record Step(String codec, List<Long> numbers) {
        public Step {
            numbers = List.copyOf(numbers);
        }

        private long[] values() {
            return numbers.stream().mapToLong(Long::longValue).toArray();
        }
    }

    public CodecPipeline {
        steps = List.copyOf(steps);
    }

    /** A pipeline of one step. */
    public static CodecPipeline of(String codec, Long... numbers) {
        return NONE.then(codec, numbers);
    }

    /** This and then one step more. */
    public CodecPipeline then(String codec, Long... numbers) {
        var longer = new ArrayList<>(steps);
        longer.add(new Step(codec, List.of(numbers)));
        return new CodecPipeline(longer);
    }

    /** Whether the stored bytes are the decoded ones. */
    public boolean isPlain() {
        return steps.isEmpty();
    }

    /** Decodes into memory of its own. */
    public MemorySegment decode(MemorySegment stored, long decodedBytes) throws IOException {
        // Before there is memory for it.
        for (Step step : steps) {
            requirePossible(Codecs.named(step.codec()), stored.byteSize(), decodedBytes);
        }
        MemorySegment to = DecodedMemory.allocate(decodedBytes);
        decode(stored, to);
        return to;
    }

    /** Decodes; fills the target to its last byte or throws. */
    public void decode(MemorySegment stored, MemorySegment to) throws IOException {
        if (isPlain()) {
            requireLength(stored, to.byteSize());
            MemorySegment.copy(stored, 0, to, 0, to.byteSize());
            return;
        }
        long[] lengths = lengths(stored.byteSize(), to.byteSize());
        MemorySegment from = own(stored);
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            Codec codec = Codecs.named(step.codec());
            requirePossible(codec, from.byteSize(), lengths[i]);
            boolean isLast = i == steps.size() - 1;
            MemorySegment made = isLast ? to : DecodedMemory.allocate(lengths[i]);
            long needed = codec.storedBytes(made.byteSize());
            if (needed != Codec.COMPRESSES) {
                requireLength(from, needed);
            }
            codec.decode(from, made, step.values());
            from = made;
        }
    }

    /** A page of a mapped file that cannot be read would end the JVM in a library's code, but not while it is copied. */
    private static MemorySegment own(MemorySegment stored) {
        return stored.isMapped() ? DecodedMemory.allocate(stored.byteSize()).copyFrom(stored) : stored;
    }

    /** How many bytes each step makes: known from the end back to the step that compresses, and from the start up to it. */
    private long[] lengths(long stored, long decoded) {
        var lengths = new long[steps.size()];
        int i = steps.size() - 1;
        long length = decoded;
        for (; i >= 0 && length != Codec.COMPRESSES; i--) {
            lengths[i] = length;
            length = Codecs.named(steps.get(i).codec()).storedBytes(length);
        }
        for (; i >= 0; i--) {
            lengths[i] = made(i, stored);
        }
        return lengths;
    }

    /** What the steps up to one make of the stored bytes, where none of them compresses. */
    private long made(int last, long stored) {
        long length = stored;
        for (int i = 0; i <= last; i++) {
            long more = Codecs.named(steps.get(i).codec()).storedBytes(0);
            if (more == Codec.COMPRESSES) {
                throw new StokerException("a block that was compressed twice (" + this + ") is not supported");
            }
            length -= more;
        }
        return Math.max(0, length);
    }

    /** The most bytes that so many stored ones can make. */
    public long mostBytes(long stored) {
        long most = Long.MAX_VALUE;
        boolean compresses = false;
        for (Step step : steps) {
            Codec codec = Codecs.named(step.codec());
            compresses |= codec.storedBytes(0) == Codec.COMPRESSES;
            most = Math.min(most, codec.mostBytes(stored));
        }
        return compresses ? most : stored;
    }

    private static void requirePossible(Codec codec, long stored, long decoded) throws IOException {
        if (decoded > codec.mostBytes(stored)) {
            throw new IOException(stored + " bytes of " + codec.name() + " cannot make " + decoded + " bytes");
        }
    }

    private static void requireLength(MemorySegment stored, long expected) throws IOException {
        if (stored.byteSize() != expected) {
            throw new IOException("it should have " + expected + " bytes but has " + stored.byteSize());
        }
    }

    @Override
    public String toString() {
        return isPlain()
                ? "stored"
                : String.join(" then ", steps.stream().map(Step::codec).toList());
    }
}
