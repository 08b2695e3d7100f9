package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class PythonTest {
    private static final String EMPTY = "testkit/src/test/resources/empty-requirements.txt";

    @Test
    void runsAScriptWithArguments() {
        String printed = Python.require(EMPTY).output("import sys; print(sys.argv[1:], 'é')", 1, "two words");
        assertThat(printed).isEqualToIgnoringNewLines("['1', 'two words'] é");
    }

    @Test
    void failureOfAScriptShowsWhatItSaid() {
        Python python = Python.require(EMPTY);
        assertThatThrownBy(() -> python.output("raise ValueError('odd')"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("ValueError: odd");
    }

    @Test
    void missingEnvironmentSkipsTheTestWithTheReason() {
        assertThatThrownBy(() -> Python.require("no-such-requirements.txt"))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("no-such-requirements.txt is not there");
    }
}
