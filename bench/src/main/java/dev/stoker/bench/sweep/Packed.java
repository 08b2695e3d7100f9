package dev.stoker.bench.sweep;

/**
 * A container that was written to be measured.
 *
 * @param bytes of the container, without its sidecar
 */
record Packed(String path, long bytes, double seconds, Mapping mapping) {
    static Packed of(Message answer) {
        return new Packed(
                answer.text("path"),
                answer.number("bytes"),
                answer.real("seconds"),
                Mapping.valueOf(answer.text("mapping")));
    }
}
