package dev.laurel.query.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.delivery.store.WebhookDelivery;
import dev.laurel.delivery.store.WebhookDelivery.Attempt;
import dev.laurel.delivery.store.WebhookDelivery.Status;
import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.http.TestApi;
import dev.laurel.query.locate.DeliveryPartitions;
import dev.laurel.query.partition.DeliveryQuery.DeliveryProcesses;
import dev.laurel.query.read.DeliveryReads;
import dev.laurel.query.read.InMemoryUsers;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.topic.DeliveryIds;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The operators' list of webhook deliveries (docs/admin-api.md B5). */
class DeliveryReadRoutesTest {

    private static final int PARTITIONS = 3;
    private static final String KEY = "key";
    private static final String APPLICATION_KEY = "app_0.ann";
    private static final Instant T = Instant.parse("2026-03-04T09:15:00Z");
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]*)\"");

    private final InMemoryUsers configuration = new InMemoryUsers();
    private final List<InMemoryDeliveryLog> logs = IntStream.range(0, PARTITIONS)
            .mapToObj(_ -> new InMemoryDeliveryLog())
            .toList();

    @AutoClose
    private TestApi api;

    private UUID webhook;

    @BeforeEach
    void start() throws Exception {
        configuration.rules(
                "2026-01-01T00:00:00Z",
                "{\"webhooks\":{\"crm\":{\"url\":\"https://crm.example\",\"events\":[\"streak.lost\"]}}}");
        webhook = configuration.newest(TenantId.NONE).webhooks().getFirst().id();
        api = new TestApi(
                (key, _) -> switch (key) {
                    case KEY -> Grant.of(Principal.Admin.UNLIMITED, "p", TenantId.NONE);
                    case APPLICATION_KEY ->
                        Grant.of(new Principal.ApplicationUser(new UserId("ann"), Role.SUPPORT), "p", TenantId.NONE);
                    default -> null;
                },
                new DeliveryReadRoutes(new DeliveryReads(
                        DeliveryProcesses.single(new DeliveryPartitions(PARTITIONS, logs::get)), configuration)),
                new NodeRoutes(() -> true));
    }

    private HttpResponse<String> get(String query) throws Exception {
        return get("/admin/v1/webhooks/" + webhook + "/deliveries" + query, KEY);
    }

    private HttpResponse<String> get(String path, String key) throws Exception {
        return api.get(path, key);
    }

    private String ids(String query) throws Exception {
        return ID.matcher(get(query).body()).results().map(id -> id.group(1)).collect(Collectors.joining(" "));
    }

    /** Adds a delivery to the partition of its key, which its id names. */
    private WebhookDelivery add(
            String outboxKey, Instant created, WebhookEvent event, Status status, Attempt... attempts) {
        UUID source = UUID.randomUUID();
        UUID id = DeliveryIds.of(outboxKey.getBytes(), created, source, webhook);
        var delivery = new WebhookDelivery(
                id, source, event, created, status, List.of(attempts), attempts.length, 0, false, null);
        logs.get(DeliveryIds.partitionOf(id, PARTITIONS)).put(delivery);
        return delivery;
    }

    private WebhookDelivery add(int number) {
        return add("user-" + number % 10, T.plusMillis(number / 4), WebhookEvent.STREAK_LOST, Status.PENDING);
    }

    @Test
    void shouldShowADeliveryWithItsAttemptsAndPayload() throws Exception {
        WebhookDelivery delivery = add(
                "ida",
                T,
                WebhookEvent.STREAK_LOST,
                Status.PENDING,
                new Attempt(T.plusMillis(5), 500, null, 12),
                new Attempt(T.plusSeconds(60), null, "The connection was refused.", 0));

        var answer = get("");

        assertEquals(200, answer.statusCode());
        assertEquals(
                "[{\"id\":\"" + delivery.id() + "\",\"event\":\"streak.lost\",\"status\":\"pending\","
                        + "\"attempts\":[{\"at\":\"2026-03-04T09:15:00.005Z\",\"responseStatus\":500,\"error\":null,"
                        + "\"durationMs\":12},{\"at\":\"2026-03-04T09:16:00.000Z\",\"responseStatus\":null,"
                        + "\"error\":\"The"
                        + " connection was refused.\",\"durationMs\":0}],"
                        + "\"payload\":{\"type\":\"streak.lost\",\"length\":1.5},"
                        + "\"created\":\"2026-03-04T09:15:00.000Z\"}]",
                answer.body());
    }

    @Test
    void shouldShowADeliveryWithoutItsPayload() throws Exception {
        UUID id = DeliveryIds.of(new byte[0], T, webhook, webhook);
        logs.get(DeliveryIds.partitionOf(id, PARTITIONS))
                .put(new WebhookDelivery(
                        id, null, WebhookEvent.EMAILS_RECAP_DUE, T, Status.FAILED, List.of(), 0, 0, false, null));

        assertTrue(get("").body().contains("\"status\":\"failed\",\"attempts\":[],\"payload\":null"));
    }

    /** No delivery is missing or repeated, even among those of the same millisecond. */
    @Test
    void shouldPageThroughAllPartitionsNewestFirst() throws Exception {
        var all = new ArrayList<WebhookDelivery>();
        for (int i = 0; i < 57; i++) {
            all.add(add(i));
        }
        all.sort(Comparator.comparing(WebhookDelivery::created)
                .thenComparing(delivery -> delivery.id().toString())
                .reversed());
        List<String> expected =
                all.stream().map(delivery -> delivery.id().toString()).toList();
        assertTrue(logs.stream().noneMatch(log -> log.isEmpty()), "the test needs deliveries in all partitions");

        assertEquals(String.join(" ", expected.subList(0, 10)), ids(""));
        for (int skip = 0; skip < 60; skip += 7) {
            assertEquals(
                    String.join(" ", expected.subList(Math.min(57, skip), Math.min(57, skip + 7))),
                    ids("?limit=7&skip=" + skip));
        }
        assertEquals("", ids("?skip=57"));
    }

    /** The ids of all pages of a list that is followed to its end. @param maxPages limits the number of requests */
    private List<String> follow(String query, int maxPages) throws Exception {
        var ids = new ArrayList<String>();
        String next = "";
        for (int page = 0; page < maxPages; page++) {
            var answer = get(query + next);
            assertEquals(200, answer.statusCode(), answer.body());
            ID.matcher(answer.body()).results().forEach(id -> ids.add(id.group(1)));
            var header = answer.headers().firstValue("X-Laurel-Next");
            if (header.isEmpty()) {
                return ids;
            }
            next = "&after=" + header.get();
        }
        throw new AssertionError("the list does not end: " + ids);
    }

    @Test
    void shouldContinueAfterAnyPage() throws Exception {
        for (int i = 0; i < 57; i++) {
            add(i);
        }
        List<String> all = List.of(ids("?limit=100").split(" "));

        assertEquals(57, all.size());
        assertEquals(all, follow("?limit=7", 9));
        assertEquals(all, follow("?limit=19", 3));
        assertEquals(all, follow("?limit=7&event=streak.lost", 9));
        assertEquals(List.of(), follow("?limit=7&status=failed", 1));
        assertTrue(get("?limit=56").headers().firstValue("X-Laurel-Next").isPresent());
        assertTrue(get("?limit=57").headers().firstValue("X-Laurel-Next").isEmpty());
    }

    /** Partitions end their search at different times, so a page must not show what only some of them have reached. */
    @Test
    void shouldSayThatFilterEndedEarlyAndContinueThere() throws Exception {
        var failed = new ArrayList<String>();
        for (int i = 0; i < 300; i++) {
            boolean isWanted = i % 29 == 0;
            WebhookDelivery delivery = add(
                    "user-" + i % 7,
                    T.plusMillis(i / 3),
                    WebhookEvent.STREAK_LOST,
                    isWanted ? Status.FAILED : Status.SUCCEEDED);
            if (isWanted) {
                failed.add(delivery.id().toString());
            }
        }
        failed.sort(Comparator.comparing(UUID::fromString, DeliveryIds.NEWEST_FIRST));
        logs.get(0).examineAtMost(5);
        logs.get(1).examineAtMost(17);

        assertTrue(ids("?status=failed&limit=20").split(" ").length < failed.size());
        assertTrue(get("?status=failed&limit=20")
                .headers()
                .firstValue("X-Laurel-Next")
                .isPresent());
        for (int limit : new int[] {1, 2, 20}) {
            assertEquals(failed, follow("?status=failed&limit=" + limit, 200));
        }
        assertEquals(List.of(), follow("?status=pending", 200));
    }

    @Test
    void shouldReadNoMoreThanThePageAndWhatPrecedesItFromEachPartition() throws Exception {
        add(0);

        ids("?limit=100&skip=10000");

        logs.forEach(log -> assertEquals(10_101, log.largestLimit()));
    }

    @ParameterizedTest
    @CsvSource({
        "?status=pending,1",
        "?status=succeeded,1",
        "?status=failed,2",
        "?event=streak.lost,3",
        "?event=points.changed,1",
        "?event=points.changed&status=failed,1",
        "?event=points.changed&status=pending,0",
        "?event=streak.started,0"
    })
    void shouldFindByStatusAndEvent(String query, int found) throws Exception {
        add("a", T, WebhookEvent.STREAK_LOST, Status.PENDING);
        add("b", T, WebhookEvent.STREAK_LOST, Status.SUCCEEDED);
        add("c", T, WebhookEvent.STREAK_LOST, Status.FAILED);
        add("d", T, WebhookEvent.POINTS_CHANGED, Status.FAILED);

        assertEquals(found, ID.matcher(get(query).body()).results().count());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?status=PENDING",
                "?status=",
                "?status=done",
                "?event=",
                "?event=STREAK_LOST",
                "?event=streak.found",
                "?limit=0",
                "?limit=101",
                "?after=",
                "?after=x",
                "?after=7c1e9f60-3b2a-4d5e-8f90-a1b2c3d4e515",
                "?skip=-1",
                "?skip=10001",
                "?skip=x"
            })
    void shouldRefuseInvalidParameters(String query) throws Exception {
        var answer = get(query);

        assertEquals(422, answer.statusCode());
        assertTrue(answer.body().contains(query.substring(1, query.indexOf('=')) + " must be"), answer.body());
    }

    @Test
    void shouldNotFindAnotherWebhook() throws Exception {
        assertEquals(
                404,
                get("/admin/v1/webhooks/" + UUID.randomUUID() + "/deliveries", KEY)
                        .statusCode());
        assertEquals(422, get("/admin/v1/webhooks/crm/deliveries", KEY).statusCode());
    }

    @Test
    void shouldRefuseApplicationKeys() throws Exception {
        assertEquals(
                401,
                get("/admin/v1/webhooks/" + webhook + "/deliveries", APPLICATION_KEY)
                        .statusCode());
    }

    @Test
    void shouldAnswer503WhileAPartitionIsNotOpen() throws Exception {
        add(0);
        logs.get(2).close();

        var answer = get("");

        assertEquals(503, answer.statusCode());
        assertEquals("1", answer.headers().firstValue("Retry-After").orElseThrow());
    }
}
