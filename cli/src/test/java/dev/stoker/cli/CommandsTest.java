package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommandsTest {
    @Test
    void namesAreUnique() {
        assertThat(Commands.ALL).extracting(SubCommand::name).doesNotHaveDuplicates();
    }

    @Test
    void everyCommandCanBeMade() {
        assertThat(Commands.ALL)
                .allSatisfy(command -> assertThat(command.create().get()).isNotNull());
    }
}
