package dev.stoker.write;

import dev.stoker.UsageException;
import dev.stoker.io.OutputFile;
import dev.stoker.os.FileErrors;
import dev.stoker.write.Packer.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Has the whole container made by another program. What a killed attempt left is of no use: it starts over. */
record ExternalPack(PackContext pack, PackLeader leader) {
    Result run() {
        pack.planner().refuseSplits();
        PartialFiles files = pack.files();
        if (pack.writers() > 1) {
            throw new UsageException(
                    files.output(),
                    "cannot be written by " + pack.writers()
                            + " ranks: mksquashfs writes it in one go; pack with one process, or without --compression");
        }
        pack.output().makeFolder();
        long samples = pack.samples().count();
        var made = new ExternalContainer(pack.samples(), pack.format());
        try (var journal = files.openJournal(
                0, pack.samples().fingerprint(), pack.settings().resume())) {
            if (pack.output().isLeft()) {
                leader.requireCompleted(journal);
                files.clean(pack.settings().sync());
                return new Result(samples, Files.size(files.output()), 1, 1, "");
            }
            files.delete();
            pack.progress().begin("filling", samples, made.bytes());
            made.make(pack.settings().options(), files.container(), files.index(), pack.progress());
            pack.requireUnchanged();
            long bytes = Files.size(files.container());
            seal(journal);
            return new Result(samples, bytes, 1, 0, "");
        } catch (IOException e) {
            throw FileErrors.cannotWrite(files.container(), e);
        }
    }

    private void seal(Journal journal) {
        pack.progress().phase("sealing");
        boolean sync = pack.settings().sync();
        if (sync) {
            sync(pack.files().container());
            sync(pack.files().index());
        }
        journal.seal(sync);
        leader.publish(true);
    }

    private static void sync(Path path) {
        try (var file = OutputFile.open(path)) {
            file.sync();
        }
    }
}
