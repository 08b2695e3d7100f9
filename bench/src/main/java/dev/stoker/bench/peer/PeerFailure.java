package dev.stoker.bench.peer;

/** A peer cannot take part, or not any more. The message is the reason, as the report lists it. */
final class PeerFailure extends Exception {
    private static final long serialVersionUID = 1L;

    PeerFailure(String reason) {
        super(reason);
    }

    PeerFailure(String reason, Throwable cause) {
        super(reason, cause);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
