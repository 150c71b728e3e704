package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.generation.Generations;
import dev.laurel.processors.generation.ObsoleteResources;
import dev.laurel.schemas.topic.Generation;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Lists and deletes topics and groups of former generations. Used by one thread. */
final class GenerationCleanUp {

    private final Generations generations;
    private final PrintWriter out;

    GenerationCleanUp(Generations generations, PrintWriter out) {
        this.generations = generations;
        this.out = out;
    }

    /** @param deletes whether to delete; otherwise nothing is changed */
    void run(boolean deletes) throws InterruptedException {
        List<ObsoleteResources> found = generations.findObsolete();
        if (found.isEmpty()) {
            out.println("nothing is left of generations that are over");
        }
        for (ObsoleteResources obsolete : found) {
            if (obsolete.isUsed()) {
                out.println(name(obsolete.generation()) + " is over, but still in use: it is not deleted");
                continue;
            }
            out.println(text("%s %s: %s", deletes ? "delete" : "would delete", name(obsolete.generation()),
                    counts(obsolete)));
            Stream.concat(obsolete.groups().stream().map("  group "::concat),
                    obsolete.topics().stream().map("  topic "::concat)).forEach(out::println);
            out.flush();
            if (deletes) {
                generations.delete(obsolete);
            }
        }
        if (!deletes && found.stream().anyMatch(obsolete -> !obsolete.isUsed())) {
            out.println("nothing was deleted; --yes does it");
        }
        out.flush();
    }

    private static String name(Generation generation) {
        return generation.isReport() ? "report " + generation.number() : "generation " + generation.number();
    }

    private static String counts(ObsoleteResources obsolete) {
        return counted(obsolete.groups().size(), "group") + ", " + counted(obsolete.topics().size(), "topic");
    }

    private static String counted(int count, String what) {
        return text("%,d %s%s", count, what, count == 1 ? "" : "s");
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
