package dev.stoker.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContestantTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private Contestant shell(String script) {
        return new Contestant("tar", List.of("sh", "-c", script), folder.resolve("log"));
    }

    private static void assertFails(Contestant contestant, Duration limit, String reason) {
        assertThatThrownBy(() -> contestant.ask(Map.of("do", "pass"), limit))
                .isInstanceOf(StokerException.class)
                .hasMessage(reason);
    }

    @Test
    void answersLineByLine() {
        try (var contestant = shell("while read line; do echo '{\"seconds\":2.5,\"flag\":true}'; done")) {
            for (int i = 0; i < 3; i++) {
                Message answer = contestant.ask(Map.of("do", "pass"), LONG);
                assertThat(answer.real("seconds")).isEqualTo(2.5);
                assertThat(answer.flag("flag")).isTrue();
            }
        }
    }

    @Test
    void aCrashHasItsCodeAndLastWords() {
        try (var contestant = shell("read line; echo 'no more memory' >&2; exit 3")) {
            assertFails(contestant, LONG, "its process ended with exit code 3: no more memory");
        }
    }

    @Test
    void oneThatHangsIsEnded() {
        try (var contestant = shell("read line; exec sleep 1000")) {
            assertFails(contestant, Duration.ofMillis(200), "no answer within 0 s, so it was ended");
        }
    }

    @Test
    void oneThatDiedIsStartedAgainOnce() {
        try (var contestant = shell("read line; exit 3")) {
            assertFails(contestant, LONG, "its process ended with exit code 3");
            assertFails(contestant, LONG, "its process ended with exit code 3");
            assertFails(
                    contestant, LONG, "gave up after its process crashed 2 times: its process ended with exit code 3");
        }
    }

    @Test
    void aReasonIsPassedOn() {
        try (var contestant = shell("while read line; do echo '{\"failed\":\"[x.tar] is damaged\"}'; done")) {
            assertFails(contestant, LONG, "[x.tar] is damaged");
            assertFails(contestant, LONG, "[x.tar] is damaged");
        }
    }

    @Test
    void nonsenseIsAFailureToo() {
        try (var contestant = shell("read line; echo '# A fatal error has been detected'; exit 134")) {
            assertFails(contestant, LONG, "its process ended with exit code 134");
        }
        try (var contestant = new Contestant("tar", List.of("/no/such/program"), folder.resolve("log"))) {
            assertThatThrownBy(() -> contestant.ask(Map.of("do", "pass"), LONG))
                    .isInstanceOf(StokerException.class)
                    .hasMessageContaining("it cannot be started: ");
        }
    }
}
