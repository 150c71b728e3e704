package dev.laurel.query.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.core.engine.KeyEditor.IssuedKey;
import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.http.TestApi;
import dev.laurel.processors.store.users.IssuedKeys;
import dev.laurel.query.read.ConfigReads;
import dev.laurel.query.read.InMemoryUsers;
import dev.laurel.query.read.UserResourceReads;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.input.Uuids;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.UserResourceIds;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The list of application keys: those that are stored as records, and then those in the lists of users of two partitions. */
class RequiredRoleReadRoutesTest {

    private static final String PATH = "/admin/v1/application-api-keys";
    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
    private static final int STORED = 3;
    private static final int ISSUED = 20;

    private final InMemoryUsers users = new InMemoryUsers();
    private final AccessIndex index = InMemoryAccessStore.index();
    private final List<UUID> all = new ArrayList<>();

    @AutoClose
    private TestApi api;

    private final AccessView access = new AccessView() {

        @Override
        public AccessIndex index() {
            return index;
        }

        @Override
        public boolean awaitNewest(Duration timeout) {
            return true;
        }
    };

    @BeforeEach
    void start() {
        for (int i = 0; i < STORED; i++) {
            var id = new UUID(9, STORED - i);
            all.add(id);
            var key = new ApplicationKey(
                    id, TenantId.NONE, new UserId("user-" + i), "app_" + i, "hash", NOON.plusSeconds(i), Role.SUPPORT);
            index.put(key.recordKey(), key);
        }
        for (int i = 0; i < ISSUED; i++) {
            all.add(issue(UserKey.of("user-" + i % 7), i, i / 2 * 2));
        }
        issue(new UserKey(new TenantId("acme"), new UserId("user-1")), 1, 1);
        var configuration = new ConfigReads(users, access, users.clock());
        api = new TestApi(
                (_, _) -> Grant.of(Principal.Admin.UNLIMITED, "p", TenantId.NONE),
                new AccessReadRoutes(
                        configuration, users, new UserResourceReads(users.localNode(), configuration, users.clock())));
    }

    /** Of two keys with the same time, the one with the lower id is first. */
    private UUID issue(UserKey owner, int number, int second) {
        UUID id = UserResourceIds.of(owner, new UUID(0x8000, number));
        int partition = users.layout().partitionOf(owner.bytes());
        new IssuedKeys(users.store("partition-state", partition))
                .add(owner, new IssuedKey(id, NOON.plusSeconds(second).toEpochMilli(), true, IssuedKey.NEVER));
        return id;
    }

    private HttpResponse<String> get(String query) throws Exception {
        return api.get(PATH + query, "k");
    }

    private static List<UUID> ids(HttpResponse<String> answer) {
        assertEquals(200, answer.statusCode(), answer.body());
        return Json.read(answer.body().getBytes(UTF_8), JsonNode.class)
                .valueStream()
                .map(key -> UUID.fromString(key.get("id").stringValue()))
                .toList();
    }

    private List<UUID> inOrder() {
        List<UUID> issued = all.subList(STORED, all.size());
        var ordered = new ArrayList<>(all.subList(0, STORED));
        IntStream.range(0, ISSUED / 2)
                .forEach(pair -> issued.subList(2 * pair, 2 * pair + 2).stream()
                        .sorted(Uuids.BY_BYTES)
                        .forEach(ordered::add));
        return ordered;
    }

    @Test
    void shouldListAllKeysPageByPage() throws Exception {
        for (int limit : List.of(1, 2, 3, 4, 7, 22, 23, 24, 100)) {
            assertEquals(inOrder(), pages("", limit), "limit " + limit);
        }
    }

    /** Reads page by page, none of which is empty. */
    private List<UUID> pages(String query, int limit) throws Exception {
        var listed = new ArrayList<UUID>();
        String after = "";
        while (after != null) {
            HttpResponse<String> page = get("?limit=" + limit + query + after);
            assertNotEquals(List.of(), ids(page), after);
            listed.addAll(ids(page));
            after = page.headers()
                    .firstValue("X-Laurel-Next")
                    .map(next -> "&after=" + next)
                    .orElse(null);
        }
        return listed;
    }

    @Test
    void shouldEndAfterAFullPageOfStoredKeys() throws Exception {
        var key = new ApplicationKey(
                UUID.randomUUID(), TenantId.NONE, new UserId("user-8"), "app_8", "hash", NOON, Role.SUPPORT);
        index.put(key.recordKey(), key);

        HttpResponse<String> page = get("?userId=user-8&limit=1");
        assertEquals(List.of(key.id()), ids(page));
        assertNull(page.headers().firstValue("X-Laurel-Next").orElse(null));
    }

    @Test
    void shouldSkipKeys() throws Exception {
        for (int skip : List.of(0, 1, 3, 5, 22, 23, 40)) {
            assertEquals(inOrder().stream().skip(skip).limit(4).toList(), ids(get("?limit=4&skip=" + skip)), "" + skip);
        }
        assertEquals(422, get("?skip=10001").statusCode());
        assertEquals(422, get("?after=eA").statusCode());
        assertEquals(422, get("?after=***").statusCode());
        assertEquals(422, get("?after=1." + new UUID(0, 1) + ".*").statusCode());
    }

    @Test
    void shouldListTheKeysOfAUser() throws Exception {
        List<UUID> ofUser = List.of(all.get(1), all.get(STORED + 1), all.get(STORED + 8), all.get(STORED + 15));
        HttpResponse<String> answer = get("?userId=user-1");

        assertEquals(ofUser, ids(answer));
        assertNull(answer.headers().firstValue("X-Laurel-Next").orElse(null));
        assertEquals(List.of(), ids(get("?userId=nobody")));
        assertEquals(List.of(), ids(get("?userId=" + "x".repeat(256))));
        for (int limit = 1; limit <= 4; limit++) {
            assertEquals(ofUser, pages("&userId=user-1", limit), "limit " + limit);
        }
        assertEquals(ofUser.subList(1, 3), ids(get("?userId=user-1&skip=1&limit=2")));
    }
}
