package dev.stoker.stage.node;

import dev.stoker.os.LocalSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/** Who owns a file or folder, and who may do what with it. A symbolic link is described itself. */
public record FileAttributes(boolean isFolder, int user, int mode) {
    private static final int PERMISSIONS = 07777;

    public static FileAttributes of(Path path) throws IOException {
        Map<String, Object> found = Files.readAttributes(path, "unix:mode,uid,isDirectory", LinkOption.NOFOLLOW_LINKS);
        return new FileAttributes(
                Boolean.TRUE.equals(found.get("isDirectory")),
                number(found, "uid"),
                number(found, "mode") & PERMISSIONS);
    }

    private static int number(Map<String, Object> found, String name) {
        return found.get(name) instanceof Integer number ? number : -1;
    }

    public boolean isMine() {
        return user == LocalSocket.user();
    }
}
