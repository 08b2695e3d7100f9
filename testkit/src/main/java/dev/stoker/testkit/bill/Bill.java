package dev.stoker.testkit.bill;

import dev.stoker.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the bill of materials of a distribution, {@code build/dist/sbom.json}, in the format CycloneDX 1.6: every jar with its
 * version, licence and SHA-256, and what is compiled into one. It holds no time and no random number, so that the same
 * build gives the same bytes.
 */
public final class Bill {
    private final Map<String, Part> parts = new LinkedHashMap<>();
    private final Poms poms;

    private Bill(Path root) throws IOException {
        for (Part part : Part.readAll(root)) {
            if (part.use() == Part.Use.DISTRIBUTION || part.use() == Part.Use.COMPILED_IN) {
                parts.put(part.artifact(), part);
            }
        }
        this.poms = Poms.read(root);
    }

    /** Called by the build. */
    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0]);
        Files.writeString(root.resolve("build/dist/sbom.json"), new Bill(root).write(root));
    }

    private String write(Path root) throws IOException {
        var components = new ArrayList<Map<String, Object>>();
        Map<String, Jar> jars = Jar.ofDistribution(root);
        for (Jar jar : jars.values()) {
            components.add(component(jar));
        }
        for (Part part : parts.values()) {
            if (part.use() == Part.Use.COMPILED_IN) {
                String version = poms.versions().getOrDefault(part.name(), "");
                Map<String, Object> component = component(part.group(), part.artifact(), version, part.licence());
                component.put("description", part.why());
                components.add(component);
            }
        }
        Jar command = jars.get("stoker-cli");
        String version = command == null ? "" : command.version();
        Map<String, Object> product = component("dev.stoker", "stoker", version, "Apache-2.0");
        product.put("type", "application");
        var bill = new LinkedHashMap<String, Object>();
        bill.put("bomFormat", "CycloneDX");
        bill.put("specVersion", "1.6");
        bill.put("version", 1);
        bill.put("metadata", Map.of("component", product));
        bill.put("components", components);
        bill.put("dependencies", dependencies(product, components));
        return Json.writePretty(bill) + "\n";
    }

    private Map<String, Object> component(Jar jar) throws IOException {
        Part part = parts.get(jar.artifact());
        if (part == null && !jar.isOwn()) {
            throw new IOException(jar.file().getFileName()
                    + " is in the distribution but not in tools/third-party.tsv; add a line that says why");
        }
        Map<String, Object> component = part == null
                ? component("dev.stoker", jar.artifact(), jar.version(), "Apache-2.0")
                : component(part.group(), jar.artifact(), jar.version(), part.licence());
        component.put("hashes", List.of(pair("alg", "SHA-256", "content", sha256(jar.file()))));
        return component;
    }

    private static Map<String, Object> component(String group, String name, String version, String licence) {
        String address = "pkg:maven/" + group + "/" + name + "@" + version;
        boolean isKnown = !licence.contains(" "); // to SPDX
        var component = new LinkedHashMap<String, Object>();
        component.put("type", "library");
        component.put("bom-ref", address);
        component.put("group", group);
        component.put("name", name);
        component.put("version", version);
        component.put("purl", address);
        component.put("licenses", List.of(Map.of("license", Map.of(isKnown ? "id" : "name", licence))));
        return component;
    }

    private static List<Map<String, Object>> dependencies(
            Map<String, Object> product, List<Map<String, Object>> components) {
        List<String> all =
                components.stream().map(each -> (String) each.get("bom-ref")).toList();
        return List.of(pair("ref", String.valueOf(product.get("bom-ref")), "dependsOn", all));
    }

    /** In this order, whatever the JVM. */
    private static Map<String, Object> pair(String first, Object one, String second, Object other) {
        var pair = new LinkedHashMap<String, Object>();
        pair.put(first, one);
        pair.put(second, other);
        return pair;
    }

    /** In hexadecimal digits. */
    public static String sha256(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
