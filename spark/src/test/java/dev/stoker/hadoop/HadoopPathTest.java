package dev.stoker.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.remote.ObjectPath;
import dev.stoker.remote.ObjectProvider;
import dev.stoker.remote.RemoteObject;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/** What an address is without a Hadoop that could read it. */
class HadoopPathTest {
    private static ObjectPath path(String address) {
        return new HadoopProvider().getPath(URI.create(address));
    }

    @Test
    void anAddressIsAPath() {
        ObjectPath path = path("hdfs://host:9000/data/train");
        assertThat(path).hasToString("hdfs://host:9000/data/train");
        assertThat(path.isAbsolute()).isTrue();
        assertThat(path.getFileName()).hasToString("train");
        assertThat(path.getParent()).hasToString("hdfs://host:9000/data");
        assertThat(path.resolve("a.jpg")).isEqualTo(path("hdfs://host:9000/data/train/a.jpg"));
        assertThat(path.toUri()).isEqualTo(URI.create("hdfs://host:9000/data/train"));
        assertThat(path).isNotEqualTo(path("hdfs://other:9000/data/train"));
        assertThat(path).isNotEqualTo(path("webhdfs://host:9000/data/train"));
    }

    @Test
    void itIsFoundByItsScheme() {
        assertThat(ServiceLoader.load(ObjectProvider.class)).hasAtLeastOneElementOfType(HadoopProvider.class);
        for (String scheme : new HadoopProvider().schemes()) {
            assertThat(path(scheme + "://host/x")).hasToString(scheme + "://host/x");
        }
    }

    @Test
    void nothingIsWrittenThere() {
        ObjectPath path = path("hdfs://host/out.stk");
        assertThatThrownBy(() -> path.put(Path.of("x"), _ -> {}))
                .isInstanceOf(StokerException.class)
                .hasMessage("[hdfs://host/out.stk] Hadoop's filesystems are only read; give an OUT on a disk");
    }

    @Test
    void aRangeLiesInsideItsFile() {
        ObjectPath path = path("hdfs://host/x");
        var object = new RemoteObject(10, "version");
        for (long[] range : new long[][] {{-1, 1}, {0, 11}, {5, 6}, {11, 0}}) {
            assertThatThrownBy(() -> path.open(object, range[0], range[1]))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThat(path.compare(object, Path.of("copy"))).isEmpty();
    }

    /** As in Stoker's own process, which has no Hadoop. */
    @Test
    void withoutHadoopItSaysWhereItIsRead() throws Exception {
        URL[] classes = {home(HadoopProvider.class), home(ObjectProvider.class)};
        try (var loader = new URLClassLoader(classes, ClassLoader.getPlatformClassLoader())) {
            var provider = (FileSystemProvider) loader.loadClass(HadoopProvider.class.getName())
                    .getConstructor()
                    .newInstance();
            Path path = provider.getPath(URI.create("hdfs://host:9000/x"));
            assertThatThrownBy(() -> Files.size(path))
                    .hasMessage("[hdfs://host:9000] hdfs:// is read inside Spark, which brings Hadoop: stoker pack …"
                            + " --on \"local[*]\", with SPARK_HOME set or spark-submit on the PATH");
        }
    }

    private static URL home(Class<?> of) {
        return of.getProtectionDomain().getCodeSource().getLocation();
    }
}
