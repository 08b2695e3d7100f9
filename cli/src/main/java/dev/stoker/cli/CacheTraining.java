package dev.stoker.cli;

import dev.stoker.cli.bench.DemoPictures;
import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the launcher runs once to record the start-up cache: classes that are loaded here start faster later, and
 * methods that are busy here are compiled sooner. So it packs and feeds, in small, as users do in large; with the argument
 * {@code decode}, which the launcher gives for commands that decode pictures, it decodes.
 */
final class CacheTraining {
    private static final int FILES = 4000;
    private static final String FEED_EPOCHS = "30";
    private static final int PICTURES_PER_CLASS = 8;

    private CacheTraining() {}

    public static void main(String[] args) throws IOException {
        run("--help");
        run("--version");
        run("--no-such-option");
        for (SubCommand command : Commands.ALL) {
            run(command.name(), "--help");
        }
        Path folder = Files.createTempDirectory("stoker-training");
        try {
            if (List.of(args).contains("decode")) {
                decode(folder);
            } else {
                pack(folder);
                feed(folder.resolve("x.stk").toString());
            }
        } finally {
            delete(folder);
        }
        System.exit(0); // as Main ends
    }

    private static void pack(Path folder) throws IOException {
        for (int i = 0; i < FILES; i++) {
            Path file = folder.resolve("files/" + i % 10 + "/" + i + ".bin");
            Files.createDirectories(file.getParent());
            Files.write(file, new byte[i]);
        }
        for (Format format : Formats.all()) {
            if (format.can(Capability.WRITE) && format.can(Capability.SINGLE_FILE)) {
                String out =
                        folder.resolve("x." + format.extensions().getFirst()).toString();
                run("pack", folder.resolve("files").toString(), "-o", out, "--no-sync");
                run("inspect", out);
                run("verify", out);
            }
        }
    }

    private static void feed(String file) {
        for (String mode : List.of("map", "pread")) {
            run("feed", file, "--epochs", FEED_EPOCHS, "--read", mode);
        }
    }

    private static void decode(Path folder) {
        DemoPictures.write(folder.resolve("pictures"), PICTURES_PER_CLASS);
        String out = folder.resolve("x.stk").toString();
        run("pack", folder.resolve("pictures").toString(), "-o", out, "--no-sync");
        for (String transform :
                new String[] {"RandomResizedCrop(224),RandomHorizontalFlip", "Resize(256),CenterCrop(224)"}) {
            run("feed", out, "--decode", "image", "--transform", transform, "--epochs", "20");
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static void run(String... args) {
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        Main.run(Commands.ALL, out, out, args);
        out.flush();
    }
}
