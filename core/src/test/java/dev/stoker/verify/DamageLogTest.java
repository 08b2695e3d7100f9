package dev.stoker.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Threads that look at different things find damage in any order; the report must not depend on it. */
class DamageLogTest {
    @Test
    void theOrderOfFindingDoesNotMatter() {
        var damages = new DamageLog(damage -> {});
        damages.add(of(Verifier.Kind.FRAME, 3));
        damages.add(of(Verifier.Kind.VALUE, 3));
        damages.add(of(Verifier.Kind.EDGE, -1));
        damages.add(of(Verifier.Kind.VALUE, 1));
        damages.add(of(Verifier.Kind.INDEX, -1));
        assertThat(damages.listed())
                .containsExactly(
                        of(Verifier.Kind.INDEX, -1),
                        of(Verifier.Kind.EDGE, -1),
                        of(Verifier.Kind.VALUE, 1),
                        of(Verifier.Kind.VALUE, 3),
                        of(Verifier.Kind.FRAME, 3));
    }

    @Test
    void valuesAreNamedHoweverMuchOfTheFrameIsDamaged() {
        List<Verifier.Damage> told = new ArrayList<>();
        var damages = new DamageLog(told::add);
        for (int i = 0; i < 5000; i++) {
            damages.add(of(Verifier.Kind.FRAME, i));
        }
        damages.add(of(Verifier.Kind.VALUE, 4999));
        assertThat(damages.count()).isEqualTo(5001);
        assertThat(damages.listed()).hasSize(1000).endsWith(of(Verifier.Kind.VALUE, 4999));
        assertThat(told).hasSize(5001);
    }

    private static Verifier.Damage of(Verifier.Kind kind, long sample) {
        return new Verifier.Damage(kind, sample, "data", "changed");
    }
}
