package dev.laurel.query.http;

import dev.laurel.delivery.runtime.Delivery;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.query.locate.DeliveryPartitions;
import dev.laurel.query.locate.OwnerTracker;
import dev.laurel.query.partition.DeliveryQuery.DeliveryProcesses;
import dev.laurel.query.peer.PeerClient;
import dev.laurel.query.peer.PeerNodes.PeerDeliveries;
import dev.laurel.query.read.DeliveryReads;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.Topics;
import org.jspecify.annotations.Nullable;

/**
 * The read side of a delivery process. It shows the webhook deliveries of all delivery processes of the deployment.
 *
 * @param routes to mount on an {@code HttpServer}; with other processes, the server must know the peer key
 * @param owners null for the only delivery process
 */
public record DeliveryQueryService(Routes routes, @Nullable OwnerTracker owners) implements AutoCloseable {

    /** Creates the service of a single delivery process. */
    public static DeliveryQueryService single(Delivery delivery, Rulesets rulesets) {
        return new DeliveryQueryService(
                new DeliveryReadRoutes(
                        new DeliveryReads(DeliveryProcesses.single(DeliveryPartitions.of(delivery)), rulesets)),
                null);
    }

    /**
     * Creates the service of one of several delivery processes.
     *
     * @param advertised host:port under which the other processes reach this one, as its application advertises it
     * @param client the caller closes it
     */
    public static DeliveryQueryService withPeers(
            Delivery delivery, Rulesets rulesets, String advertised, PeerClient client) {
        var local = DeliveryPartitions.of(delivery);
        var owners = new OwnerTracker(delivery::members, Topics.OUTBOX.name(), local::count).start();
        var reads = new DeliveryReadRoutes(
                new DeliveryReads(new PeerDeliveries(local, owners, advertised, client), rulesets));
        var ofPeers = PeerRequestRoutes.ofDelivery(local);
        return new DeliveryQueryService(
                routes -> {
                    reads.mount(routes);
                    ofPeers.mount(routes);
                },
                owners);
    }

    @Override
    public void close() {
        if (owners != null) {
            owners.close();
        }
    }
}
