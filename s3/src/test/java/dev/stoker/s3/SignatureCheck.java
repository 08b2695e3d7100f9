package dev.stoker.s3;

import com.sun.net.httpserver.HttpExchange;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a server of AWS's Signature Version 4 asks of a request as it arrived. It shares no code with {@link Signer}, and
 * sees what the HTTP client made of what was signed.
 */
final class SignatureCheck {
    private static final Pattern AUTHORIZATION = Pattern.compile(
            "AWS4-HMAC-SHA256 Credential=([^/]+)/(\\d{8})/([^/]+)/s3/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'");
    private static final Duration MOST_AGE = Duration.ofMinutes(15);

    private final String accessKey;
    private final String secret;
    private final String region;

    SignatureCheck(String accessKey, String secret, String region) {
        this.accessKey = accessKey;
        this.secret = secret;
        this.region = region;
    }

    /** The code of the error that S3 would answer with; empty if the request is signed as it should be. */
    String fault(HttpExchange exchange, byte[] body) {
        Matcher found = AUTHORIZATION.matcher(header(exchange, "authorization"));
        if (!found.matches() || !found.group(3).equals(region)) {
            return "AuthorizationHeaderMalformed";
        }
        if (!found.group(1).equals(accessKey)) {
            return "InvalidAccessKeyId";
        }
        String time = header(exchange, "x-amz-date");
        Instant signed = LocalDateTime.parse(time, TIME).toInstant(ZoneOffset.UTC);
        if (!time.startsWith(found.group(2))
                || Duration.between(signed, Instant.now()).abs().compareTo(MOST_AGE) > 0) {
            return "RequestTimeTooSkewed";
        }
        String bodyHash = sha256(body);
        if (!header(exchange, "x-amz-content-sha256").equals(bodyHash)) {
            return "XAmzContentSHA256Mismatch";
        }
        List<String> names = List.of(found.group(4).split(";"));
        if (!areAllSigned(exchange, names)) {
            return "AccessDenied";
        }
        String scope = found.group(2) + "/" + region + "/s3/aws4_request";
        String request = canonical(exchange, names, bodyHash);
        String toSign =
                "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n" + sha256(request.getBytes(StandardCharsets.UTF_8));
        byte[] key = ("AWS4" + secret).getBytes(StandardCharsets.UTF_8);
        for (String part : scope.split("/")) {
            key = mac(key, part);
        }
        return HexFormat.of().formatHex(mac(key, toSign)).equals(found.group(5)) ? "" : "SignatureDoesNotMatch";
    }

    /** S3 wants the host signed, and every header of its own. */
    private static boolean areAllSigned(HttpExchange exchange, List<String> names) {
        return names.contains("host")
                && exchange.getRequestHeaders().keySet().stream()
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .filter(name -> name.startsWith("x-amz-"))
                        .allMatch(names::contains);
    }

    private static String canonical(HttpExchange exchange, List<String> names, String bodyHash) {
        URI uri = exchange.getRequestURI();
        String query = uri.getRawQuery() == null
                ? ""
                : Arrays.stream(uri.getRawQuery().split("&")).sorted().collect(Collectors.joining("&"));
        String headers = names.stream()
                .map(name -> name + ":" + header(exchange, name).strip().replaceAll(" +", " ") + "\n")
                .collect(Collectors.joining());
        return String.join(
                "\n", exchange.getRequestMethod(), uri.getRawPath(), query, headers, String.join(";", names), bodyHash);
    }

    private static String header(HttpExchange exchange, String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] mac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
