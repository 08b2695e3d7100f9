package dev.stoker.cli.help;

import dev.stoker.cli.Main;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = "Print a script that completes commands, options and their values in your shell.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(stoker completion bash)          in ~/.bashrc",
            "  source <(stoker completion zsh)           in ~/.zshrc, after compinit",
            "  stoker completion fish | source           in ~/.config/fish/config.fish",
        })
public final class CompletionCommand implements Callable<Integer> {
    /** The shells that there is a script for. */
    enum Shell {
        bash,
        zsh,
        fish
    }

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "Your shell: ${COMPLETION-CANDIDATES}.")
    private Shell shell;

    @Override
    public Integer call() {
        CommandModel root = CommandModel.of(Main.model());
        String script = switch (shell) {
            case bash -> BashCompletion.of(root);
            case zsh -> ZshCompletion.of(root);
            case fish -> FishCompletion.of(root);
        };
        spec.commandLine().getOut().print(script);
        spec.commandLine().getOut().flush();
        return 0;
    }
}
