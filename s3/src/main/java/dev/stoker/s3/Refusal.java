package dev.stoker.s3;

import dev.stoker.remote.RemoteException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;

/** One sentence for what the storage refuses. What it says itself is left out: it may hold parts of the request. */
final class Refusal {
    private Refusal() {}

    static RemoteException of(Request request, ErrorText failure, Settings settings) {
        String by = "[" + request.address() + "] ";
        Credentials credentials = settings.credentials();
        String origin = credentials == null ? "none, AWS_NO_SIGN_REQUEST is set" : credentials.origin();
        String what = switch (failure.code()) {
            case "InvalidAccessKeyId" ->
                "S3 does not know the access key (from " + origin + "); check key, endpoint and profile";
            case "SignatureDoesNotMatch" ->
                "the secret key doesn't match the access key (from " + origin + "); check both";
            case "ExpiredToken", "InvalidToken", "TokenRefreshRequired" ->
                "the session token (from " + origin + ") is no longer valid; get a new one";
            case "RequestTimeTooSkewed" -> "the clock of this machine differs from that of S3; set it";
            case "NoSuchBucket" -> "there is no bucket '" + request.bucket() + "'" + at(settings);
            case "NoSuchKey" -> "there is no such object";
            case "NoSuchUpload" -> "the upload was aborted by someone else, or is too old; start it again";
            case "EntityTooLarge" -> "the object is larger than S3 takes";
            case "PermanentRedirect",
                    "AuthorizationHeaderMalformed",
                    "TemporaryRedirect",
                    "IllegalLocationConstraintException" -> region(failure, settings);
            default -> byStatus(failure, origin, settings);
        };
        return new RemoteException(by + what);
    }

    private static String byStatus(ErrorText failure, String origin, Settings settings) {
        return switch (failure.status()) {
            case 401, 403 ->
                "access denied (" + failure + ") to the credentials from " + origin
                        + "; check the keys and what they are allowed to do" + at(settings);
            case 301, 307 -> region(failure, settings);
            case 404 -> "there is no such object or bucket" + at(settings);
            default ->
                "the request was answered with " + failure + at(settings)
                        + "; if that is not S3, check AWS_ENDPOINT_URL";
        };
    }

    private static String region(ErrorText failure, Settings settings) {
        return "the bucket is in "
                + (failure.region().isEmpty() ? "another region" : "the region " + failure.region())
                + ", not in " + settings.region() + "; set AWS_REGION";
    }

    private static String at(Settings settings) {
        return settings.endpoint() == null ? "" : " at " + settings.endpoint();
    }

    /** Why there was no answer. */
    static String reason(IOException e) {
        return switch (e) {
            case ConnectException _ -> "the connection was refused";
            case SocketTimeoutException _ -> "it did not answer in time";
            case UnknownHostException _ -> "there is no such host";
            default -> "the connection broke (" + e.getMessage() + ")";
        };
    }
}
