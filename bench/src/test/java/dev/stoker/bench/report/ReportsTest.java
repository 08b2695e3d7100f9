package dev.stoker.bench.report;

import static dev.stoker.bench.sweep.Made.BASE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.bench.sweep.Made;
import dev.stoker.bench.sweep.Setting;
import dev.stoker.bench.sweep.SweepResult;
import dev.stoker.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportsTest {
    private static final Setting NOT_MAPPED = new Setting(false, false, true, 2, 64, false);
    private static final Setting ONE_WORKER = new Setting(true, false, true, 1, 64, false);
    private static final String EVIL = "<script>alert(\"x\")</script>&'";
    private static final Origin ORIGIN = new Origin(
            ZonedDateTime.of(2026, 3, 9, 4, 5, 0, 0, ZoneOffset.ofHours(2)),
            "1.2.3",
            List.of("bench", "--data", "my photos", "--batch", "64,128", "it's", EVIL));

    private static SweepResult result() {
        return new Made()
                .with("stk", BASE, 0.010, 0.011, 0.012)
                .with("stk", NOT_MAPPED, 0.020, 0.021, 0.022)
                .with("stk", ONE_WORKER, 0.015, 0.016, 0.017)
                .with(EVIL, BASE, 0.1, 0.1, 0.1)
                .with(EVIL, NOT_MAPPED, 0.1, 0.1, 0.1)
                .with(EVIL, ONE_WORKER, 0.1, 0.1, 0.1)
                .failed("tar", BASE, "it broke: " + EVIL + ", twice")
                .result();
    }

    @TempDir
    private Path folder;

    @Test
    void whatComesFromOutsideIsEscaped() {
        String page = new Page(result(), ORIGIN).html();
        assertThat(page)
                .contains("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;", "A &lt;processor&gt;")
                .doesNotContain("<script", EVIL);
    }

    @Test
    void thePageNeedsNothingBesideItself() {
        String page = new Page(result(), ORIGIN).html();
        assertThat(page).doesNotContain("http://", "https://", "src=", "href=", "url(", "@import");
        assertThat(page)
                .contains("Which format, and which settings?", "What does mapping the file change?")
                .contains("What does a fixed sample length change?", "What does shuffling change?")
                .contains("What do more workers change?", "prefers-color-scheme: dark")
                .contains("id=\"formats\"", "id=\"settings\"", "id=\"workers\"", "id=\"heat\"", "id=\"latency\"")
                .contains("id=\"cost\"", "id=\"failures\"", "id=\"table\"", "a note");
    }

    @Test
    void thePageSaysWhenNothingCouldBeMeasured() {
        String page = new Page(new Made().failed("tar", BASE, "it broke").result(), ORIGIN).html();
        assertThat(page)
                .contains("Nothing could be measured", "tar (base): it broke")
                .doesNotContain("NaN");
    }

    @Test
    void jsonHasEveryRound() {
        Map<?, ?> parsed = (Map<?, ?>) Json.parse(new Reports(result(), ORIGIN).json(), "results.json");
        assertThat(parsed.keySet().stream().map(String::valueOf))
                .contains("machine", "results", "answers", "best", "notes");
        List<?> results = (List<?>) parsed.get("results");
        Map<?, ?> first = (Map<?, ?>) results.getFirst();
        assertThat((List<?>) first.get("raw")).hasSize(3);
        assertThat(first.get("samples_per_s")).isEqualTo(1000 / 0.011);
        assertThat(((Map<?, ?>) first.get("latency_us")).get("max")).isEqualTo(4000.0);
        assertThat(((Map<?, ?>) results.getLast()).get("failed")).asString().startsWith("it broke");
        assertThat(((Map<?, ?>) parsed.get("best")).get("format")).isEqualTo("stk");
    }

    @Test
    void csvHasALineForEach() {
        List<String> lines = ResultsCsv.of(result()).lines().toList();
        assertThat(lines).hasSize(8);
        assertThat(lines.get(1)).startsWith("stk,base,true,false,true,2,64,false,90909.0909");
        assertThat(lines.getLast())
                .startsWith("tar,base")
                .endsWith("\"it broke: <script>alert(\"\"x\"\")</script>&', twice\"");
    }

    @Test
    void whatTheReportComesFromIsInIt() {
        assertThat(new Page(result(), ORIGIN).html())
                .contains("2026-03-09 04:05 +02:00 · Stoker 1.2.3<br>")
                .contains(
                        "<code>stoker bench --data &#39;my photos&#39; --batch 64,128 &#39;it&#39;\\&#39;&#39;s&#39; ");
        Map<?, ?> parsed = (Map<?, ?>) Json.parse(new Reports(result(), ORIGIN).json(), "results.json");
        assertThat(parsed.get("date")).isEqualTo("2026-03-09T04:05+02:00");
        assertThat(parsed.get("version")).isEqualTo("1.2.3");
        assertThat(parsed.get("command"))
                .asString()
                .startsWith("stoker bench --data 'my photos' --batch 64,128 'it'\\''s' '<script>");
    }

    @Test
    void theTerminalGetsColoursOnlyIfItIsOne() {
        var reports = new Reports(result(), ORIGIN);
        assertThat(reports.table(0))
                .doesNotContain("\u001b")
                .contains("stk       ████████████████████████     90.9k     ± 9%")
                .contains("not mapped  1 worker", "tar (base): it broke");
        assertThat(reports.table(100).lines()).allMatch(line -> line.length() < 130);
    }

    @Test
    void filesGetTheirNamesWhenTheyAreComplete() throws IOException {
        Files.writeString(folder.resolve("report.html"), "of an earlier run");
        new Reports(result(), ORIGIN).write(folder);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("report.html", "results.csv", "results.json");
        }
        assertThat(folder.resolve("report.html")).content().startsWith("<!DOCTYPE html>");
    }
}
