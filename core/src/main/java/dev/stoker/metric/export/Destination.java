package dev.stoker.metric.export;

import dev.stoker.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where metrics go, as a user writes it. */
public sealed interface Destination {
    /** {@code prometheus://[HOST]:PORT}: a page that Prometheus asks for. */
    record Prometheus(String host, int port) implements Destination {
        /** Some ports on: each rank of a node has its own. */
        public Prometheus plus(int more) {
            return new Prometheus(host, requirePort("" + (port + more)));
        }

        @Override
        public String toString() {
            return "prometheus://" + host + ":" + port;
        }
    }

    /** {@code tensorboard:DIR}: a folder of event files. */
    record TensorBoard(Path folder) implements Destination {
        @Override
        public String toString() {
            return "tensorboard:" + folder;
        }
    }

    /** {@code jsonl:FILE}: a line of JSON for each reading, at the file's end. */
    record JsonLines(Path file) implements Destination {
        @Override
        public String toString() {
            return "jsonl:" + file;
        }
    }

    /** The words that a user may write. */
    String FORMS = "prometheus://[HOST]:PORT, tensorboard:DIR and jsonl:FILE";

    /** Nobody else on the network sees the page unless it is asked for. */
    String LOCALHOST = "127.0.0.1";

    Pattern ADDRESS = Pattern.compile("prometheus://(|[^/:\\[\\]]+|\\[[0-9a-fA-F:.]+])(?::(\\d+))/?");
    /** A comma before one of the words; others belong to the name of a file. */
    Pattern SEPARATOR = Pattern.compile(",(?=prometheus:|tensorboard:|jsonl:)");

    /** Reads one; relative paths are relative to the working folder. */
    static Destination parse(String word) {
        Matcher address = ADDRESS.matcher(word);
        if (address.matches()) {
            String host = address.group(1);
            return new Prometheus(host.isEmpty() ? LOCALHOST : host, requirePort(address.group(2)));
        }
        int colon = word.indexOf(':');
        String scheme = colon < 0 ? "" : word.substring(0, colon);
        String rest = word.substring(colon + 1);
        if (!rest.isEmpty() && scheme.equals("tensorboard")) {
            return new TensorBoard(Path.of(rest).toAbsolutePath().normalize());
        }
        if (!rest.isEmpty() && scheme.equals("jsonl")) {
            return new JsonLines(Path.of(rest).toAbsolutePath().normalize());
        }
        throw new UsageException("metrics cannot go to '" + word + "'; valid are " + FORMS);
    }

    /** Reads several with commas between them, as the variable STOKER_METRICS has them. */
    static List<Destination> parseAll(String words) {
        var all = new ArrayList<Destination>();
        for (String word : SEPARATOR.split(words)) {
            if (!word.isBlank()) {
                all.add(parse(word.strip()));
            }
        }
        return all;
    }

    private static int requirePort(String digits) {
        int port = digits.length() > 5 ? 0 : Integer.parseInt(digits);
        if (port < 1 || port > 65535) {
            throw new UsageException("a metrics port should be from 1 to 65535 but is " + digits);
        }
        return port;
    }
}
