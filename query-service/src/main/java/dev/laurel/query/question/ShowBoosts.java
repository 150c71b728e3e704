package dev.laurel.query.question;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.UserBoost;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.core.view.Bodies;
import dev.laurel.processors.core.view.PointsBodies;
import dev.laurel.processors.store.OwnedReader.Entry;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.UserBoostBody;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** These boosts of single users. */
public record ShowBoosts(List<Entry> entries) implements Question.OfUsers<ShowBoosts.Answer> {

    /** @param shown those that are still there, and of their points systems, in no order */
    public record Answer(List<Shown> shown) {}

    /** @param index in what was asked for */
    public record Shown(int index, UserBoostBody body) {}

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
        OwnedThings.visit(entries, here, partitions, (index, entry, owner) -> {
            UserBoostBody body = show(here, entry, owner);
            if (body != null) {
                shown.add(new Shown(index, body));
            }
        });
        return new Answer(shown);
    }

    /** Null if it has gone in the meantime, or is of another points system. */
    private static UserBoostBody show(Here here, Entry entry, UserState state) {
        CompiledRuleset rules = here.rulesets().newest(UserKey.parse(entry.user()).tenant());
        for (UserBoost boost : state.boosts()) {
            if (boost.id().equals(entry.id()) && boost.system() == entry.group()) {
                return PointsBodies.boost(state.id(), boost, Bodies.today(state, rules, here.clock().millis()));
            }
        }
        return null;
    }

    @Override
    public Answer together(List<Answer> parts) {
        return new Answer(parts.stream().flatMap(part -> part.shown().stream()).toList());
    }
}
