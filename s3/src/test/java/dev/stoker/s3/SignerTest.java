package dev.stoker.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The examples of AWS's description of Signature Version 4 for S3. */
class SignerTest {
    private static final Instant TIME = Instant.parse("2013-05-24T00:00:00Z");
    private final Signer signer = new Signer(
            new Credentials("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "", "a test"),
            "us-east-1");

    private String sign(String method, String path, String query, Map<String, String> headers, String hash) {
        String signed = signer.sign(method, "examplebucket.s3.amazonaws.com", path, query, headers, hash, TIME)
                .get("authorization");
        return signed.substring(signed.lastIndexOf('=') + 1);
    }

    @Test
    void getObject() {
        assertThat(sign("GET", "/test.txt", "", Map.of("range", "bytes=0-9"), Signer.NO_BODY))
                .isEqualTo("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
    }

    @Test
    void putObject() {
        String hash = Signer.sha256("Welcome to Amazon S3.".getBytes(StandardCharsets.UTF_8));
        var headers = Map.of("date", "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class", "REDUCED_REDUNDANCY");
        assertThat(sign("PUT", "/" + Signer.encode("test$file.text", true), "", headers, hash))
                .isEqualTo("98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
    }

    @Test
    void getBucketLifecycle() {
        assertThat(sign("GET", "/", "lifecycle=", Map.of(), Signer.NO_BODY))
                .isEqualTo("fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
    }

    @Test
    void listObjects() {
        assertThat(sign("GET", "/", "max-keys=2&prefix=J", Map.of(), Signer.NO_BODY))
                .isEqualTo("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
    }

    @Test
    void aTokenIsSignedToo() {
        var with = new Signer(new Credentials("id", "secret", "token", "a test"), "eu-central-1");
        Map<String, String> headers = with.sign("GET", "host", "/", "", Map.of(), Signer.NO_BODY, TIME);
        assertThat(headers).containsEntry("x-amz-security-token", "token");
        assertThat(headers.get("authorization"))
                .contains("x-amz-security-token")
                .doesNotContain("secret");
    }

    @Test
    void everythingButPlainLettersIsEncoded() {
        assertThat(Signer.encode("a b+c/ü~%", true)).isEqualTo("a%20b%2Bc/%C3%BC~%25");
        assertThat(Signer.encode("a/b", false)).isEqualTo("a%2Fb");
    }
}
