package dev.stoker.fuzz;

import dev.stoker.testkit.Workshop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The program of {@code checks/fuzz.sh}.
 *
 * <pre>
 *   --inputs N      changed inputs for each target, 1000000 unless told
 *   --seed S        1 unless told
 *   --only NAME     a target; may be repeated
 *   --input FILE    this one alone, for the target of --only
 *   --findings DIR  where inputs are kept that found something
 * </pre>
 */
public final class Main {
    private final Arguments arguments;
    private final Path findings;
    private final Watchdog watchdog;

    private Main(Arguments arguments) {
        this.arguments = arguments;
        this.findings = Path.of(arguments.text("--findings", "build/fuzz"));
        this.watchdog = new Watchdog(findings);
    }

    public static void main(String[] words) throws IOException {
        var main = new Main(Arguments.of(words, "--inputs", "--seed", "--only", "--input", "--findings"));
        System.exit(main.run() ? 0 : 1);
    }

    private boolean run() throws IOException {
        List<String> names = arguments.all("--only").isEmpty() ? Targets.names() : arguments.all("--only");
        String input = arguments.text("--input", "");
        boolean isGood = true;
        for (String name : names) {
            isGood &= input.isEmpty() ? fuzz(Targets.named(name)) : one(Targets.named(name), Path.of(input));
        }
        return isGood;
    }

    private boolean fuzz(Target target) throws IOException {
        long seed = arguments.number("--seed", 1);
        long start = System.nanoTime();
        Fuzzer.Result result = new Fuzzer(target, watchdog)
                .run(Corpus.ofRepository().seeds(target), arguments.number("--inputs", 1_000_000), seed);
        System.out.printf(
                "%-12s seed %d: %,d inputs, %,d read, %,d refused, slowest %.1f ms, most allocated %.1f MB, %.0f s, %d findings%n",
                target.name(),
                seed,
                result.inputs(),
                result.read(),
                result.refused(),
                result.slowestMicros() / 1e3,
                result.mostAllocated() / 1e6,
                (System.nanoTime() - start) / 1e9,
                result.findings().size());
        for (Fuzzer.Finding finding : result.findings()) {
            tell(finding);
        }
        return result.findings().isEmpty();
    }

    private boolean one(Target target, Path input) throws IOException {
        Fuzzer.Finding finding = new Fuzzer(target, watchdog).tryOne(Workshop.read(input));
        if (finding != null) {
            tell(finding);
        }
        System.out.println(target.name() + " " + input + ": " + (finding == null ? "good" : "a finding"));
        return finding == null;
    }

    private void tell(Fuzzer.Finding finding) throws IOException {
        var crc = new CRC32();
        crc.update(finding.input());
        Path kept =
                findings.resolve(finding.target() + "/found-" + HexFormat.of().toHexDigits((int) crc.getValue()));
        Files.createDirectories(kept.toAbsolutePath().getParent());
        Files.write(kept, finding.input());
        System.out.println("  " + kept);
        for (Throwable e = finding.failure(); e != null; e = e.getCause()) {
            System.out.println("    " + e);
            Arrays.stream(e.getStackTrace()).limit(12).forEach(frame -> System.out.println("      at " + frame));
        }
        System.out.println("    again with: checks/fuzz.sh --only " + finding.target() + " --input " + kept);
    }
}
