package dev.stoker.cli.output;

import dev.stoker.sample.Omission;
import dev.stoker.sample.Omissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Tells what of the input is left out. */
public final class Omitted {
    private Omitted() {}

    /**
     * Warns of what is left out, or refuses it.
     *
     * @param say is told the warning
     */
    public static void check(List<Omission> omissions, boolean strict, Consumer<String> say) {
        if (strict) {
            Omissions.refuse(omissions);
        }
        if (!omissions.isEmpty()) {
            say.accept(Omissions.warning(omissions));
        }
    }

    /** Adds what is left out for programs; nothing if everything is delivered. */
    public static void put(Report report, List<Omission> omissions) {
        if (omissions.isEmpty()) {
            return;
        }
        var all = new ArrayList<Map<String, String>>();
        for (Omission omission : omissions) {
            var one = new LinkedHashMap<String, String>();
            one.put("name", omission.name());
            one.put("what", omission.what());
            one.put("why", omission.why());
            all.add(one);
        }
        report.put("omissions", all);
    }
}
