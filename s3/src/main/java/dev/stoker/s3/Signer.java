package dev.stoker.s3;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs requests by AWS's Signature Version 4. */
final class Signer {
    /** SHA-256 of nothing. */
    static final String NO_BODY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String TERMINATOR = "aws4_request";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final int DATE_LENGTH = 8;
    private static final HexFormat UPPER = HexFormat.of().withUpperCase();

    private final String accessKey;
    private final String token;
    private final byte[] secret;
    private final String region;

    Signer(Credentials credentials, String region) {
        this.accessKey = credentials.accessKey();
        this.token = credentials.token();
        this.secret = ("AWS4" + credentials.secretKey()).getBytes(StandardCharsets.UTF_8);
        this.region = region;
    }

    /**
     * The headers that a request is sent with.
     *
     * @param path as it is sent: encoded
     * @param query as it is sent: encoded and sorted
     * @param headers those that the request has, their names in small letters; all are signed
     * @param bodyHash SHA-256 of the body
     */
    SortedMap<String, String> sign(
            String method,
            String host,
            String path,
            String query,
            Map<String, String> headers,
            String bodyHash,
            Instant now) {
        String time = TIME.format(now);
        var signed = new TreeMap<>(headers);
        signed.put("host", host);
        signed.put("x-amz-content-sha256", bodyHash);
        signed.put("x-amz-date", time);
        if (!token.isEmpty()) {
            signed.put("x-amz-security-token", token);
        }
        var canonical = new StringBuilder();
        canonical
                .append(method)
                .append('\n')
                .append(path)
                .append('\n')
                .append(query)
                .append('\n');
        signed.forEach((name, value) ->
                canonical.append(name).append(':').append(value.strip()).append('\n'));
        String names = String.join(";", signed.keySet());
        canonical.append('\n').append(names).append('\n').append(bodyHash);
        String scope = time.substring(0, DATE_LENGTH) + "/" + region + "/s3/" + TERMINATOR;
        String toSign = ALGORITHM + "\n" + time + "\n" + scope + "\n" + sha256(bytes(canonical.toString()));
        String signature = HexFormat.of().formatHex(mac(key(time.substring(0, DATE_LENGTH)), toSign));
        signed.put(
                "authorization",
                ALGORITHM + " Credential=" + accessKey + "/" + scope + ",SignedHeaders=" + names + ",Signature="
                        + signature);
        return signed;
    }

    private byte[] key(String date) {
        return mac(mac(mac(mac(secret, date), region), "s3"), TERMINATOR);
    }

    private static byte[] mac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(bytes(text));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(digest("SHA-256").digest(bytes));
    }

    static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + algorithm, e);
        }
    }

    /** Encodes as the signature wants it: everything but letters, digits and {@code -._~}, and in paths slashes. */
    static String encode(String text, boolean isPath) {
        var encoded = new StringBuilder();
        for (byte b : bytes(text)) {
            boolean isPlain = (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9');
            if (isPlain || "-._~".indexOf(b) >= 0 || (isPath && b == '/')) {
                encoded.append((char) b);
            } else {
                encoded.append('%').append(UPPER.toHexDigits(b));
            }
        }
        return encoded.toString();
    }
}
