package dev.laurel.query;

import dev.laurel.processors.Delivery;
import dev.laurel.query.http.DeliveryReadRoutes;
import dev.laurel.query.locate.DeliveryPartitions;
import dev.laurel.query.read.DeliveryReads;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.ruleset.Rulesets;

/** The read side of a delivery process: what it has sent. */
public final class DeliveryQueries {

    private DeliveryQueries() {}

    /** The routes to mount on a {@code HttpServer}. */
    public static Routes routes(Delivery delivery, Rulesets rulesets) {
        return new DeliveryReadRoutes(new DeliveryReads(DeliveryPartitions.of(delivery), rulesets));
    }
}
