package dev.laurel.deploy.roles;

import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;

import dev.laurel.delivery.email.EmailSender;
import dev.laurel.delivery.guard.AddressGuard;
import dev.laurel.delivery.push.PushSender;
import dev.laurel.delivery.runtime.Delivery;
import dev.laurel.delivery.runtime.DeliveryConfig;
import dev.laurel.delivery.throttle.NodeReads;
import dev.laurel.gateway.clock.TestClock;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.processors.runtime.NodeId;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.http.DeliveryQueryService;
import dev.laurel.query.peer.PeerClient;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.topic.Topics;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The delivery role: sends webhooks, emails and push messages, and serves reads of what was sent. */
final class DeliveryRole implements Role {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryRole.class);

    private final RoleProcess process;
    private final Delivery delivery;
    private final Routes routes;

    /**
     * Sources of rules and of user data.
     *
     * @param compiled compiled rulesets
     * @param lookups reads of nodes
     */
    record Sources(RulesetVersions compiled, NodeReads lookups) {}

    /**
     * Starts the role without waiting until it is ready.
     *
     * @param config its folder is for stores and for the id of this process
     * @param others client of the other processes that deliver, which reach this one at its advertised address; null: there are none
     */
    DeliveryRole(
            RoleProcess process,
            FollowedTables tables,
            Sources sources,
            DeliveryConfig config,
            @Nullable PeerClient others)
            throws InterruptedException {
        this.process = process;
        DeliveryConfig.Sending sending = config.sending();
        if (sending.publicUrl().isEmpty()) {
            LOG.warn("Emails are not sent, because --public-url is not set and they would have no link to unsubscribe");
        }
        var email = process.parts()
                .add(new EmailSender(
                        tables.access().index(),
                        sending.publicUrl(),
                        new AddressGuard(sending.allowsPrivate()),
                        process.clock(),
                        new Properties()));
        process.parts()
                .add(process.metrics().scope())
                .counter(
                        "laurel.delivery.emails.withheld",
                        "Attempts to send an email that were not made, because --public-url is not set.",
                        email::withheldAttempts);
        var push = process.parts().add(new PushSender(tables.access()));
        LogLayout outbox = LogLayout.ask(process.kafka().clientProperties(), Topics.OUTBOX.name(), TIMEOUT);
        var needed = new Delivery.Parts(
                tables.rulesets(),
                sources.compiled(),
                tables.access(),
                sources.lookups(),
                Map.of(NotificationChannel.EMAIL, email, NotificationChannel.PUSH, push),
                outbox,
                () -> tables.generations().inForce().log(),
                process.clock() instanceof TestClock);
        Path stateDir = config.streams().stateDir();
        NodeId node = NodeId.keptIn(stateDir);
        delivery = process.parts()
                .add(new Delivery(config, node, needed, process.clock(), process.metrics(), process.fault()::complete));
        process.shown().addRole("delivery");
        process.shown().identify(node.value(), stateDir);
        process.shown().addMembers("delivery", delivery::members);
        routes = process.parts()
                .add(
                        others == null
                                ? DeliveryQueryService.single(delivery, tables.rulesets())
                                : DeliveryQueryService.withPeers(
                                        delivery,
                                        tables.rulesets(),
                                        config.streams().advertised(),
                                        others))
                .routes();
    }

    /** Waits until delivery runs. */
    @Override
    public void awaitReady() throws InterruptedException {
        process.await("delivery", delivery::awaitReady, delivery.catchUp());
    }

    /** Returns whether the partitions assigned to this process are being delivered. Thread-safe. */
    @Override
    public boolean isReady() {
        return delivery.isReady();
    }

    @Override
    public Routes routes() {
        return routes;
    }
}
