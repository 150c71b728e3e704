package dev.laurel.query.peer;

import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.LeaderboardQuery;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.PartitionQuery;
import dev.laurel.query.partition.UserQuery;
import dev.laurel.query.peer.PeerClient.PeerAwayException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The nodes of a deployment, for a process that is not a node. Any node answers a query, with the help of the others if needed.
 * Queries go to the nodes in rotation; if a node does not respond, its successor gets the query. Thread-safe.
 */
public final class RemoteNodes implements Nodes {

    private final List<String> addresses;
    private final PeerClient client;
    private final AtomicInteger next = new AtomicInteger();

    /** @param addresses host:port of at least one node, not of a gateway or of a proxy in front of one */
    public RemoteNodes(List<String> addresses, PeerClient client) {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("addresses must have at least one node");
        }
        this.addresses = List.copyOf(addresses);
        this.client = client;
    }

    @Override
    public <R extends Record> R ask(UserQuery<R> query) {
        return askAny(query);
    }

    @Override
    public <R extends Record> R ask(LeaderboardQuery<R> query) {
        return askAny(query);
    }

    private <R extends Record> R askAny(PartitionQuery<R> query) {
        int first = next.getAndIncrement();
        String reason = "";
        for (int i = 0; i < Math.min(2, addresses.size()); i++) {
            String node = addresses.get(Math.floorMod(first + i, addresses.size()));
            try {
                return PeerFanOut.ask(client, node, PeerRequest.of(query, null), query.resultType(), null,
                        PeerNodes.TIMEOUT);
            } catch (PeerAwayException e) {
                reason = Objects.requireNonNull(e.getMessage());
            }
        }
        throw new NotReadyException(reason);
    }
}
