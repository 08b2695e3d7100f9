package dev.stoker.cli.help;

import dev.stoker.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes what a distribution holds beside the command: man pages, completion for three shells, and the reference. */
public final class HelpFiles {
    private HelpFiles() {}

    /** Run by the build, with the folder of the distribution and its version. */
    public static void main(String[] args) throws IOException {
        CommandModel root = CommandModel.of(Main.model());
        Path share = Path.of(args[0]).resolve("share");
        for (CommandModel command : root.all().toList()) {
            write(share.resolve("man/man1").resolve(ManPage.fileName(command)), ManPage.of(command, args[1]));
        }
        write(share.resolve("bash-completion/completions/stoker"), BashCompletion.of(root));
        write(share.resolve("zsh/site-functions/_stoker"), ZshCompletion.of(root));
        write(share.resolve("fish/vendor_completions.d/stoker.fish"), FishCompletion.of(root));
        write(share.resolve("doc/stoker/commands.md"), CommandReference.of(root));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
