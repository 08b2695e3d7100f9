package dev.stoker.s3;

import dev.stoker.concurrent.WorkerPool;
import dev.stoker.io.MappedFile;
import dev.stoker.os.AvailableCores;
import dev.stoker.remote.RemoteException;
import dev.stoker.remote.RemoteObject;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * Compares a copy with what S3 knows of the object: a CRC, if one is kept, else the ETag, which is an MD5 (unless the
 * object is encrypted by a key of its own). Of an object that was stored in parts, both may be those of the checksums of
 * its parts.
 */
final class ObjectCheck {
    private static final int STEP = 1 << 20;
    private static final int CRC64_PART = 64 << 20;

    private final S3Client client;
    private final Request head;
    private final RemoteObject object;
    private final MemorySegment copy;

    private ObjectCheck(S3Client client, Request head, RemoteObject object, MemorySegment copy) {
        this.client = client;
        this.head = head;
        this.object = object;
        this.copy = copy;
    }

    /** What HEAD tells of an object's checksums. */
    private record Known(String crc64, String crc32c, String crc32, boolean isMd5) {}

    static boolean isMd5(String version) {
        return version.matches("[0-9a-f]{32}");
    }

    /** Whether an object's ETag is what it usually is. */
    static boolean hasMd5(S3Client client, Request get) {
        Request request = Request.of("HEAD", get.bucket(), get.key());
        return client.look(request, ObjectCheck::isPlain);
    }

    private static boolean isPlain(Answer answer) {
        String encryption = answer.header("x-amz-server-side-encryption");
        return (encryption.isEmpty() || encryption.equals("AES256"))
                && answer.header("x-amz-server-side-encryption-customer-algorithm")
                        .isEmpty();
    }

    /** Compares; returns what was compared, empty if S3 knows nothing that could be. */
    static String compare(S3Client client, String bucket, String key, RemoteObject object, Path copy) {
        Request head = Request.of("HEAD", bucket, key);
        Known known = client.look(head.header("x-amz-checksum-mode", "ENABLED"), answer -> {
            if (!S3Client.version(answer.header("ETag")).equals(object.version())) {
                throw new RemoteException("[" + head.address()
                        + "] changed while it was read: another object has its name now. Start again when nobody"
                        + " writes it");
            }
            return new Known(
                    answer.header("x-amz-checksum-crc64nvme"),
                    answer.header("x-amz-checksum-crc32c"),
                    answer.header("x-amz-checksum-crc32"),
                    isPlain(answer));
        });
        try (MappedFile file = MappedFile.open(copy)) {
            return new ObjectCheck(client, head, object, file.bytes()).compare(known);
        }
    }

    private String compare(Known known) {
        if (isCrc(known.crc32c, Integer.BYTES)) {
            return require("CRC32C", known.crc32c, base64(Integer.BYTES, crc32(CRC32C::new, 0, copy.byteSize())));
        }
        if (isCrc(known.crc32, Integer.BYTES)) {
            return require("CRC32", known.crc32, base64(Integer.BYTES, crc32(CRC32::new, 0, copy.byteSize())));
        }
        if (isCrc(known.crc64, Long.BYTES)) {
            return require("CRC64NVME", known.crc64, base64(Long.BYTES, crc64()));
        }
        if (known.isMd5 && isMd5(object.version())) {
            return require("MD5", object.version(), HexFormat.of().formatHex(md5(0, copy.byteSize())));
        }
        long part = partBytes();
        if (part > 0 && isOfParts(known.crc32c)) {
            return require("CRC32C of its parts", known.crc32c, crc32OfParts(CRC32C::new, part));
        }
        if (part > 0 && isOfParts(known.crc32)) {
            return require("CRC32 of its parts", known.crc32, crc32OfParts(CRC32::new, part));
        }
        return part > 0 && known.isMd5 ? require("MD5 of its parts", object.version(), md5OfParts(part)) : "";
    }

    private static boolean isCrc(String text, int bytes) {
        return text.length() == 4 * Math.ceilDiv(bytes, 3);
    }

    /** Four bytes in base 64, and the number of parts. */
    private static boolean isOfParts(String text) {
        return text.matches("[A-Za-z0-9+/]{6}==-\\d+");
    }

    private String require(String what, String expected, String found) {
        if (!found.equals(expected)) {
            throw new RemoteException("[" + head.address() + "] the copy has the " + what + " " + found
                    + " but should have " + expected + "; it was damaged on the way, fetch it again");
        }
        return what;
    }

    private long crc32(Supplier<Checksum> kind, long from, long length) {
        Checksum crc = kind.get();
        for (long at = from; at < from + length; at += STEP) {
            dev.stoker.io.Checksum.update(crc, copy.asSlice(at, Math.min(STEP, from + length - at)));
        }
        return crc.getValue();
    }

    private String crc32OfParts(Supplier<Checksum> kind, long partBytes) {
        int parts = Math.toIntExact(Math.ceilDiv(copy.byteSize(), partBytes));
        ByteBuffer values = ByteBuffer.allocate(Integer.BYTES * parts);
        WorkerPool.run(AvailableCores.allocated(), parts, () -> part -> {
            long from = part * partBytes;
            long crc = crc32(kind, from, Math.min(partBytes, copy.byteSize() - from));
            values.putInt((int) (Integer.BYTES * part), (int) crc);
        });
        Checksum all = kind.get();
        all.update(values);
        return base64(Integer.BYTES, all.getValue()) + "-" + parts;
    }

    private long crc64() {
        long parts = Math.ceilDiv(copy.byteSize(), CRC64_PART);
        var values = new long[Math.toIntExact(parts)];
        WorkerPool.run(AvailableCores.allocated(), parts, () -> part -> {
            var crc = new Crc64();
            long end = Math.min(copy.byteSize(), (part + 1) * CRC64_PART);
            for (long at = part * CRC64_PART; at < end; at += STEP) {
                crc.update(bytes(at, Math.min(STEP, end - at)));
            }
            values[(int) part] = crc.value();
        });
        long all = new Crc64().value();
        for (int part = 0; part < values.length; part++) {
            long length = Math.min(CRC64_PART, copy.byteSize() - (long) part * CRC64_PART);
            all = Crc64.combine(all, values[part], length);
        }
        return all;
    }

    /** How large the parts are that the object was stored in; 0 if S3 does not tell. */
    private long partBytes() {
        int dash = object.version().indexOf('-');
        String count = dash < 0 ? "" : object.version().substring(dash + 1);
        if (!count.matches("[1-9]\\d{0,4}")) {
            return 0;
        }
        return client.call(head.query("partNumber", "1"), answer -> {
            long bytes = answer.isGood() ? answer.connection().getContentLengthLong() : 0;
            boolean fits = bytes > 0 && Math.ceilDiv(object.size(), bytes) == Long.parseLong(count);
            return fits ? bytes : 0L;
        });
    }

    private String md5OfParts(long partBytes) {
        int parts = Math.toIntExact(Math.ceilDiv(copy.byteSize(), partBytes));
        var digests = new byte[parts][];
        WorkerPool.run(AvailableCores.allocated(), parts, () -> part -> {
            long from = part * partBytes;
            digests[(int) part] = md5(from, Math.min(partBytes, copy.byteSize() - from));
        });
        MessageDigest all = Signer.digest("MD5");
        for (byte[] digest : digests) {
            all.update(digest);
        }
        return HexFormat.of().formatHex(all.digest()) + "-" + parts;
    }

    private byte[] md5(long from, long length) {
        MessageDigest digest = Signer.digest("MD5");
        for (long at = from; at < from + length; at += STEP) {
            digest.update(bytes(at, Math.min(STEP, from + length - at)));
        }
        return digest.digest();
    }

    private ByteBuffer bytes(long at, long length) {
        return copy.asSlice(at, length).asByteBuffer();
    }

    private static String base64(int bytes, long value) {
        byte[] all = ByteBuffer.allocate(Long.BYTES).putLong(value).array();
        return Base64.getEncoder().encodeToString(java.util.Arrays.copyOfRange(all, Long.BYTES - bytes, Long.BYTES));
    }
}
