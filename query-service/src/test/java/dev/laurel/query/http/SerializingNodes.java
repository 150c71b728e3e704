package dev.laurel.query.http;

import dev.laurel.query.partition.DeliveryQuery;
import dev.laurel.query.partition.LeaderboardQuery;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.PartitionQuery;
import dev.laurel.query.partition.UserQuery;
import dev.laurel.query.peer.PeerRequest;
import dev.laurel.schemas.serde.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Treats each partition as a node of its own: queries and results go through JSON, part by part. */
final class SerializingNodes implements Nodes {

    private final LocalNode local;
    private final Set<String> asked = new TreeSet<>();

    SerializingNodes(LocalNode local) {
        this.local = local;
    }

    /** The names of the queries so far. */
    Set<String> asked() {
        return asked;
    }

    @Override
    public <A extends Record> A ask(UserQuery<A> question) {
        var parts = new ArrayList<A>();
        for (int partition : question.partitionsOf(local.partitions().layout()).toArray()) {
            parts.add(through(question, List.of(partition)));
        }
        return parts.size() == 1 ? parts.getFirst() : question.merge(parts);
    }

    @Override
    public <A extends Record> A ask(LeaderboardQuery<A> question) {
        return through(question, List.of(0));
    }

    private <A extends Record> A through(PartitionQuery<A> question, List<Integer> partitions) {
        asked.add(question.name());
        PeerRequest arrived = PeerRequestRoutes
                .read(Json.write(new PeerRequest(question.name(), question, partitions, null, null)));
        Record answer = switch (arrived.of()) {
            case UserQuery<?> users -> users.answer(local, arrived.partitions());
            case LeaderboardQuery<?> board -> local.ask(board);
            case DeliveryQuery<?> _ -> throw new IllegalStateException("nodes are not asked for deliveries");
        };
        return Json.read(Json.write(answer), question.resultType());
    }
}
