package dev.laurel.query.peer;

import dev.laurel.query.locate.DeliveryPartitions;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.OwnerTracker;
import dev.laurel.query.partition.DeliveryProcesses;
import dev.laurel.query.partition.DeliveryQuery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The delivery processes of a deployment. This process answers for its own partitions and asks the others for theirs, all at the
 * same time. If one of them does not respond, the query fails, because a list with gaps would pass for a complete one. It does
 * not read copies. Thread-safe.
 */
public final class PeerDeliveries implements DeliveryProcesses {

    private final DeliveryPartitions local;
    private final OwnerTracker owners;
    private final String self;
    private final PeerFanOut fanOut;

    /** @param self host:port under which the other processes reach this one */
    public PeerDeliveries(DeliveryPartitions local, OwnerTracker owners, String self, PeerClient client) {
        this.local = local;
        this.owners = owners;
        this.self = self;
        this.fanOut = new PeerFanOut(client);
    }

    @Override
    public <R extends Record> R ask(DeliveryQuery<R> query) {
        var own = new ArrayList<Integer>();
        Map<String, List<Integer>> byPeer = new HashMap<>();
        for (int partition : query.partitionsOf(local.count()).toArray()) {
            String owner = owners.of(partition).active();
            if (owner == null || owner.equals(self)) {
                own.add(partition); // if it is not open here, it cannot be read anywhere
            } else {
                byPeer.computeIfAbsent(owner, _ -> new ArrayList<>()).add(partition);
            }
        }
        var parts = new ArrayList<R>();
        List<Integer> missing = fanOut.ask(query, null, byPeer,
                own.isEmpty() ? null : () -> query.answer(local, own), parts, PeerClient.TIMEOUT);
        if (!missing.isEmpty()) {
            throw new NotReadyException("deliveries of partitions " + missing + " cannot be read anywhere now");
        }
        return parts.size() == 1 ? parts.getFirst() : query.merge(parts);
    }
}
