package dev.stoker.fuzz;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** Writes the inputs of a target to standard output, each after its length (32 bits, the high byte first): for readers in Python. */
public final class InputsMain {
    private InputsMain() {}

    public static void main(String[] words) throws IOException {
        var arguments = Arguments.of(words, "--inputs", "--seed", "--only");
        Target target = Targets.named(arguments.text("--only", ""));
        var inputs = new Inputs(target, Corpus.ofRepository().seeds(target), arguments.number("--seed", 1));
        var out = new DataOutputStream(new BufferedOutputStream(System.out, 1 << 16));
        for (long n = 0; n < arguments.number("--inputs", 1_000_000); n++) {
            byte[] input = inputs.get(n);
            out.writeInt(input.length);
            out.write(input);
        }
        out.flush();
        System.exit(0); // readers that were made may have threads
    }
}
