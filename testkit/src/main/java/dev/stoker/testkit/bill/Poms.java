package dev.stoker.testkit.bill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What the poms of all modules name: dependencies, plugins, and what the compiler is extended by. */
public final class Poms {
    private static final String OWN = "dev.stoker";
    private static final Pattern PROPERTY = Pattern.compile("\\$\\{([^}]+)}");
    private static final String PLUGINS = "org.apache.maven.plugins";

    private final Map<String, String> properties = new HashMap<>();
    private final SortedMap<String, String> versions = new TreeMap<>();

    private Poms() {}

    public static Poms read(Path root) throws IOException {
        var poms = new Poms();
        poms.add(parse(root.resolve("pom.xml")));
        try (Stream<Path> folders = Files.list(root)) {
            for (Path pom : folders.map(folder -> folder.resolve("pom.xml"))
                    .filter(Files::exists)
                    .sorted()
                    .toList()) {
                poms.add(parse(pom));
            }
        }
        return poms;
    }

    private static Document parse(Path pom) throws IOException {
        try {
            return DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(pom.toFile());
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(pom + ": " + e.getMessage(), e);
        }
    }

    private void add(Document pom) {
        for (Element section : elements(pom, "properties")) {
            NodeList all = section.getChildNodes();
            for (int i = 0; i < all.getLength(); i++) {
                properties.put(
                        all.item(i).getNodeName(), all.item(i).getTextContent().strip());
            }
        }
        for (String kind : List.of("dependency", "plugin", "path", "artifactItem")) {
            elements(pom, kind).forEach(this::add);
        }
        // Spotless fetches it by itself.
        elements(pom, "palantirJavaFormat")
                .forEach(it -> put("com.palantir.javaformat:palantir-java-format", child(it, "version")));
    }

    private static List<Element> elements(Document pom, String name) {
        NodeList found = pom.getElementsByTagName(name);
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .toList();
    }

    private void add(Element named) {
        String group = child(named, "groupId");
        if (!group.equals(OWN) && !child(named, "artifactId").isEmpty()) {
            put((group.isEmpty() ? PLUGINS : group) + ":" + child(named, "artifactId"), child(named, "version"));
        }
    }

    /** The version stands once; elsewhere it is left out. */
    private void put(String name, String version) {
        String value = PROPERTY.matcher(version)
                .replaceAll(found -> Matcher.quoteReplacement(properties.getOrDefault(found.group(1), "")));
        versions.merge(name, value, (before, now) -> now.isEmpty() ? before : now);
    }

    private static String child(Element parent, String name) {
        NodeList all = parent.getChildNodes();
        for (int i = 0; i < all.getLength(); i++) {
            if (all.item(i).getNodeName().equals(name)) {
                return all.item(i).getTextContent().strip();
            }
        }
        return "";
    }

    /** The version of each {@code group:artifact} by others. */
    public SortedMap<String, String> versions() {
        return versions;
    }
}
