package dev.stoker.cli;

import dev.stoker.cli.bench.AdviseCommand;
import dev.stoker.cli.bench.BenchCommand;
import dev.stoker.cli.bench.DemoCommand;
import dev.stoker.cli.container.CatCommand;
import dev.stoker.cli.container.ExportCommand;
import dev.stoker.cli.container.FormatsCommand;
import dev.stoker.cli.container.IndexCommand;
import dev.stoker.cli.container.InspectCommand;
import dev.stoker.cli.container.ShowCommand;
import dev.stoker.cli.container.VerifyCommand;
import dev.stoker.cli.feed.FeedCommand;
import dev.stoker.cli.feed.LedgerCommand;
import dev.stoker.cli.feed.ServeCommand;
import dev.stoker.cli.feed.TopCommand;
import dev.stoker.cli.help.CompletionCommand;
import dev.stoker.cli.pack.ConvertCommand;
import dev.stoker.cli.pack.PackCommand;
import dev.stoker.cli.pack.SealCommand;
import dev.stoker.cli.stage.MountCommand;
import dev.stoker.cli.stage.RunCommand;
import dev.stoker.cli.stage.StageCommand;
import dev.stoker.cli.stage.UnmountCommand;
import java.util.List;

/** All sub-commands, in the order in which {@code stoker --help} lists them. A new one is one new line here. */
public final class Commands {
    public static final List<SubCommand> ALL = List.of(
            new SubCommand("demo", "Pack sample pictures into every format and read them back", DemoCommand::new),
            new SubCommand("pack", "Pack many small files into one container", PackCommand::new),
            new SubCommand("seal", "Complete a container that a running job collected", SealCommand::new),
            new SubCommand("inspect", "Show the contents of a container", InspectCommand::new),
            new SubCommand("verify", "Check a container for damage, or repair it", VerifyCommand::new),
            new SubCommand("cat", "Write one value to standard output", CatCommand::new),
            new SubCommand("export", "Restore the original files", ExportCommand::new),
            new SubCommand("convert", "Convert a container to another format", ConvertCommand::new),
            new SubCommand("index", "Index a container written by other tools", IndexCommand::new),
            new SubCommand("formats", "List the formats and their capabilities", FormatsCommand::new),
            new SubCommand("feed", "Deliver samples in batches, as to a training loop", FeedCommand::new),
            new SubCommand("run", "Stage data on this node, run a command, and clean up", RunCommand::new),
            new SubCommand("stage", "Copy data to this node's memory or disk", StageCommand::new),
            new SubCommand("mount", "Mount a container as a folder of files", MountCommand::new),
            new SubCommand("unmount", "Unmount a container", UnmountCommand::new),
            new SubCommand("show", "Draw a contact sheet of pictures with their labels", ShowCommand::new),
            new SubCommand("ledger", "Prove that every sample was delivered exactly once", LedgerCommand::new),
            new SubCommand("top", "Show what is running on this node and what limits it", TopCommand::new),
            new SubCommand("serve", "Read for a node's Python processes (started by them)", ServeCommand::new),
            new SubCommand("advise", "Recommend a format and settings for your data", AdviseCommand::new),
            new SubCommand("bench", "Measure formats and settings on your data and machine", BenchCommand::new),
            new SubCommand("completion", "Print a completion script for bash, zsh or fish", CompletionCommand::new));

    private Commands() {}
}
