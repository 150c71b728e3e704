package dev.laurel.query.http;

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

/** Nodes with one partition each. Queries and partial results are written as JSON and read back. */
final class SerializingNodes implements Nodes {

    private final LocalNode local;
    private final Set<String> names = new TreeSet<>();

    SerializingNodes(LocalNode local) {
        this.local = local;
    }

    /** The names of the queries so far. */
    Set<String> names() {
        return names;
    }

    @Override
    public <A extends Record> A ask(UserQuery<A> query) {
        var parts = new ArrayList<A>();
        for (int partition :
                query.partitionsOf(local.users().partitions().layout()).toArray()) {
            parts.add(send(query, List.of(partition)));
        }
        return parts.size() == 1 ? parts.getFirst() : query.merge(parts);
    }

    @Override
    public <A extends Record> A ask(LeaderboardQuery<A> query) {
        List<A> parts = local.partitionsOf(query).stream()
                .map(partition -> send(query, List.of(partition)))
                .toList();
        return parts.size() == 1 ? parts.getFirst() : query.merge(parts);
    }

    private <A extends Record> A send(PartitionQuery<A> query, List<Integer> partitions) {
        names.add(query.name());
        PeerRequest arrived =
                PeerRequest.read(Json.write(new PeerRequest(query.name(), query, partitions, null, null)));
        Record answer = switch (arrived.of()) {
            case UserQuery<?> users -> users.answer(local.users(), arrived.partitions());
            case LeaderboardQuery<?> board -> local.ask(board, arrived.partitions());
            default -> throw new IllegalStateException("nodes do not answer queries about deliveries");
        };
        return PeerRequest.readResult(query, Json.write(answer));
    }
}
