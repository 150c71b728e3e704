package dev.laurel.query.http;

import dev.laurel.query.peer.Asked;
import dev.laurel.query.question.Here;
import dev.laurel.query.question.Nodes;
import dev.laurel.query.question.Question.OfBoard;
import dev.laurel.query.question.Question.OfDeliveries;
import dev.laurel.query.question.Question.OfUsers;
import dev.laurel.query.question.Question;
import dev.laurel.schemas.serde.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** As if each partition were on a node of its own: question and answer go through JSON, part by part. */
final class ThroughJson implements Nodes {

    private final Here here;
    private final Set<String> asked = new TreeSet<>();

    ThroughJson(Here here) {
        this.here = here;
    }

    /** Names of the questions so far. */
    Set<String> asked() {
        return asked;
    }

    @Override
    public <A extends Record> A ask(OfUsers<A> question) {
        var parts = new ArrayList<A>();
        for (int partition : question.partitionsOf(here.partitions().layout()).toArray()) {
            parts.add(through(question, List.of(partition)));
        }
        return parts.size() == 1 ? parts.getFirst() : question.together(parts);
    }

    @Override
    public <A extends Record> A ask(OfBoard<A> question) {
        return through(question, List.of(0));
    }

    private <A extends Record> A through(Question<A> question, List<Integer> partitions) {
        asked.add(question.name());
        Asked arrived = AskRoutes
                .read(Json.write(new Asked(question.name(), question, partitions, null, null)));
        Record answer = switch (arrived.of()) {
            case OfUsers<?> users -> users.answer(here, arrived.partitions());
            case OfBoard<?> board -> here.ask(board);
            case OfDeliveries<?> _ -> throw new IllegalStateException("nodes are not asked for deliveries");
        };
        return Json.read(Json.write(answer), question.answerType());
    }
}
