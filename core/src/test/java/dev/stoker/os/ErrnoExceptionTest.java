package dev.stoker.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which failure means what; the numbers are Linux's. */
class ErrnoExceptionTest {
    private static List<Integer> numbers(Predicate<ErrnoException> meaning) {
        return IntStream.rangeClosed(1, 133)
                .filter(errno -> meaning.test(new ErrnoException(errno)))
                .boxed()
                .toList();
    }

    @Test
    void eachMeaningHasItsNumbers() {
        assertThat(numbers(ErrnoException::isMissing)).containsExactly(2);
        assertThat(numbers(ErrnoException::isBusy)).containsExactly(11);
        assertThat(numbers(ErrnoException::isInvalid)).containsExactly(22);
        assertThat(numbers(ErrnoException::isNowhere)).containsExactly(2, 20, 36);
        assertThat(numbers(ErrnoException::isShortage)).containsExactly(12, 23, 24, 105);
        assertThat(numbers(ErrnoException::isAborted)).containsExactly(103);
        assertThat(numbers(ErrnoException::isWithoutLocks)).containsExactly(37, 38, 95);
    }

    @Test
    void theMessageIsTheSystems() {
        assertThat(new ErrnoException(13)).hasMessage("Permission denied");
        assertThat(new ErrnoException(28)).hasMessage("No space left on device");
        assertThat(new ErrnoException(28).errno()).isEqualTo(28);
    }

    @Test
    void aShortageIsNotBlamedOnTheFile() {
        assertThat(FileErrors.cannotRead("x", new ErrnoException(24)))
                .hasMessage("[x] cannot be read: Too many open files; that is a limit of the process or the system, not"
                        + " of the file; raise it (that of open files: ulimit -n 4096)");
        assertThat(FileErrors.cannotRead("x", new ErrnoException(5)))
                .hasMessage("[x] cannot be read: Input/output error");
    }
}
