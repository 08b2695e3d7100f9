package dev.stoker.s3;

import dev.stoker.fuzz.Target;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a storage server may answer: a listing, or an error. */
public final class XmlTarget implements Target {
    @Override
    public String name() {
        return "s3";
    }

    @Override
    public void read(byte[] input) throws IOException {
        ErrorText.of(400, input, "");
        S3Client.page(new ByteArrayInputStream(input));
    }

    @Override
    public List<byte[]> made() {
        String start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        return List.of(
                bytes(start
                        + "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><EncodingType>url</EncodingType>"
                        + "<IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken><Contents><Key>a%20b</Key>"
                        + "<ETag>&quot;0cc175b9&quot;</ETag><Size>12</Size></Contents><CommonPrefixes><Prefix>p/</Prefix>"
                        + "</CommonPrefixes></ListBucketResult>"),
                bytes(
                        start
                                + "<Error><Code>NoSuchBucket</Code><Region>eu-west-1</Region><Message>&lt;&#x416;</Message></Error>"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public List<String> words() {
        return List.of(
                "<",
                ">",
                "</",
                "/>",
                "&",
                ";",
                "&#0;",
                "&amp;",
                "%",
                "%G",
                "%41",
                "<!DOCTYPE x [<!ENTITY e \"ee\">]>",
                "&e;",
                "<![CDATA[",
                "]]>",
                "<!--",
                "-->",
                "<?",
                "?>",
                "Contents",
                "true",
                "99999999999999999999",
                "UTF-16");
    }

    /** Who asks tries again, and says then what it was. */
    @Override
    public boolean isRefusal(Throwable failure) {
        return failure instanceof IOException;
    }
}
