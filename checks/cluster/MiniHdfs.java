import java.io.File;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/**
 * An HDFS of one name node and one data node, until it is killed.
 *
 * <p>Usage: MiniHdfs BLOCKS SOURCE ADDRESS: keeps its blocks in the folder BLOCKS, copies the folder SOURCE to /files,
 * then writes its address to the file ADDRESS.
 */
final class MiniHdfs {
    private MiniHdfs() {}

    public static void main(String[] args) throws Exception {
        var settings = new Configuration();
        // Small ones, so that files of 1 MB have several.
        settings.set("dfs.blocksize", "262144");
        settings.set("dfs.namenode.fs-limits.min-block-size", "262144");
        // A file is closed when its last block was reported, for which the client would wait 400 ms each time.
        settings.set("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "5");
        try (var cluster =
                new MiniDFSCluster.Builder(settings, new File(args[0])).numDataNodes(1).build()) {
            cluster.waitActive();
            FileSystem files = cluster.getFileSystem();
            files.copyFromLocalFile(new Path(args[1]), new Path("/files"));
            var address = java.nio.file.Path.of(args[2]);
            var unfinished = Files.writeString(java.nio.file.Path.of(args[2] + ".new"), files.getUri().toString());
            Files.move(unfinished, address, StandardCopyOption.ATOMIC_MOVE);
            Thread.currentThread().join();
        }
    }
}
