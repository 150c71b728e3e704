package dev.laurel.query.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.laurel.delivery.store.WebhookDelivery;
import dev.laurel.delivery.store.WebhookDelivery.Attempt;
import dev.laurel.delivery.store.WebhookDelivery.Status;
import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.access.PeerKey;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.PeerCalls;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.http.TestServer;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.query.locate.DeliveryPartitions;
import dev.laurel.query.locate.Members;
import dev.laurel.query.locate.OwnerTracker;
import dev.laurel.query.partition.DeliveryQuery.DeliveryProcesses;
import dev.laurel.query.peer.PeerClient;
import dev.laurel.query.peer.PeerClient.PeerMeters;
import dev.laurel.query.peer.PeerNodes.PeerDeliveries;
import dev.laurel.query.read.DeliveryReads;
import dev.laurel.query.read.InMemoryUsers;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.topic.DeliveryIds;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two delivery processes in one JVM: the first has two of three partitions, the second has one. */
class DeliveryPeersTest {

    private static final int PARTITIONS = 3;
    private static final String KEY = "key";
    private static final PeerKey PEER_KEY = PeerKey.of(KEY);
    private static final Instant T = Instant.parse("2026-03-04T09:15:00Z");

    private final InMemoryUsers configuration = new InMemoryUsers();
    private final List<InMemoryDeliveryLog> logs = IntStream.range(0, PARTITIONS)
            .mapToObj(_ -> new InMemoryDeliveryLog())
            .toList();
    private final AtomicReference<Collection<StreamsMetadata>> members = new AtomicReference<>(List.of());
    private final List<AutoCloseable> started = new ArrayList<>();
    private UUID webhook;
    private HttpClient client;
    private Process first;
    private Process second;
    private HttpServer alone;

    /** Starts a process that delivers these partitions. */
    private final class Process {
        private final int port;
        private final HttpServer server;

        Process(List<Integer> own) throws IOException {
            port = TestServer.unusedPort();
            var local = new DeliveryPartitions(PARTITIONS, partition -> {
                if (!own.contains(partition)) {
                    throw new InvalidStateStoreException("not here");
                }
                return logs.get(partition);
            });
            var owners = new OwnerTracker(members::get, Members.TOPIC, () -> PARTITIONS).start();
            var peers = new PeerClient(
                    PEER_KEY, null, PeerClient.DEFAULT_MAX_CALLS, new PeerMeters(new Metrics()), Tracing.NONE);
            server = serve(
                    port, new PeerDeliveries(local, owners, address(), peers), PeerRequestRoutes.ofDelivery(local));
            started.add(owners);
            started.add(peers);
        }

        String address() {
            return "127.0.0.1:" + port;
        }
    }

    private HttpServer serve(int port, DeliveryProcesses deliveries, Routes... more) {
        var routes = new ArrayList<>(List.of(more));
        routes.add(new DeliveryReadRoutes(new DeliveryReads(deliveries, configuration)));
        routes.add(new NodeRoutes(() -> true));
        HttpServer server = TestServer.start(
                TestServer.at(new HttpSettings.Address("127.0.0.1", port)).withPeerKey(PEER_KEY),
                (key, _) -> KEY.equals(key) ? Grant.of(Principal.Admin.UNLIMITED, "p", TenantId.NONE) : null,
                routes);
        started.add(server);
        return server;
    }

    @BeforeEach
    void start() throws Exception {
        configuration.rules(
                "2026-01-01T00:00:00Z",
                "{\"webhooks\":{\"crm\":{\"url\":\"https://crm.example\",\"events\":[\"streak.lost\"]}}}");
        webhook = configuration.newest(TenantId.NONE).webhooks().getFirst().id();
        for (int i = 0; i < 40; i++) {
            UUID id = DeliveryIds.of(("user-" + i).getBytes(), T.plusMillis(i / 3), UUID.randomUUID(), webhook);
            logs.get(DeliveryIds.partitionOf(id, PARTITIONS))
                    .put(new WebhookDelivery(
                            id,
                            i % 5 == 0 ? null : UUID.randomUUID(),
                            i % 2 == 0 ? WebhookEvent.STREAK_LOST : WebhookEvent.POINTS_CHANGED,
                            T.plusMillis(i / 3),
                            Status.values()[i % 3],
                            List.of(new Attempt(T.plusMillis(5), 500, null, 12)),
                            1,
                            0,
                            false,
                            null));
        }
        members.set(List.of());
        first = new Process(List.of(0, 2));
        second = new Process(List.of(1));
        assign(
                Members.member(first.address(), List.of(0, 2), List.of(1)),
                Members.member(second.address(), List.of(1), List.of(0, 2)));
        alone = serve(0, DeliveryProcesses.single(new DeliveryPartitions(PARTITIONS, logs::get)));
        client = HttpClient.newHttpClient();
    }

    private void assign(StreamsMetadata... all) {
        members.set(List.of(all));
        for (AutoCloseable part : started) {
            if (part instanceof OwnerTracker owners) {
                Members.poll(owners);
            }
        }
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        for (AutoCloseable part : started) {
            part.close();
        }
    }

    private HttpResponse<String> get(int port, String query) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + port + "/admin/v1/webhooks/" + webhook + "/deliveries" + query))
                        .header("X-API-KEY", KEY)
                        .build(),
                BodyHandlers.ofString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?limit=100",
                "?limit=7&skip=11",
                "?skip=39",
                "?skip=40",
                "?status=failed&limit=100",
                "?event=points.changed&status=pending&limit=100",
                "?event=streak.started"
            })
    void shouldAnswerOnEachProcessAsASingleOneWould(String query) throws Exception {
        String whole = get(alone.port(), query).body();

        assertEquals(whole, get(first.port, query).body());
        assertEquals(whole, get(second.port, query).body());
    }

    @Test
    void shouldHaveDeliveriesInAllPartitions() throws Exception {
        assertNotEquals("[]", get(first.port, "").body());
        logs.forEach(log -> assertEquals(false, log.isEmpty(), "the test needs deliveries in all partitions"));
    }

    @Test
    void shouldAnswerAllOrNothing() throws Exception {
        second.server.close();

        HttpResponse<String> answer = get(first.port, "");

        assertEquals(503, answer.statusCode());
        assertEquals("1", answer.headers().firstValue("Retry-After").orElseThrow());
        assertEquals(
                404,
                client.send(
                                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + first.port
                                                + "/admin/v1/webhooks/" + UUID.randomUUID() + "/deliveries"))
                                        .header("X-API-KEY", KEY)
                                        .build(),
                                BodyHandlers.ofString())
                        .statusCode());
    }

    @Test
    void shouldAnswer503WhileAPartitionIsNotOpenAtItsOwner() throws Exception {
        logs.get(1).close();

        assertEquals(503, get(first.port, "").statusCode());
        assertEquals(503, get(second.port, "").statusCode());
    }

    @Test
    void shouldNotForwardTheQueryOfAPeer() throws Exception {
        // Each process considers the other the owner of partitions that neither has.
        assign(
                Members.member(first.address(), List.of(1), List.of()),
                Members.member(second.address(), List.of(0, 2), List.of()));

        assertEquals(503, get(first.port, "").statusCode());
        assertEquals(503, get(second.port, "").statusCode());
    }

    @Test
    void shouldAnswerOnlyQueriesOfPeersAboutDeliveries() throws Exception {
        String ofUsers = "{\"question\":\"SampleUsers\",\"of\":{\"tenant\":\"\"},\"partitions\":[0]}";
        String everywhere = "{\"question\":\"SearchDeliveries\",\"of\":{\"tenant\":\"\",\"webhook\":\"" + webhook
                + "\",\"limit\":1}}";

        assertEquals(401, ask(ofUsers, KEY).statusCode());
        assertEquals(422, ask(ofUsers, PEER_KEY.text()).statusCode());
        assertEquals(422, ask(everywhere, PEER_KEY.text()).statusCode());
    }

    private HttpResponse<String> ask(String body, String peerKey) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://" + first.address() + "/internal/ask"))
                        .header(PeerCalls.KEY, peerKey)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }
}
