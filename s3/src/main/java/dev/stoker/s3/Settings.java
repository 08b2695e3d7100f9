package dev.stoker.s3;

import dev.stoker.StokerException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where S3 is and who asks, as the AWS tools find it: variables first, then the profile's settings in {@code ~/.aws}.
 *
 * @param endpoint null for Amazon's own
 * @param credentials null if none were found
 * @param isAnonymous whether requests are not signed, as for public data
 * @param isPathStyle whether the bucket stands in the path instead of the host's name
 * @param patience how long a storage that answered before may be silent or fail
 */
record Settings(
        @Nullable URI endpoint,
        String region,
        @Nullable Credentials credentials,
        boolean isAnonymous,
        boolean isPathStyle,
        Duration patience) {
    private static final String ID = "aws_access_key_id";
    private static final String SECRET = "aws_secret_access_key";

    /** What is set for this process. */
    static Settings of(Map<String, String> environment, Path home) {
        String named = first(environment, "AWS_PROFILE", "AWS_DEFAULT_PROFILE");
        String profile = named.isEmpty() ? "default" : named;
        Profiles config = Profiles.read(file(environment, "AWS_CONFIG_FILE", home.resolve(".aws/config")));
        Profiles secrets =
                Profiles.read(file(environment, "AWS_SHARED_CREDENTIALS_FILE", home.resolve(".aws/credentials")));
        if (!named.isEmpty() && !config.has(named) && !secrets.has(named)) {
            throw new StokerException("AWS_PROFILE names the profile '" + named
                    + "', but neither ~/.aws/config nor ~/.aws/credentials has it");
        }
        String services = config.get(profile, "services");
        URI endpoint = endpoint(firstOf(
                first(environment, "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"),
                config.get("services " + services, "s3.endpoint_url"),
                config.get(profile, "s3.endpoint_url"),
                config.get(profile, "endpoint_url")));
        String region = firstOf(
                first(environment, "AWS_REGION", "AWS_DEFAULT_REGION"), config.get(profile, "region"), "us-east-1");
        String style = config.get(profile, "s3.addressing_style");
        boolean isAnonymous = first(environment, "AWS_NO_SIGN_REQUEST").matches("(?i)yes|true|1");
        return new Settings(
                endpoint,
                region,
                credentials(environment, profile, config, secrets),
                isAnonymous,
                style.equals("path") || (endpoint != null && !style.equals("virtual")),
                Duration.ofSeconds(seconds(first(environment, "STOKER_S3_PATIENCE"))));
    }

    private static Path file(Map<String, String> environment, String variable, Path usual) {
        String named = first(environment, variable);
        return named.isEmpty() ? usual : Path.of(named);
    }

    private static @Nullable Credentials credentials(
            Map<String, String> environment, String profile, Profiles config, Profiles secrets) {
        String id = first(environment, "AWS_ACCESS_KEY_ID");
        String secret = first(environment, "AWS_SECRET_ACCESS_KEY");
        if (!id.isEmpty() && !secret.isEmpty()) {
            return new Credentials(id, secret, first(environment, "AWS_SESSION_TOKEN"), "AWS_ACCESS_KEY_ID");
        }
        for (Profiles file : new Profiles[] {secrets, config}) {
            if (!file.get(profile, ID).isEmpty() && !file.get(profile, SECRET).isEmpty()) {
                return new Credentials(
                        file.get(profile, ID),
                        file.get(profile, SECRET),
                        file.get(profile, "aws_session_token"),
                        "the profile '" + profile + "' in ~/.aws");
            }
        }
        return null;
    }

    private static @Nullable URI endpoint(String text) {
        if (text.isEmpty()) {
            return null;
        }
        try {
            var endpoint = new URI(text);
            boolean isPlain = endpoint.getHost() != null && endpoint.getUserInfo() == null;
            if (isPlain && String.valueOf(endpoint.getScheme()).matches("https?")) {
                return endpoint;
            }
        } catch (URISyntaxException e) {
            // Said below, as for what is an address of something else.
        }
        throw new StokerException("the S3 endpoint (AWS_ENDPOINT_URL) should be like https://host:port");
    }

    private static long seconds(String text) {
        if (text.isEmpty()) {
            return 60;
        }
        if (!text.matches("[1-9]\\d{0,4}")) {
            throw new StokerException("STOKER_S3_PATIENCE should be a number of seconds but is '" + text + "'");
        }
        return Long.parseLong(text);
    }

    private static String first(Map<String, String> environment, String... names) {
        for (String name : names) {
            String value = environment.getOrDefault(name, "").strip();
            if (!value.isEmpty()) {
                return value;
            }
        }
        return "";
    }

    private static String firstOf(String... values) {
        for (String value : values) {
            if (!value.isEmpty()) {
                return value;
            }
        }
        return "";
    }
}
