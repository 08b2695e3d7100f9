package dev.stoker.hadoop;

import dev.stoker.StokerException;
import dev.stoker.remote.ObjectFileSystem;
import dev.stoker.remote.ObjectProvider;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Makes the paths of all filesystems that Hadoop knows by a scheme of their own. */
public final class HadoopProvider extends ObjectProvider {
    /** Whether Hadoop has the class for one of them is known only inside Spark, which says so. */
    private static final List<String> SCHEMES = List.of(
            "hdfs", "webhdfs", "swebhdfs", "viewfs", "s3a", "abfs", "abfss", "gs", "ofs", "o3fs", "oss", "cosn", "obs");

    private final Map<String, HadoopFiles> opened = new ConcurrentHashMap<>();

    @Override
    protected List<String> schemes() {
        return SCHEMES;
    }

    @Override
    protected HadoopPath path(ObjectFileSystem system, @Nullable String authority, String key) {
        return new HadoopPath(this, system, authority, key);
    }

    HadoopFiles files(String scheme, String authority) {
        String address = scheme + "://" + authority;
        if (!isHadoopHere()) {
            throw new StokerException(
                    address,
                    scheme + ":// is read inside Spark, which brings Hadoop:"
                            + " stoker pack … --on \"local[*]\", with SPARK_HOME set or spark-submit on the PATH");
        }
        return opened.computeIfAbsent(address, _ -> HadoopFiles.open(scheme, authority));
    }

    private static boolean isHadoopHere() {
        return HadoopProvider.class.getClassLoader().getResource("org/apache/hadoop/fs/FileSystem.class") != null;
    }
}
