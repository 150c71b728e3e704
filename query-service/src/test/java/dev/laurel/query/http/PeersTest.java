package dev.laurel.query.http;

import static dev.laurel.query.read.InMemoryLeaderboards.board;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.delivery.throttle.NodeReads.NotNow;
import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.access.PeerKey;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.PeerCalls;
import dev.laurel.platform.http.Sessions;
import dev.laurel.platform.http.TestServer;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.query.http.Relay.PeerRelay;
import dev.laurel.query.locate.Members;
import dev.laurel.query.locate.OwnerTracker;
import dev.laurel.query.locate.OwnerTracker.PartitionOwners;
import dev.laurel.query.locate.UserPartitions;
import dev.laurel.query.partition.CurrentUsers;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.query.partition.UserQuery.ShowUser;
import dev.laurel.query.peer.PeerClient;
import dev.laurel.query.peer.PeerClient.PeerMeters;
import dev.laurel.query.peer.PeerNodes;
import dev.laurel.query.peer.PeerNodes.RemoteNodes;
import dev.laurel.query.read.DeliveryLookups;
import dev.laurel.query.read.InMemoryLeaderboards;
import dev.laurel.query.read.InMemoryUsers;
import dev.laurel.query.read.TenantReads;
import dev.laurel.query.read.UserLists;
import dev.laurel.query.read.UserReads;
import dev.laurel.query.read.UserTimelines;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes in one JVM; each has one of two partitions. */
class PeersTest {

    private static final String KEY = BootstrapKey.generate();
    private static final PeerKey PEER_KEY = PeerKey.of(KEY);
    private static final String SESSION = "session-of-ida";
    private static final long MAX_LAG = 100;

    /** A UTF-8 header as a server reads it. */
    private static final String CUSTOMER = "Åbo";

    private final InMemoryUsers users = new InMemoryUsers();
    private final InMemoryAccess access = new InMemoryAccess();
    private final InMemoryLeaderboards boards = new InMemoryLeaderboards().with(board(1, "b"));
    private final AtomicReference<Collection<StreamsMetadata>> members = new AtomicReference<>(List.of());
    private final List<AutoCloseable> started = new ArrayList<>();
    private Node first;
    private Node second;
    private HttpClient client;

    /** A node with the partitions that a test gives it. */
    private final class Node {
        private final Set<Integer> own = ConcurrentHashMap.newKeySet();
        private final Set<Integer> copied = ConcurrentHashMap.newKeySet();
        private volatile long lag = 3;

        /** The stores of the copies. */
        private volatile InMemoryUsers behind = users;

        private final int port;
        private final PartitionOwners owners;
        private final HttpServer server;

        Node(PeerKey key) throws IOException {
            port = TestServer.unusedPort();
            owners = new PartitionOwners(
                    address(),
                    new OwnerTracker(members::get, Members.TOPIC, () -> 2),
                    new OwnerTracker(members::get, Members.TOPIC, () -> 2));
            var peers = new PeerClient(
                    key, null, PeerClient.DEFAULT_MAX_CALLS, new PeerMeters(new Metrics()), Tracing.NONE);
            var partitions = new UserPartitions(new UserPartitions.Source(
                    users::layout,
                    own::contains,
                    users::store,
                    this::copy,
                    partition -> copied.contains(partition) ? lag : null));
            var present = new CurrentUsers(partitions, users.rulesets(), users.clock());
            var local = new LocalNode(present, boards.partitions(), () -> null, () -> null);
            var nodes = new PeerNodes(local, owners, peers);
            var relay = new PeerRelay(owners, peers, MAX_LAG);
            var reads = new UserReads(present, nodes, users.counts());
            server = TestServer.start(
                    TestServer.at(new HttpSettings.Address("127.0.0.1", port))
                            .withPeerKey(key)
                            .withSessions((cookie, _) -> cookie.equals(SESSION)
                                    ? new Sessions.Session(
                                            Grant.of(Principal.Admin.UNLIMITED, "p", TenantId.NONE), "t", Instant.MAX)
                                    : null),
                    (given, customer) -> given.equals(KEY) && (customer == null || customer.equals(CUSTOMER))
                            ? Grant.of(Principal.Admin.UNLIMITED, "p", TenantId.NONE)
                            : null,
                    List.of(
                            new UserReadRoutes(reads, relay),
                            new TenantReadRoutes(
                                    new TenantReads(nodes, users.counts(), users.rulesets(), users.clock()),
                                    new UserLists(nodes)),
                            new TimelineRoutes(new UserTimelines(local.users()), relay),
                            new NotificationPageRoutes(reads, relay, users, access),
                            PeerRequestRoutes.ofNode(local, nodes),
                            new NodeRoutes(() -> true)));
            started.add(peers);
            started.add(server);
        }

        String address() {
            return "127.0.0.1:" + port;
        }

        private ReadOnlyKeyValueStore<Bytes, byte[]> copy(String name, int partition) {
            if (!copied.contains(partition)) {
                throw new InvalidStateStoreException("not on this node");
            }
            return behind.store(name, partition);
        }
    }

    @BeforeEach
    void start() throws Exception {
        users.rules("2026-01-01T00:00:00Z", """
            {"metrics":{"laps":{}},"streak":{"frequency":"daily"},
             "achievements":{"ten":{"name":"Ten","trigger":"metric","metric":"laps","value":1}}}\
            """);
        for (String user : List.of("ann", "bo", "a/b c|%?ä", "...")) {
            users.event(user, "laps", 2, "2026-03-01T09:00:00Z");
        }
        for (int i = 0; i < 20; i++) {
            users.event("u" + i, "laps", i + 1, "2026-03-01T09:00:00Z");
        }
        users.now("2026-03-01T12:00:00Z");
        first = new Node(PEER_KEY);
        second = new Node(PEER_KEY);
        client = HttpClient.newHttpClient();
        share();
    }

    private void share() {
        first.own.add(0);
        second.own.add(1);
        assign(
                Members.member(first.address(), List.of(0), List.of(1)),
                Members.member(second.address(), List.of(1), List.of(0)));
    }

    private void assign(StreamsMetadata... all) {
        members.set(List.of(all));
        Members.poll(first.owners);
        Members.poll(second.owners);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        for (AutoCloseable part : started) {
            part.close();
        }
    }

    private HttpResponse<String> get(Node node, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + node.address() + path))
                .header("X-API-KEY", KEY);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private String ofPartition(int partition) {
        return "u" + inPartition(partition, "u");
    }

    /** The first number that makes a user of this partition. */
    private int inPartition(int partition, String prefix) {
        for (int i = 0; ; i++) {
            if (users.layout().partitionOf((prefix + i).getBytes(UTF_8)) == partition) {
                return i;
            }
        }
    }

    @Test
    void shouldAnswerTheSameOnBothNodes() throws Exception {
        for (String path : List.of(
                "/v1/users/ann",
                "/v1/users/bo",
                "/v1/users/u1/streak",
                "/v1/users/u2/achievements",
                "/api/users/u3/metrics/laps",
                "/v1/users/a%2Fb%20c%7C%25%3F%C3%A4/metrics",
                "/v1/users/%2e%2e%2e",
                "/v1/users/unknown",
                "/v1/users/u5/metrics/none",
                "/v1/users/u4/metrics/laps/event-summary?aggregation=daily&startDate=2026-03-01&endDate=2026-03-02",
                "/v1/users/u1/points/gems?awards=0",
                "/admin/v1/users?limit=100",
                "/admin/v1/users?sort=id&limit=5",
                "/admin/v1/users?sort=lastActivity&limit=7",
                "/admin/v1/users?sort=match&search=u1&limit=3",
                "/admin/v1/users/u3/timeline?limit=1",
                "/admin/v1/users?search=U1&limit=5",
                "/v1/achievements",
                "/v1/streaks?userIds=u1,u2,u3,u4,u5,nobody",
                "/v1/streaks/rankings?limit=10")) {
            HttpResponse<String> one = get(first, path);
            HttpResponse<String> other = get(second, path);

            assertEquals(one.statusCode() + one.body(), other.statusCode() + other.body(), path);
            assertNotEquals(503, one.statusCode(), path);
            for (String header : List.of("Content-Type", "X-Laurel-Next")) {
                assertEquals(one.headers().firstValue(header), other.headers().firstValue(header), path);
            }
            assertTrue(one.headers().firstValue(PeerCalls.STALE).isEmpty(), path);
        }
    }

    @ParameterizedTest
    @CsvSource({SESSION + ", 200", "other, 401"})
    void shouldForwardTheSession(String session, int status) throws Exception {
        for (int partition : new int[] {0, 1}) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(
                                    URI.create("http://" + first.address() + "/v1/users/" + ofPartition(partition)))
                            .headers(
                                    "Cookie",
                                    "a=b; " + Sessions.COOKIE + "=" + session,
                                    "Sec-Fetch-Site",
                                    "same-origin")
                            .build(),
                    BodyHandlers.ofString());
            assertEquals(status, answer.statusCode(), answer.body());
        }
    }

    @Test
    void shouldForwardAtMostOnce() throws Exception {
        // Each node considers the other the owner of partitions that neither has.
        first.own.clear();
        second.own.clear();
        members.set(List.of(Members.member(second.address(), List.of(0, 1), List.of())));
        Members.poll(first.owners);
        members.set(List.of(Members.member(first.address(), List.of(0, 1), List.of())));
        Members.poll(second.owners);

        HttpResponse<String> answer = get(first, "/v1/users/u1");

        assertEquals(503, answer.statusCode());
        assertEquals("1", answer.headers().firstValue("Retry-After").orElseThrow());
        assertEquals(503, get(first, "/v1/users/u1/achievements").statusCode());
        assertEquals(503, get(second, "/admin/v1/users").statusCode());
    }

    @Test
    void shouldNotForwardAForwardedRequest() throws Exception {
        String path = "/v1/users/" + ofPartition(1);

        assertEquals(200, get(first, path).statusCode());
        assertEquals(
                503,
                get(first, path, PeerCalls.FORWARDED, "1", PeerCalls.KEY, PEER_KEY.text())
                        .statusCode());
    }

    @Test
    void shouldIgnorePeerHeadersWithoutThePeerKey() throws Exception {
        String path = "/v1/users/" + ofPartition(0);

        assertEquals(401, get(first, path, PeerCalls.FORWARDED, "1").statusCode());
        assertEquals(
                401,
                get(first, path, PeerCalls.FORWARDED, "1", PeerCalls.KEY, KEY).statusCode());
        for (String internal : List.of("/internal/ask", "/internal/ask/", "/%69nternal/ask", "/internal/other")) {
            HttpRequest.Builder ask = HttpRequest.newBuilder(URI.create("http://" + first.address() + internal))
                    .POST(HttpRequest.BodyPublishers.ofString(
                            "{\"question\":\"SampleUsers\",\"of\":{\"tenant\":\"\"}}"))
                    .header("X-API-KEY", KEY);
            int without = client.send(ask.build(), BodyHandlers.ofString()).statusCode();
            ask.header(PeerCalls.KEY, PEER_KEY.text() + "x");
            int withAnother = client.send(ask.build(), BodyHandlers.ofString()).statusCode();
            assertTrue(internal.contains("%") ? without >= 400 : without == 401, internal + " " + without);
            assertTrue(internal.contains("%") ? withAnother >= 400 : withAnother == 401, internal + " " + withAnother);
        }
    }

    @Test
    void shouldCheckTheKeyOfTheClientOnTheOwnerAgain() throws Exception {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create("http://" + first.address() + "/v1/users/ann"))
                        .headers(
                                "X-API-KEY",
                                BootstrapKey.generate(),
                                PeerCalls.FORWARDED,
                                "1",
                                PeerCalls.KEY,
                                PEER_KEY.text())
                        .build(),
                BodyHandlers.ofString());

        assertEquals(401, answer.statusCode());
    }

    @Test
    void shouldAnswer503IfThePeerKeyIsAnotherOne() throws Exception {
        var stranger = new Node(PeerKey.of(BootstrapKey.generate()));
        stranger.own.add(1);
        assign(
                Members.member(first.address(), List.of(0), List.of()),
                Members.member(stranger.address(), List.of(1), List.of()));

        assertEquals(503, get(first, "/v1/users/" + ofPartition(1)).statusCode());
        assertEquals(503, get(first, "/v1/streaks/rankings").statusCode());
    }

    @Test
    void shouldNotWaitLongForANodeThatHangs() throws Exception {
        try (var hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assign(
                    Members.member(first.address(), List.of(0), List.of()),
                    Members.member("127.0.0.1:" + hanging.getLocalPort(), List.of(1), List.of()));
            var calls = new AtomicInteger();
            Thread.ofVirtual().start(() -> {
                try {
                    while (hanging.accept() != null) {
                        calls.incrementAndGet();
                    }
                } catch (IOException _) {
                    // The test is over.
                }
            });
            assertEquals(503, get(first, "/v1/users/" + ofPartition(1)).statusCode());
            int called = calls.get();
            assertTrue(called > 0, "it was called, and did not answer");

            assertEquals(503, get(first, "/v1/streaks/rankings").statusCode());
            assertEquals(called, calls.get(), "a peer that has just timed out is not called again");
        }
    }

    @Test
    void shouldAnswerUsersFromACopyWhileTheOwnerIsAway() throws Exception {
        String user = ofPartition(1);
        String fresh = get(first, "/v1/users/" + user + "/achievements").body();
        first.copied.add(1);
        second.server.close();

        HttpResponse<String> stale = get(first, "/v1/users/" + user + "/achievements");
        assertEquals(fresh, stale.body());
        assertEquals("3", stale.headers().firstValue(PeerCalls.STALE).orElseThrow());
        // What a read of a user on this node shows of other users, this node knows.
        HttpResponse<String> other = get(first, "/v1/users/" + ofPartition(0) + "/achievements");
        assertEquals(200, other.statusCode());
        assertTrue(other.headers().firstValue(PeerCalls.STALE).isEmpty());
        assertEquals(200, get(first, "/v1/achievements").statusCode());

        first.lag = MAX_LAG + 1;
        assertEquals(503, get(first, "/v1/users/" + user).statusCode());
        first.lag = 0;
        assertEquals(
                "0",
                get(first, "/v1/users/" + user)
                        .headers()
                        .firstValue(PeerCalls.STALE)
                        .orElseThrow());
        for (String path : List.of("/v1/streaks/rankings", "/admin/v1/users")) {
            HttpResponse<String> answer = get(first, path);
            assertEquals(503, answer.statusCode(), path);
            assertEquals("1", answer.headers().firstValue("Retry-After").orElseThrow(), path);
        }
    }

    @Test
    void shouldForwardToACopyWhileTheOwnerIsAway() throws Exception {
        var third = new Node(PEER_KEY);
        String path = "/v1/users/" + ofPartition(1);
        second.own.clear();
        second.server.close();
        third.copied.add(1);
        assign(
                Members.member(first.address(), List.of(0), List.of()),
                Members.member(second.address(), List.of(1), List.of()),
                Members.member(third.address(), List.of(), List.of(1)));

        HttpResponse<String> answer = get(first, path);

        assertEquals(200, answer.statusCode());
        assertEquals("3", answer.headers().firstValue(PeerCalls.STALE).orElseThrow());
    }

    /** A copy may lack users that exist, so that only the owner can say that a user is unknown. */
    @Test
    void shouldNotAnswer404FromACopyThatLacksTheUser() throws Exception {
        String user = ofPartition(1);
        first.copied.add(1);
        first.behind = new InMemoryUsers();
        second.server.close();
        for (String path : List.of(
                "",
                "/preferences",
                "/metrics",
                "/metrics/laps",
                "/points/gems",
                "/points/gems/boosts",
                "/metrics/laps/event-summary?aggregation=daily&startDate=2026-03-01" + "&endDate=2026-03-02",
                "/streak",
                "/achievements",
                "/wrapped")) {
            expectBusy(get(first, "/v1/users/" + user + path));
        }
        // The copy of another node has the user.
        var third = new Node(PEER_KEY);
        third.copied.add(1);
        assign(
                Members.member(first.address(), List.of(0), List.of(1)),
                Members.member(second.address(), List.of(1), List.of(0)),
                Members.member(third.address(), List.of(), List.of(1)));
        HttpResponse<String> answer = get(first, "/v1/users/" + user);
        assertEquals(200, answer.statusCode());
        assertEquals("3", answer.headers().firstValue(PeerCalls.STALE).orElseThrow());
        // No copy knows whether a user exists that all of them lack.
        expectBusy(get(first, "/v1/users/x" + inPartition(1, "x")));
    }

    private static void expectBusy(HttpResponse<String> answer) {
        assertEquals(503, answer.statusCode(), () -> answer.uri() + " " + answer.body());
        assertEquals("1", answer.headers().firstValue("Retry-After").orElseThrow());
        assertTrue(answer.headers().firstValue(PeerCalls.STALE).isEmpty(), answer::toString);
    }

    @Test
    void shouldShowThePageOfALinkFromAnyNodeThatHasTheUser() throws Exception {
        String path = access.linkOf(UserKey.of(ofPartition(1)));
        HttpResponse<String> page = get(first, path);
        assertEquals(200, page.statusCode());
        assertTrue(page.body().contains("value=\"save\""), page.body());
        for (String header : List.of("Content-Security-Policy", "Referrer-Policy", "X-Robots-Tag", "Cache-Control")) {
            assertEquals(1, page.headers().allValues(header).size(), header);
        }

        first.copied.add(1);
        second.server.close();
        HttpResponse<String> copy = get(first, path);
        assertTrue(copy.body().contains("value=\"save\""), copy.body());
        assertEquals("3", copy.headers().firstValue(PeerCalls.STALE).orElseThrow());

        first.copied.clear();
        HttpResponse<String> without = get(first, path);
        assertEquals(200, without.statusCode());
        assertTrue(
                without.body().contains("value=\"off\"") && !without.body().contains("value=\"save\""), without.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Åbo", "UTF-8''%C3%85bo"})
    void shouldForwardHeadersUnchanged(String customer) throws Exception {
        String head = "GET /v1/users/" + ofPartition(1)
                + "?x=a|b HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-KEY: "
                + KEY + "\r\nTenant-ID: " + customer + "\r\nX-Request-Id: mine\r\n\r\n";
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), first.port)) {
            socket.getOutputStream().write(head.getBytes(UTF_8));
            String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);

            assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
            assertTrue(answer.contains("mine"), answer);
        }
    }

    @Test
    void shouldAnswerAProcessThatIsNoNodeFromAnyNode() throws Exception {
        var asking = new PeerClient(
                PEER_KEY, null, PeerClient.DEFAULT_MAX_CALLS, new PeerMeters(new Metrics()), Tracing.NONE);
        started.add(asking);
        int unusedPort = TestServer.unusedPort();
        var lookups = new DeliveryLookups(
                new RemoteNodes(List.of("127.0.0.1:" + unusedPort, first.address()), asking), users.rulesets());

        for (int partition = 0; partition < 2; partition++) {
            var user = UserKey.of(ofPartition(partition));
            assertEquals(
                    users.localNode().ask(new ShowUser(user)).values().getFirst(),
                    lookups.user(user).orElseThrow());
        }
        assertTrue(lookups.user(UserKey.of("nobody")).isEmpty());
        second.server.close();
        assertThrows(NotNow.class, () -> lookups.user(UserKey.of(ofPartition(1))));
    }
}
