package dev.laurel.query;

import dev.laurel.processors.Delivery;
import dev.laurel.query.http.AskRoutes;
import dev.laurel.query.http.DeliveryReadRoutes;
import dev.laurel.query.locate.DeliveryPartitions;
import dev.laurel.query.locate.Owners;
import dev.laurel.query.peer.PeerClient;
import dev.laurel.query.peer.PeerDeliveries;
import dev.laurel.query.question.DeliveriesHere;
import dev.laurel.query.read.DeliveryReads;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.Topics;

/** The read side of a delivery process: what it has sent, and what others of the deployment have. */
public final class DeliveryQueries implements AutoCloseable {

    private final Routes routes;

    /** Null if there are no others. */
    private final Owners owners;

    private DeliveryQueries(Routes routes, Owners owners) {
        this.routes = routes;
        this.owners = owners;
    }

    /** Of the only process that delivers. */
    public static DeliveryQueries alone(Delivery delivery, Rulesets rulesets) {
        return new DeliveryQueries(new DeliveryReadRoutes(
                new DeliveryReads(new DeliveriesHere(DeliveryPartitions.of(delivery)), rulesets)), null);
    }

    /**
     * Of one of several.
     *
     * @param advertised host:port under which others reach this one, the same that its application advertises
     * @param client stays the caller's to close
     */
    public static DeliveryQueries withOthers(Delivery delivery, Rulesets rulesets, String advertised,
            PeerClient client) {
        var here = DeliveryPartitions.of(delivery);
        var owners = new Owners(new Owners.Source(delivery::members, Topics.OUTBOX.name(), here::count)).start();
        var reads = new DeliveryReadRoutes(
                new DeliveryReads(new PeerDeliveries(here, owners, advertised, client), rulesets));
        var asked = AskRoutes.ofDelivery(here);
        return new DeliveryQueries(routes -> {
            reads.mount(routes);
            asked.mount(routes);
        }, owners);
    }

    /** The routes to mount on a {@code HttpServer}; with others, one that has their key. */
    public Routes routes() {
        return routes;
    }

    @Override
    public void close() {
        if (owners != null) {
            owners.close();
        }
    }
}
