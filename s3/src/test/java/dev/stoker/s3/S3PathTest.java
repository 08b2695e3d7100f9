package dev.stoker.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.container.Sidecar;
import dev.stoker.remote.RemoteException;
import dev.stoker.remote.RemoteObject;
import dev.stoker.remote.RemotePath;
import dev.stoker.testkit.Seed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What an address promises, and what becomes of a storage that fails. */
class S3PathTest {
    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    private final FakeS3 s3 = new FakeS3();

    @AfterEach
    void end() {
        s3.close();
    }

    private byte[] random(int length) {
        var bytes = new byte[length];
        seed.random().nextBytes(bytes);
        return bytes;
    }

    private byte[] read(S3Path path, int from, int length) {
        var bytes = new byte[length];
        RemoteObject object = path.require();
        path.read(object, from, MemorySegment.ofArray(bytes));
        return bytes;
    }

    @Test
    void namesAreKeptAsTheyAre() {
        Path path = RemotePath.of("s3://my_bucket.x/a b/ü%//../x?y#z.stk");
        assertThat(path).hasToString("s3://my_bucket.x/a b/ü%//../x?y#z.stk");
        assertThat(Sidecar.beside(path)).hasToString("s3://my_bucket.x/a b/ü%//../x?y#z.stk.stkx");
        assertThat(path.getFileName()).hasToString("x?y#z.stk");
        assertThat(RemotePath.of("s3://b/x/")).hasToString("s3://b/x");
        assertThat(RemotePath.of("a/b.stk")).isNotInstanceOf(RemotePath.class);
        assertThatThrownBy(() -> RemotePath.of("s3://")).isInstanceOf(StokerException.class);
        assertThatThrownBy(() -> RemotePath.of("gs://b/x"))
                .hasMessage(
                        "[gs://b/x] gs:// addresses are not supported here; give a file, a folder or s3://bucket/name");
    }

    /** HTTP clients leave out a port that the scheme has anyway, so it must not be signed either. */
    @Test
    void aPortThatTheSchemeHasAnywayIsNotSigned() {
        s3.objects.put("x", random(5));
        assertThat(Wire.host(URI.create("https://host:443/p"))).isEqualTo("host");
        assertThat(Wire.host(URI.create("https://host:80"))).isEqualTo("host:80");
        assertThat(Wire.host(URI.create("http://[::1]:80"))).isEqualTo("[::1]");
        ProxySelector before = ProxySelector.getDefault();
        // The server asks for the port that the system gave it; a proxy makes it the one of any address.
        ProxySelector.setDefault(ProxySelector.of(s3.address()));
        try {
            for (String endpoint : new String[] {"http://s3.test:80", "http://s3.test", "http://s3.test:8080"}) {
                var path = new S3Provider(FakeS3.client(URI.create(endpoint), 2)).getPath(URI.create("s3://b/x"));
                assertThat(path.require().size()).as(endpoint).isEqualTo(5);
            }
        } finally {
            ProxySelector.setDefault(before);
        }
    }

    @Test
    void whatIsNotSignedRightIsRefused() {
        s3.objects.put("x", random(5));
        var wrong = new Settings(
                URI.create("http://127.0.0.1:" + s3.address().getPort()),
                "us-east-1",
                new Credentials("the-access-key", "another-secret", "", "a test"),
                false,
                true,
                Duration.ofSeconds(2));
        assertThatThrownBy(() -> new S3Client(wrong).find("b", "x"))
                .isInstanceOf(RemoteException.class)
                .hasMessageContaining("s3://b/x");
    }

    @Test
    void filesFoldersAndNothing() {
        s3.objects.put("x/a.txt", random(5));
        assertThat(Files.isDirectory(s3.path("x"))).isTrue();
        assertThat(Files.isRegularFile(s3.path("x/a.txt"))).isTrue();
        assertThat(Files.exists(s3.path("x/b.txt"))).isFalse();
        assertThatThrownBy(() -> s3.path("nothing").require())
                .hasMessage("[s3://b/nothing] cannot be read: there is no such file or folder");
    }

    private static FakeS3.Fault.Said listing(String key, String next) {
        return new FakeS3.Fault.Said("<ListBucketResult><IsTruncated>" + !next.isEmpty()
                + "</IsTruncated><NextContinuationToken>" + next + "</NextContinuationToken><Contents><Key>" + key
                + "</Key><Size>1</Size></Contents></ListBucketResult>");
    }

    @Test
    void aListingThatGoesInACircleIsRefused() {
        s3.next(listing("x/1", "t"), listing("x/2", "u"), listing("x/3", "t"));
        assertThatThrownBy(() -> s3.path("x").list((name, object) -> {}))
                .isInstanceOf(RemoteException.class)
                .hasMessageContaining("[s3://b/x] the storage's listing never ends");
    }

    /** Cut as if they began with the prefix, such keys were taken for others. */
    @Test
    void keysThatDoNotBeginAsTheyShouldAreRefused() {
        for (String key : new String[] {"zz../../y", "z", "y/a"}) {
            s3.next(listing(key, ""));
            assertThatThrownBy(() -> s3.path("x").list((name, object) -> {}))
                    .isInstanceOf(RemoteException.class)
                    .hasMessageContaining("was asked for what begins with 'x/', but listed '" + key + "'");
        }
    }

    @Test
    void pagesOfAListingComeInOrder() {
        for (String key : new String[] {"x/b", "x/a b", "x/ü+%", "x/a/1", "x/A", "y", "x/", "x/../z"}) {
            s3.objects.put(key, new byte[key.length()]);
        }
        var names = new ArrayList<String>();
        s3.path("x").list((name, object) -> names.add(name + " " + object.size()));
        assertThat(names).containsExactly(" 2", "../z 6", "A 3", "a b 5", "a/1 5", "b 3", "ü+% 5");
    }

    @Test
    void aBrokenConnectionIsGoneOnWith() {
        byte[] bytes = random(300_000);
        s3.objects.put("x", bytes);
        S3Path path = s3.path("x");
        RemoteObject object = path.require();
        s3.next(
                new FakeS3.Fault.Cut(100_000),
                new FakeS3.Fault.Status(500, "InternalError"),
                new FakeS3.Fault.Status(503, "SlowDown"),
                new FakeS3.Fault.Cut(150_000));
        var read = new byte[299_000];
        path.read(object, 1000, MemorySegment.ofArray(read));
        assertThat(read).isEqualTo(java.util.Arrays.copyOfRange(bytes, 1000, 300_000));
        // What came is not asked for again.
        assertThat(s3.requests.getLast()).doesNotEndWith("bytes=1000-299999").endsWith("-299999");
    }

    @Test
    void anObjectThatChangesIsNamed() {
        s3.objects.put("x", random(300_000));
        S3Path path = s3.path("x");
        RemoteObject object = path.require();
        s3.next(new FakeS3.Fault.Cut(1000), new FakeS3.Fault.Change("x", random(300_001)));
        assertThatThrownBy(() -> path.read(object, 0, MemorySegment.ofArray(new byte[300_000])))
                .isInstanceOf(RemoteException.class)
                .hasMessage("[s3://b/x] changed while it was read: another object has its name now. Start again when"
                        + " nobody writes it");
    }

    @Test
    void aStorageThatNeverAnswersIsGivenUpSoon() {
        s3.close();
        assertThatThrownBy(() -> s3.path("x").require())
                .isInstanceOf(RemoteException.class)
                .hasMessageContaining("the connection was refused; check the endpoint (AWS_ENDPOINT_URL)");
    }

    @Test
    void aStorageThatStopsAnsweringIsWaitedForAWhile() {
        s3.objects.put("x", random(10));
        S3Path path = s3.path("x");
        RemoteObject object = path.require();
        s3.close();
        long start = System.nanoTime();
        assertThatThrownBy(() -> path.read(object, 0, MemorySegment.ofArray(new byte[10])))
                .hasMessageContaining("retry once the endpoint recovers");
        assertThat(System.nanoTime() - start).isGreaterThan(2_000_000_000L);
    }

    @Test
    void refusalsAreOneSentenceWithoutSecrets() {
        s3.objects.put("x", random(10));
        s3.next(new FakeS3.Fault.Status(403, ""));
        assertThatThrownBy(() -> s3.path("x").find())
                .isInstanceOf(RemoteException.class)
                .hasMessageStartingWith(
                        "[s3://b/x] access denied (403) to the credentials from AWS_ACCESS_KEY_ID; check the keys")
                .hasMessageNotContaining(FakeS3.SECRET)
                .hasNoCause();
        s3.next(new FakeS3.Fault.Status(403, "SignatureDoesNotMatch"));
        assertThatThrownBy(() -> s3.path("x").list((name, object) -> {}))
                .hasMessage(
                        "[s3://b] the secret key doesn't match the access key (from AWS_ACCESS_KEY_ID); check both");
        Path other = new S3Provider(s3.client()).getPath(URI.create("s3://other/x"));
        assertThatThrownBy(() -> Files.exists(other)).hasMessageContaining("there is no bucket 'other' at http://");
    }

    @Test
    void smallFilesAndLargeOnesAreStored() throws IOException {
        for (int size : new int[] {0, 1000, (16 << 20) + 1, 40 << 20}) {
            byte[] bytes = random(size);
            Path file = Files.write(folder.resolve("file"), bytes);
            if (size > 16 << 20) {
                s3.next(new FakeS3.Fault.Status(503, "SlowDown"));
            }
            s3.path("out").put(file, sent -> {});
            assertThat(s3.objects.get("out")).isEqualTo(bytes);
        }
        assertThat(s3.hasUploads()).isFalse();
    }

    /** Completing is asked for again when its answer is lost; then the upload is gone, which is well. */
    @Test
    void aLostAnswerIsNoFailure() throws IOException {
        byte[] bytes = random(20 << 20);
        Path file = Files.write(folder.resolve("file"), bytes);
        var nothing = new FakeS3.Fault.Change("y", new byte[0]);
        s3.next(nothing, nothing, nothing, new FakeS3.Fault.LostAnswer());
        s3.path("out").put(file, sent -> {});
        assertThat(s3.objects.get("out")).isEqualTo(bytes);
        assertThat(s3.requests).filteredOn(each -> each.startsWith("POST")).hasSize(3);
    }

    @Test
    void anUploadThatFailsIsAbortedAndLeavesNothing() throws IOException {
        Path file = Files.write(folder.resolve("file"), random(20 << 20));
        S3Path path = s3.path("out");
        path.find();
        s3.next(new FakeS3.Fault.Change("y", new byte[0]), new FakeS3.Fault.Status(403, "AccessDenied"));
        assertThatThrownBy(() -> path.put(file, sent -> {})).hasMessageContaining("access denied (403 AccessDenied)");
        assertThat(s3.objects).doesNotContainKey("out");
        assertThat(s3.hasUploads()).isFalse();
    }

    @Test
    void aCopyIsComparedWithTheETag() throws IOException {
        byte[] bytes = random(100_000);
        s3.objects.put("x", bytes.clone());
        Path copy = Files.write(folder.resolve("copy"), bytes);
        S3Path path = s3.path("x");
        assertThat(path.compare(path.require(), copy)).isEqualTo("MD5");
        bytes[5]++;
        Files.write(copy, bytes);
        assertThatThrownBy(() -> path.compare(path.require(), copy))
                .hasMessageContaining("the copy has the MD5")
                .hasMessageContaining("it was damaged on the way");
    }

    @Test
    void filesAreReadAsStreams() throws IOException {
        byte[] bytes = random(1_000_000);
        s3.objects.put("x", bytes);
        assertThat(Files.readAllBytes(s3.path("x"))).isEqualTo(bytes);
        assertThat(read(s3.path("x"), 999_999, 1)).containsExactly(bytes[999_999]);
    }
}
