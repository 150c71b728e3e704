package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.Answer;
import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.admin.Edit.NewItem;
import dev.laurel.schemas.admin.ObjectKind;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.serde.Json;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The part of a bulk request that is about boosts of no single user: an edit of the ruleset, whose answer is taken apart again,
 * so that each item has its place among the others.
 */
final class SharedBoosts {

    private final Edits edits;
    private final Caller caller;
    private final UUID systemId;
    private final ItemResults results;

    SharedBoosts(Edits edits, Caller caller, UUID systemId, ItemResults results) {
        this.edits = edits;
        this.caller = caller;
        this.systemId = systemId;
        this.results = results;
    }

    /** @param indexes of these items among all of the request */
    void create(List<Integer> indexes, List<Object> items) {
        var created = items.stream().map(item -> new NewItem(UUID.randomUUID(), item)).toList();
        Answer answer = edits.ask(caller, new Edit.Create(ObjectKind.BOOST, systemId, created));
        if (!(answer instanceof Answer.Replied(int status, byte[] body, var _)) || status >= 300) {
            indexes.forEach(index -> results.take(index, answer));
            return;
        }
        var tree = (Map<?, ?>) Json.readTree(body);
        Deque<Object> done = listOf(tree, "created");
        Deque<Object> issues = listOf(tree, "issues");
        for (int i = 0; i < indexes.size(); i++) {
            boolean isRefused = !issues.isEmpty()
                    && ((Map<?, ?>) issues.getFirst()).get("index") instanceof Number index && index.intValue() == i;
            settle(indexes.get(i), isRefused ? issues.poll() : null, done);
        }
    }

    /** @param ids of the items, in their order */
    void update(List<Integer> indexes, List<String> ids, List<Object> items) {
        settle(indexes, ids, edits.ask(caller, new Edit.Update(ObjectKind.BOOST, systemId, items)), "updated");
    }

    void delete(List<Integer> indexes, List<String> ids) {
        settle(indexes, ids, edits.ask(caller, new Edit.Delete(ObjectKind.BOOST, systemId, ids)), "deleted");
    }

    private void settle(List<Integer> indexes, List<String> ids, Answer answer, String field) {
        if (!(answer instanceof Answer.Replied(int status, byte[] body, var _)) || status >= 300) {
            indexes.forEach(index -> results.take(index, answer));
            return;
        }
        var tree = (Map<?, ?>) Json.readTree(body);
        Deque<Object> done = listOf(tree, field);
        Deque<Object> issues = listOf(tree, "issues");
        for (int i = 0; i < indexes.size(); i++) {
            boolean isDone = !done.isEmpty()
                    && ((Map<?, ?>) done.getFirst()).get("id") instanceof String id && id.equalsIgnoreCase(ids.get(i));
            settle(indexes.get(i), isDone ? null : issues.poll(), done);
        }
    }

    private void settle(int index, Object issue, Deque<Object> done) {
        if (issue instanceof Map<?, ?> fields) {
            results.refuse(index, (String) fields.get("message"));
        } else {
            results.put(index, done.poll());
        }
    }

    private static Deque<Object> listOf(Map<?, ?> tree, String name) {
        return new ArrayDeque<>((List<?>) tree.get(name));
    }
}
