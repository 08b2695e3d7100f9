package dev.stoker.hadoop;

import dev.stoker.StokerException;
import dev.stoker.remote.RemoteException;
import dev.stoker.remote.RemoteObject;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.jspecify.annotations.Nullable;

/** One filesystem of Hadoop's, set up as Spark says: {@code core-site.xml} and all {@code spark.hadoop.*}. */
final class HadoopFiles {
    private final Path root;
    private final FileSystem system;

    private HadoopFiles(Path root, FileSystem system) {
        this.root = root;
        this.system = system;
    }

    static HadoopFiles open(String scheme, String authority) {
        // Without an authority, it is Hadoop's default one.
        var root = new Path(scheme, authority.isEmpty() ? null : authority, "/");
        SparkEnv spark = SparkEnv.get();
        try {
            var settings = SparkHadoopUtil.get().newConfiguration(spark == null ? new SparkConf() : spark.conf());
            return new HadoopFiles(root, FileSystem.get(root.toUri(), settings));
        } catch (IOException | RuntimeException e) {
            throw failed(
                    root,
                    "the Hadoop of this Spark cannot open it (jars that it needs belong in SPARK_HOME/jars, settings"
                            + " into spark-defaults.conf, as spark.hadoop.*)",
                    e);
        }
    }

    private Path path(String key) {
        return key.isEmpty() ? root : new Path(root, new Path(null, null, "/" + key));
    }

    /** What is there; null if nothing is. */
    private @Nullable FileStatus status(Path path) {
        try {
            return system.getFileStatus(path);
        } catch (FileNotFoundException e) {
            return null;
        } catch (IOException | RuntimeException e) {
            throw failed(path, e);
        }
    }

    @Nullable
    RemoteObject find(String key) {
        return object(status(path(key)));
    }

    boolean isFolder(String key) {
        FileStatus found = status(path(key));
        return found != null && found.isDirectory();
    }

    /** A file is written once, or appended to; both change its time, the latter its length. */
    private static @Nullable RemoteObject object(@Nullable FileStatus found) {
        return found == null || !found.isFile()
                ? null
                : new RemoteObject(found.getLen(), found.getModificationTime() + "-" + found.getLen());
    }

    void scan(String key, BiConsumer<String, RemoteObject> to) {
        scan(path(key), "", to);
    }

    /** Folder by folder: where Hadoop lists a whole tree by one call, it asks some storage for the blocks of each file. */
    private void scan(Path folder, String prefix, BiConsumer<String, RemoteObject> to) {
        var folders = new ArrayList<Path>();
        list(folder, each -> {
            RemoteObject object = object(each);
            if (object != null) {
                to.accept(prefix + each.getPath().getName(), object);
            } else if (each.isDirectory()) {
                folders.add(each.getPath());
            } else {
                throw new RemoteException("[" + each.getPath() + "] is a symbolic link, which is not followed here;"
                        + " put the file in its place");
            }
        });
        for (Path each : folders) {
            scan(each, prefix + each.getName() + "/", to);
        }
    }

    List<String> children(String key) {
        var names = new ArrayList<String>();
        list(path(key), each -> names.add(each.getPath().getName()));
        return names;
    }

    private interface Found {
        void take(FileStatus each);
    }

    private void list(Path folder, Found found) {
        try {
            RemoteIterator<FileStatus> all = system.listStatusIterator(folder);
            while (all.hasNext()) {
                found.take(all.next());
            }
        } catch (StokerException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw failed(folder, e);
        }
    }

    HadoopReader read(String key, RemoteObject object, long from, long length) {
        Path path = path(key);
        try {
            FSDataInputStream stream = system.open(path);
            try {
                // Looked at when it is open: what has come in its place before is seen, what comes later is not read.
                requireSame(path, object);
                stream.seek(from);
                return new HadoopReader(path, stream, length);
            } catch (IOException | RuntimeException e) {
                stream.close();
                throw e;
            }
        } catch (StokerException e) {
            throw e;
        } catch (FileNotFoundException e) {
            throw changed(path, "it was deleted");
        } catch (IOException | RuntimeException e) {
            throw failed(path, e);
        }
    }

    private void requireSame(Path path, RemoteObject object) {
        RemoteObject now = object(status(path));
        if (now == null) {
            throw changed(path, "it was deleted");
        }
        if (!now.equals(object)) {
            throw changed(path, "another file has its name now, or it was appended to");
        }
    }

    private static RemoteException changed(Path path, String how) {
        return new RemoteException(
                "[" + path + "] changed while it was read: " + how + ". Start again when nobody writes it");
    }

    static RemoteException failed(Path path, Exception e) {
        return failed(path, "Hadoop cannot read it", e);
    }

    private static RemoteException failed(Path path, String what, Exception e) {
        String reason =
                e.getMessage() == null ? "" : e.getMessage().lines().findFirst().orElse("");
        return new RemoteException(
                "[" + path + "] " + what + ": "
                        + (reason.isEmpty() ? e.getClass().getSimpleName() : reason),
                e);
    }
}
