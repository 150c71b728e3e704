package dev.laurel.query.peer;

import dev.laurel.query.locate.DeliveryPartitions;
import dev.laurel.query.locate.Owners;
import dev.laurel.query.question.Deliveries;
import dev.laurel.query.question.Question.OfDeliveries;
import dev.laurel.query.read.NotReadyException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * This process and the others that deliver. What is delivered here is answered here; others are asked for what they deliver, all
 * at once. If one of them is away, the question is not answered: a list with gaps would be taken for a whole one. Copies
 * are not read. Thread-safe.
 */
public final class PeerDeliveries implements Deliveries {

    private final DeliveryPartitions here;
    private final Owners owners;
    private final String self;
    private final Gathering gathering;

    /** @param self host:port under which others reach this process */
    public PeerDeliveries(DeliveryPartitions here, Owners owners, String self, PeerClient client) {
        this.here = here;
        this.owners = owners;
        this.self = self;
        this.gathering = new Gathering(client);
    }

    @Override
    public <A extends Record> A ask(OfDeliveries<A> question) {
        var own = new ArrayList<Integer>();
        Map<String, List<Integer>> ofOthers = new HashMap<>();
        for (int partition : question.partitionsOf(here.count()).toArray()) {
            String owner = owners.owners().of(partition).active();
            if (owner == null || owner.equals(self)) {
                own.add(partition); // it is open here, or cannot be read anywhere
            } else {
                ofOthers.computeIfAbsent(owner, _ -> new ArrayList<>()).add(partition);
            }
        }
        var parts = new ArrayList<A>();
        List<Integer> missing = gathering.gather(question, null, ofOthers,
                own.isEmpty() ? null : () -> question.answer(here, own), parts, PeerClient.TIMEOUT);
        if (!missing.isEmpty()) {
            throw new NotReadyException("deliveries of partitions " + missing + " cannot be read anywhere now");
        }
        return parts.size() == 1 ? parts.getFirst() : question.together(parts);
    }
}
