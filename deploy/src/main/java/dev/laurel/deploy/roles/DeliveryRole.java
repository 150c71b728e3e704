package dev.laurel.deploy.roles;

import dev.laurel.processors.Delivery;
import dev.laurel.processors.DeliveryConfig;
import dev.laurel.processors.NodeId;
import dev.laurel.processors.delivery.Lookups;
import dev.laurel.processors.delivery.email.EmailSender;
import dev.laurel.processors.delivery.guard.AddressGuard;
import dev.laurel.processors.delivery.message.Rendering;
import dev.laurel.processors.delivery.push.PushSender;
import dev.laurel.processors.replay.WideLog;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.DeliveryQueries;
import dev.laurel.query.peer.PeerClient;
import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.topic.Topics;
import java.nio.file.Path;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivery: webhooks, emails and push messages go out here, and what was sent is read here. */
public final class DeliveryRole implements Role {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryRole.class);

    private final RoleProcess process;
    private final Delivery delivery;
    private final Routes routes;

    /**
     * What it has from others.
     *
     * @param compiled the rulesets
     * @param lookups what it asks nodes for
     */
    public record Sources(RulesetVersions compiled, Lookups lookups) {}

    /**
     * Other processes that deliver.
     *
     * @param advertised host:port under which they reach this one
     * @param client by which this one reaches them
     */
    public record Others(String advertised, PeerClient client) {}

    private DeliveryRole(RoleProcess process, Delivery delivery, Routes routes) {
        this.process = process;
        this.delivery = delivery;
        this.routes = routes;
    }

    /**
     * Starts everything, and waits for nothing.
     *
     * @param stateDir of the stores, and of who this process is
     * @param settings of {@link DeliveryConfig}, but for where Kafka is and where the stores are
     * @param others null: there are none
     */
    public static DeliveryRole start(RoleProcess process, FollowedTables tables, Sources sources, Path stateDir,
            Map<String, Object> settings, Others others)
            throws InterruptedException {
        DeliveryConfig config = config(process, stateDir, settings);
        if (config.publicUrl().isEmpty()) {
            LOG.warn("emails have no link to unsubscribe: --public-url says where browsers reach this instance");
        }
        var email = process.parts().add(new EmailSender(tables.access().book(), config.publicUrl(),
                new AddressGuard(config.allowsPrivateWebhooks()), process.clock()));
        var push = process.parts().add(new PushSender(tables.access(), message -> Rendering.of(message.channel(),
                message.text(), message.facts(), message.sender(), message.branding(), null)));
        int partitions = new WideLog(process.kafka().client()).partitions(Topics.OUTBOX.name());
        var needed = new Delivery.Parts(tables.rulesets(), sources.compiled(), tables.access(), sources.lookups(),
                Map.of(NotificationChannel.EMAIL, email, NotificationChannel.PUSH, push), new LogLayout(partitions),
                () -> tables.generations().inForce().log());
        var delivery = process.parts().add(Delivery.start(config, NodeId.keptIn(stateDir), needed, process.clock(),
                process.metrics(), process.fault()::complete));
        var queries = process.parts().add(others == null
                ? DeliveryQueries.alone(delivery, tables.rulesets())
                : DeliveryQueries.withOthers(delivery, tables.rulesets(), others.advertised(), others.client()));
        return new DeliveryRole(process, delivery, queries.routes());
    }

    private static DeliveryConfig config(RoleProcess process, Path stateDir, Map<String, Object> settings) {
        Map<String, Object> values = process.kafka().withSettings(settings);
        values.put(DeliveryConfig.STATE_DIR, stateDir.toString());
        return new DeliveryConfig(values);
    }

    /** Waits until what is to go out goes out. */
    @Override
    public void awaitReady() throws InterruptedException {
        process.await("delivery", delivery::awaitReady, delivery.catchUp());
    }

    /** Whether what is assigned to this process goes out. Thread-safe. */
    @Override
    public boolean isReady() {
        return delivery.isReady();
    }

    @Override
    public Routes routes() {
        return routes;
    }
}
