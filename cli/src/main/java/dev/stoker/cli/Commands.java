package dev.stoker.cli;

import java.util.List;

/** All sub-commands, in the order in which {@code stoker --help} lists them. A new one is one new line here. */
final class Commands {
    static final List<SubCommand> ALL = List.of(
            new SubCommand("demo", "makes pictures, packs them into every format, reads them back", DemoCommand::new),
            new SubCommand("pack", "packs many small files into one container", PackCommand::new),
            new SubCommand("seal", "closes a container that a running job collected", SealCommand::new),
            new SubCommand("inspect", "shows what is in a container", InspectCommand::new),
            new SubCommand("verify", "looks for damage in a container", VerifyCommand::new),
            new SubCommand("cat", "writes one value to standard output", CatCommand::new),
            new SubCommand("export", "writes the loose files again", ExportCommand::new),
            new SubCommand("convert", "turns a container into one of another format", ConvertCommand::new),
            new SubCommand("index", "derives the Index of a container that others wrote", IndexCommand::new),
            new SubCommand("formats", "lists the formats and what each can do", FormatsCommand::new),
            new SubCommand("feed", "delivers samples in batches as a training gets them", FeedCommand::new),
            new SubCommand("run", "brings data to this node, runs a command with them, cleans up", RunCommand::new),
            new SubCommand("stage", "copies data to memory or a disk of this node", StageCommand::new),
            new SubCommand("mount", "shows a container as a folder of its files", MountCommand::new),
            new SubCommand("unmount", "takes a mount away", UnmountCommand::new),
            new SubCommand("show", "draws a sheet of pictures with their labels", ShowCommand::new),
            new SubCommand("ledger", "proves what was delivered", LedgerCommand::new),
            new SubCommand("top", "shows what runs on this node, and what limits it", TopCommand::new),
            new SubCommand("serve", "reads for the Python processes of a node; they start it", ServeCommand::new),
            new SubCommand("advise", "says which format and settings suit your data, and why", AdviseCommand::new),
            new SubCommand("bench", "measures which format and settings suit data and machine", BenchCommand::new));

    private Commands() {}
}
