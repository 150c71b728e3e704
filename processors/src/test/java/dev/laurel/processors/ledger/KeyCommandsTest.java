package dev.laurel.processors.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.core.engine.KeyEditor.IssuedKey;
import dev.laurel.processors.store.users.UserResourceReader.Entry;
import dev.laurel.processors.store.users.UserResourceReader.Kind;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.processors.topology.LedgerDriver.Reply;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.topic.UserResourceIds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands about the lists of application keys, in the partition of their users. */
class KeyCommandsTest {

    private static final String AT = "2026-03-04T10:00:00Z";
    private static final long AT_MS = Instant.parse(AT).toEpochMilli();
    private static final TenantId ACME = new TenantId("acme");
    private static final UserKey ANN = new UserKey(ACME, new UserId("ann"));
    private static final UserKey BEA = new UserKey(ACME, new UserId("bea"));
    private static final int MAX_KEYS = 100;

    private final Published published = new Published();
    private final Ruleset ruleset = published.add(TestRulesets.first("metrics: {laps: {}}"));

    @AutoClose
    private LedgerDriver ledger = new LedgerDriver(published);

    @BeforeEach
    void publishRules() {
        ledger.publish(ruleset, "2026-01-01T00:00:00Z");
    }

    private static UUID id(UserKey owner, int number) {
        return UserResourceIds.of(owner, new UUID(0x8000, number));
    }

    private Reply issue(UserKey owner, UUID id, @Nullable String expires, String at) {
        return ledger.ask(
                owner.text(),
                "{\"type\":\"issue-key\",\"user\":{\"id\":\"%s\"},\"keyId\":\"%s\"%s}"
                        .formatted(
                                owner.user(),
                                id,
                                expires == null ? "" : ",\"role\":\"viewer\",\"expires\":\"" + expires + "\""),
                at);
    }

    private Reply issue(UserKey owner, int number) {
        return issue(owner, id(owner, number), null, AT);
    }

    private Reply revoke(TenantId tenant, UUID id) {
        return ledger.ask(
                null,
                "{\"type\":\"revoke-owned-key\",\"tenant\":\"%s\",\"id\":\"%s\"}".formatted(tenant.value(), id),
                AT);
    }

    private Reply erase(UserKey user, UUID... revoked) {
        return ledger.ask(
                user.text(),
                "{\"type\":\"erase-user\",\"user\":{\"id\":\"%s\"},\"revokedKeys\":[%s]}"
                        .formatted(
                                user.user(),
                                String.join(
                                        ",",
                                        List.of(revoked).stream()
                                                .map(key -> "\"" + key + "\"")
                                                .toList())),
                AT);
    }

    private Map<String, String> partitionState() {
        return new HashMap<>(ledger.contents().get("partition-state"));
    }

    private List<IssuedKey> keysOf(UserKey user) {
        return ledger.reader().keys().of(user);
    }

    private List<UUID> listed(TenantId tenant) {
        var all = new ArrayList<UUID>();
        Entry last = null;
        List<Entry> next;
        do {
            next = ledger.reader().owned().next(Kind.KEY, tenant, 0, last, 2);
            next.forEach(entry -> all.add(entry.id()));
            last = next.isEmpty() ? last : next.getLast();
        } while (!next.isEmpty());
        return all;
    }

    @Test
    void shouldListTheKeysOfAUserWhoNeedNotBeKnown() {
        Map<String, String> before = partitionState();
        assertEquals(200, issue(ANN, id(ANN, 2), null, AT).status());
        assertEquals(
                200,
                issue(ANN, id(ANN, 1), "2026-05-01T00:00:00Z", "2026-03-04T10:00:01Z")
                        .status());
        assertEquals(200, issue(BEA, id(BEA, 3), null, "2026-03-04T10:00:02Z").status());

        assertEquals(
                List.of(
                        new IssuedKey(id(ANN, 2), AT_MS, false, IssuedKey.NEVER),
                        new IssuedKey(
                                id(ANN, 1),
                                AT_MS + 1000,
                                true,
                                Instant.parse("2026-05-01T00:00:00Z").toEpochMilli())),
                keysOf(ANN));
        assertEquals(List.of(id(ANN, 2), id(ANN, 1), id(BEA, 3)), listed(ACME));
        assertEquals(List.of(), listed(TenantId.NONE));
        assertEquals(List.of(), keysOf(UserKey.of("ann")));
        assertEquals(0, ledger.userCount(ACME), "a key makes no user");
        assertTrue(ledger.effects().isEmpty());
        assertEquals(before.size() + 6, partitionState().size(), "two entries for each key");
    }

    @Test
    void shouldChangeNothingByARepetition() {
        issue(ANN, 1);
        Map<String, String> before = partitionState();

        assertEquals(
                200,
                issue(ANN, id(ANN, 1), "2026-05-01T00:00:00Z", "2026-04-04T10:00:00Z")
                        .status());
        assertEquals(before, partitionState());
    }

    @Test
    void shouldRefuseAnIdThatIsNotOfTheUser() {
        Map<String, String> before = partitionState();

        assertEquals(422, issue(ANN, id(BEA, 1), null, AT).status());
        assertEquals(422, issue(ANN, UUID.randomUUID(), null, AT).status());
        assertEquals(before, partitionState());
    }

    @Test
    void shouldRemoveAKeyByItsIdInItsTenant() {
        Map<String, String> before = partitionState();
        issue(ANN, 1);
        Map<String, String> withOne = partitionState();
        issue(ANN, 2);

        assertEquals(404, revoke(TenantId.NONE, id(ANN, 2)).status());
        assertEquals(404, revoke(ACME, id(ANN, 3)).status());
        assertEquals(200, revoke(ACME, id(ANN, 2)).status());
        assertEquals(withOne, partitionState());
        assertEquals(
                "Application key not found by ID",
                revoke(ACME, id(ANN, 2)).body().get("error").stringValue());
        assertEquals(
                200,
                ledger.ask(
                                ANN.text(),
                                "{\"type\":\"revoke-key\",\"user\":{\"id\":\"ann\"},\"keyId\":\"" + id(ANN, 1) + "\"}",
                                AT)
                        .status());
        assertEquals(before, partitionState());
    }

    private void use(UserKey owner, UUID id, String at) {
        ledger.produce(
                owner.text(),
                "{\"type\":\"note-key-use\",\"user\":{\"id\":\"%s\"},\"keyId\":\"%s\"}".formatted(owner.user(), id),
                at);
    }

    @Test
    void shouldNoteAUseOnceADay() {
        issue(ANN, 1);
        use(ANN, id(ANN, 1), "2026-03-04T11:00:00Z");
        use(ANN, id(ANN, 1), "2026-03-05T10:59:59Z");
        use(ANN, id(ANN, 2), "2026-03-05T10:59:59Z");

        assertEquals(List.of(new IssuedKey(id(ANN, 1), AT_MS, false, IssuedKey.NEVER, AT_MS + 3_600_000)), keysOf(ANN));
        use(ANN, id(ANN, 1), "2026-03-05T11:00:00Z");
        assertEquals(AT_MS + 90_000_000, keysOf(ANN).getFirst().usedMs());
        use(ANN, id(ANN, 1), "2026-03-04T10:30:00Z");
        assertEquals(AT_MS + 90_000_000, keysOf(ANN).getFirst().usedMs(), "a late note");
        assertEquals(List.of(id(ANN, 1)), listed(ACME));
        assertTrue(ledger.rejections().isEmpty());
    }

    @Test
    void shouldLimitTheKeysOfAUserAndReplaceExpiredOnes() {
        for (int i = 0; i < MAX_KEYS; i++) {
            assertEquals(
                    200,
                    issue(ANN, id(ANN, i), i < 2 ? "2026-03-05T00:00:00Z" : null, AT)
                            .status());
        }
        Map<String, String> full = partitionState();

        Reply refused = issue(ANN, MAX_KEYS);
        assertEquals(422, refused.status());
        assertEquals(
                "The user has 100 application keys already, which is the most a user can have.",
                refused.body().get("error").stringValue());
        assertEquals(full, partitionState());
        assertEquals(200, issue(BEA, 1).status());
        assertEquals(
                200, issue(ANN, id(ANN, MAX_KEYS), null, "2026-03-05T00:00:00Z").status());
        assertEquals(MAX_KEYS - 1, keysOf(ANN).size(), "the two expired ones made room");
    }

    @Test
    void shouldEraseAUserOnlyIfAllKeysAreRevoked() {
        Map<String, String> before = partitionState();
        ledger.ask(ANN.text(), "{\"type\":\"identify\",\"user\":{\"id\":\"ann\"}}", AT);
        issue(ANN, 1);
        issue(ANN, 2);
        Map<String, Map<String, String>> withKeys = ledger.contents();

        for (List<UUID> named : List.of(List.<UUID>of(), List.of(id(ANN, 1)), List.of(id(BEA, 2)))) {
            Reply refused = erase(ANN, named.toArray(UUID[]::new));
            assertEquals(422, refused.status());
            List<String> left = IntStream.of(1, 2)
                    .mapToObj(number -> id(ANN, number))
                    .filter(key -> !named.contains(key))
                    .map(UUID::toString)
                    .toList();
            assertEquals(
                    left,
                    refused.body()
                            .get("keys")
                            .valueStream()
                            .map(key -> key.stringValue())
                            .sorted()
                            .toList());
            assertEquals(withKeys, ledger.contents());
        }
        ledger.produce(ANN.text(), "{\"type\":\"erase-user\",\"user\":{\"id\":\"ann\"}}", AT);
        assertTrue(ledger.rejections()
                .getFirst()
                .get("reason")
                .stringValue()
                .startsWith("The user has 2 application keys"));
        assertEquals(200, erase(ANN, id(ANN, 1), id(ANN, 2), id(ANN, 3)).status());
        assertEquals(0, ledger.contents().get("users").size());
        assertEquals(List.of(), listed(ACME));
        assertEquals(
                before.keySet(),
                partitionState().keySet().stream()
                        .filter(key -> !key.equals("75") && !key.equals("43"))
                        .collect(Collectors.toSet()),
                "only the indexes of users and of creations were begun");
        assertEquals(404, erase(ANN).status());
    }

    @Test
    void shouldEraseKeysOfAnUnknownUser() {
        Map<String, String> before = partitionState();
        issue(ANN, 1);

        assertEquals(422, erase(ANN).status());
        assertEquals(200, erase(ANN, id(ANN, 1)).status());
        assertEquals(before, partitionState());
        assertEquals(404, erase(ANN, id(ANN, 1)).status());
    }

    @Test
    void shouldBeAFoldOfTheLog() {
        for (int i = 0; i < 20; i++) {
            issue(i % 3 == 0 ? ANN : BEA, i);
        }
        revoke(ACME, id(BEA, 1));
        erase(ANN, IntStream.range(0, 20).mapToObj(i -> id(ANN, i)).toArray(UUID[]::new));

        try (var again = new LedgerDriver(published)) {
            ledger.log().forEach(again::pipe);
            assertEquals(ledger.contents(), again.contents());
        }
        assertEquals(12, listed(ACME).size());
        ledger = ledger.restarted();
        assertEquals(12, keysOf(BEA).size());
    }

    /** The entries of a key are durable: the key by its id, and its place in the order of creation. */
    @Test
    void shouldStoreTwoEntriesPerKey() {
        Map<String, String> before = partitionState();
        UserKey user = UserKey.of("7c9e6679-7425-40de-944b-e07fc1f90ae7");
        issue(user, id(user, 1), "2026-05-01T00:00:00Z", AT);
        Map<String, String> added = partitionState();
        added.keySet().removeAll(before.keySet());

        String owner = HexFormat.of().formatHex(user.bytes());
        String id = "d5b7c4a500008000" + "0000000000000001";
        assertEquals(
                Map.of(
                        "696b0000" + id + owner,
                        "028084d28497670180a0ae8dbc67feffffffffffffffff01",
                        "6c6b0000" + "80000000" + "8000019cb84a4100" + id + owner,
                        "01"),
                added);
    }
}
