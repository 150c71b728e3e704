package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.replay.Leftovers;
import dev.laurel.processors.replay.Leftovers.Leftover;
import dev.laurel.schemas.topic.Generation;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Says what generations that are over have left in Kafka, and deletes it. One thread. */
final class CleanUp {

    private final Leftovers leftovers;
    private final PrintWriter out;

    CleanUp(Leftovers leftovers, PrintWriter out) {
        this.leftovers = leftovers;
        this.out = out;
    }

    /** @param isMeant deletes it; else nothing is changed */
    void run(boolean isMeant) throws InterruptedException {
        List<Leftover> found = leftovers.find();
        if (found.isEmpty()) {
            out.println("nothing is left of generations that are over");
        }
        for (Leftover leftover : found) {
            if (leftover.isUsed()) {
                out.println(name(leftover.generation()) + " is over, but still in use: nothing of it is deleted");
                continue;
            }
            out.println(text("%s %s: %s", isMeant ? "delete" : "would delete", name(leftover.generation()),
                    counts(leftover)));
            Stream.concat(leftover.left().groups().stream().map("  group "::concat),
                    leftover.left().topics().stream().map("  topic "::concat)).forEach(out::println);
            out.flush();
            if (isMeant) {
                leftovers.delete(leftover);
            }
        }
        if (!isMeant && found.stream().anyMatch(leftover -> !leftover.isUsed())) {
            out.println("nothing was deleted; --yes does it");
        }
        out.flush();
    }

    private static String name(Generation generation) {
        return generation.isReport() ? "report " + generation.number() : "generation " + generation.number();
    }

    private static String counts(Leftover leftover) {
        return counted(leftover.left().groups().size(), "group") + ", "
                + counted(leftover.left().topics().size(), "topic");
    }

    private static String counted(int count, String what) {
        return text("%,d %s%s", count, what, count == 1 ? "" : "s");
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
