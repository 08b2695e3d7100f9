package dev.stoker.testkit.bill;

import dev.stoker.text.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The page {@code docs/third-party.md}: words by people from {@code tools/third-party.md}, and a table for each use. */
public final class Page {
    private final Path root;
    private final List<Part> parts;
    private final Poms poms;
    private final Map<String, Jar> jars;

    /** @param jars those of the distribution, at least */
    public Page(Path root, Map<String, Jar> jars) throws IOException {
        this.root = root;
        this.parts = Part.readAll(root);
        this.poms = Poms.read(root);
        this.jars = jars;
    }

    /** What the page should be. */
    public String write() throws IOException {
        String page = Files.readString(root.resolve("tools/third-party.md"));
        for (Part.Use use : Part.Use.values()) {
            page = page.replace("{" + use + "}", table(use));
        }
        return page;
    }

    private String table(Part.Use use) throws IOException {
        boolean isShipped = use == Part.Use.DISTRIBUTION;
        boolean isPython = use == Part.Use.PYTHON;
        var lines = new ArrayList<String>();
        lines.add("| what |" + (isPython ? "" : " version |") + " licence |" + (isShipped ? " size |" : "") + " why |");
        lines.add("| --- |" + (isPython ? "" : " --- |") + " --- |" + (isShipped ? " --- |" : "") + " --- |");
        for (Part part : parts) {
            if (part.use() == use) {
                lines.add("| " + part.name() + " |" + (isPython ? "" : " " + version(part) + " |") + " "
                        + part.licence() + " |" + (isShipped ? " " + size(part) + " |" : "") + " " + part.why() + " |");
            }
        }
        return String.join("\n", lines);
    }

    /** What a pom says; of what comes with something else the jar tells. */
    private String version(Part part) {
        String named = poms.versions().getOrDefault(part.name(), "");
        Jar jar = jars.get(part.artifact());
        return named.isEmpty() && jar != null ? jar.version() : named;
    }

    private String size(Part part) throws IOException {
        Jar jar = jars.get(part.artifact());
        return jar == null ? "" : Sizes.human(Files.size(jar.file()));
    }
}
