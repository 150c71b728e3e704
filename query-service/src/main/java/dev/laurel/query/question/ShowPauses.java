package dev.laurel.query.question;

import dev.laurel.processors.core.view.Bodies;
import dev.laurel.processors.store.OwnedReader.Entry;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.wire.PauseBody;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** These pauses. */
public record ShowPauses(List<Entry> entries) implements Question.OfUsers<ShowPauses.Answer> {

    /** @param shown those that are still there, in no order */
    public record Answer(List<Shown> shown) {}

    /** @param index in what was asked for */
    public record Shown(int index, PauseBody body) {}

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public IntStream partitionsOf(LogLayout layout) {
        return OwnedThings.partitionsOf(entries, layout);
    }

    @Override
    public Answer answer(Here here, List<Integer> partitions) {
        var shown = new ArrayList<Shown>();
        OwnedThings.visit(entries, here, partitions,
                (index, entry, owner) -> owner.streak().pauses().stream()
                        .filter(pause -> pause.id().equals(entry.id())).findFirst()
                        .ifPresent(pause -> shown.add(new Shown(index, Bodies.pause(owner, pause)))));
        return new Answer(shown);
    }

    @Override
    public Answer together(List<Answer> parts) {
        return new Answer(parts.stream().flatMap(part -> part.shown().stream()).toList());
    }
}
