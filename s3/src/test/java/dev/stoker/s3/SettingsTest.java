package dev.stoker.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
    @TempDir
    Path home;

    @BeforeEach
    void files() throws IOException {
        Files.createDirectory(home.resolve(".aws"));
        Files.writeString(home.resolve(".aws/credentials"), """
                # mine
                [default]
                aws_access_key_id = id1
                aws_secret_access_key=secret1

                [lab]
                aws_access_key_id = id2
                aws_secret_access_key = secret2
                aws_session_token = token2
                """);
        Files.writeString(home.resolve(".aws/config"), """
                [default]
                region = eu-west-3
                [profile lab]
                region = eu-central-1
                services = lab-services
                s3 =
                  addressing_style = virtual
                [services lab-services]
                s3 =
                  endpoint_url = https://s3.lab.example
                """);
    }

    @Test
    void variablesComeFirst() {
        var settings = Settings.of(
                Map.of(
                        "AWS_ACCESS_KEY_ID", "id",
                        "AWS_SECRET_ACCESS_KEY", "secret",
                        "AWS_REGION", "us-west-2",
                        "AWS_ENDPOINT_URL", "http://other:1",
                        "AWS_ENDPOINT_URL_S3", "http://localhost:7070"),
                home);
        assertThat(settings.endpoint()).isEqualTo(URI.create("http://localhost:7070"));
        assertThat(settings.region()).isEqualTo("us-west-2");
        assertThat(settings.isPathStyle()).isTrue();
        assertThat(settings.credentials()).extracting(Credentials::accessKey).isEqualTo("id");
    }

    @Test
    void theDefaultProfile() {
        var settings = Settings.of(Map.of(), home);
        assertThat(settings.endpoint()).isNull();
        assertThat(settings.region()).isEqualTo("eu-west-3");
        assertThat(settings.isPathStyle()).isFalse();
        assertThat(settings.credentials()).extracting(Credentials::secretKey).isEqualTo("secret1");
    }

    @Test
    void aProfileWithServices() {
        var settings = Settings.of(Map.of("AWS_PROFILE", "lab"), home);
        assertThat(settings.endpoint()).isEqualTo(URI.create("https://s3.lab.example"));
        assertThat(settings.isPathStyle()).isFalse();
        assertThat(settings.credentials()).extracting(Credentials::token).isEqualTo("token2");
    }

    @Test
    void aProfileThatIsNotThere() {
        assertThatThrownBy(() -> Settings.of(Map.of("AWS_PROFILE", "nobody"), home))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("'nobody'");
    }

    @Test
    void secretsAreNeverShown() {
        assertThat(Settings.of(Map.of(), home).toString())
                .doesNotContain("secret1")
                .doesNotContain("id1")
                .contains("the profile 'default' in ~/.aws");
    }

    @Test
    void anEndpointWithAPasswordIsRefusedAndNotShown() {
        assertThatThrownBy(() -> Settings.of(Map.of("AWS_ENDPOINT_URL", "http://me:hidden@host"), home))
                .hasMessage("the S3 endpoint (AWS_ENDPOINT_URL) should be like https://host:port");
    }
}
