package dev.laurel.gateway.http;

import dev.laurel.gateway.Gateway;
import dev.laurel.gateway.GatewayConfig;
import dev.laurel.gateway.RequestReplyClient;
import dev.laurel.gateway.admission.Admissions;
import dev.laurel.gateway.clock.TestClock;
import dev.laurel.gateway.http.EventRoutes.EventIds;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.kafka.RejectionReads;
import dev.laurel.platform.kafka.TopicPages.Found;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.Rejection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** All routes of a gateway. */
public final class GatewayRoutes implements Routes {

    private static final Duration TEST_CLOCK_TIMEOUT = Duration.ofSeconds(50);

    private final List<Routes> resources;
    private final Configuration configuration;
    private final InstantSource clock;

    /**
     * @param clock gives the time of receipt; the routes of the test clock exist only for a {@link TestClock}
     * @param timeout of the wait for an edit to arrive at this gateway
     * @param rejections finds a rejection by its id; null if there is none; throws an HttpRefusal if Kafka cannot be read
     */
    GatewayRoutes(
            RequestReplyClient client,
            Rulesets rulesets,
            AccessView access,
            InstantSource clock,
            Duration timeout,
            LongFunction<@Nullable Rejection> rejections) {
        var admissions = new Admissions(rulesets);
        this.configuration = new Configuration(client, rulesets, access, timeout);
        this.clock = clock;
        this.resources = new ArrayList<>(List.of(
                new EventRoutes(admissions, client, clock, new EventIds()),
                new UserRoutes(admissions, client, configuration),
                new RulesetRoutes(configuration, clock),
                new ConfigRoutes(configuration),
                new WebhookRoutes(client, configuration, clock),
                new AccessRoutes(client, configuration),
                new BoostRoutes(client, configuration),
                new StreakRoutes(client, configuration),
                new EmailLinkRoutes(rulesets, access, client),
                new RejectionRoutes(admissions, client, rejections, access, clock)));
        if (clock instanceof TestClock testClock) {
            resources.add(new TestClockRoutes(new TestClockControl(testClock, client, TEST_CLOCK_TIMEOUT)));
        }
    }

    /** @param clock that of the gateway */
    public static GatewayRoutes of(Gateway gateway, GatewayConfig config, Gateway.Tables tables, InstantSource clock) {
        var rejections = new RejectionReads(config.client(Map.of()));
        return new GatewayRoutes(
                gateway.client(),
                tables.rulesets(),
                tables.access(),
                clock,
                config.limits().replyTimeout(),
                id -> {
                    Found<Rejection> found = rejections.find(id);
                    return found == null ? null : found.value();
                });
    }

    /** Returns the routes of replays. @param replays null: this process runs none */
    public Routes ofReplays(@Nullable Replays replays) {
        return new ReplayRoutes(configuration, new RulesetRoutes(configuration, clock), clock, replays);
    }

    @Override
    public void mount(RouteTable routes) {
        resources.forEach(resource -> resource.mount(routes));
    }
}
