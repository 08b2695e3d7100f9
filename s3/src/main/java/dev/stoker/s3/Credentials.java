package dev.stoker.s3;

/**
 * Who asks.
 *
 * @param token empty for keys that do not expire
 * @param origin where they were found, in words for the user
 */
record Credentials(String accessKey, String secretKey, String token, String origin) {
    /** Shows nothing that is secret, wherever it may be printed. */
    @Override
    public String toString() {
        return "credentials from " + origin;
    }
}
