package dev.laurel.query.question;

import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.store.OwnedReader.Entry;
import dev.laurel.processors.stream.LogLayout;
import java.util.List;
import java.util.stream.IntStream;

/** Things of single users, each looked up at its owner: where they are, and a walk over those that are here. */
final class OwnedThings {

    /** Told of a thing whose owner is here. */
    interface Visitor {
        /** @param index of the entry among those that were asked for */
        void visit(int index, Entry entry, UserState owner);
    }

    private OwnedThings() {}

    static IntStream partitionsOf(List<Entry> entries, LogLayout layout) {
        return entries.stream().mapToInt(entry -> layout.partitionOf(entry.user())).distinct();
    }

    /** @param partitions what is asked for others is another node's; an owner that has gone is left out */
    static void visit(List<Entry> entries, Here here, List<Integer> partitions, Visitor visitor) {
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            if (here.isAmong(partitions, entry.user())) {
                UserState owner = here.partitions().readOwner(entry.user(), reader -> reader.user(entry.user()));
                if (owner != null) {
                    visitor.visit(i, entry, owner);
                }
            }
        }
    }
}
