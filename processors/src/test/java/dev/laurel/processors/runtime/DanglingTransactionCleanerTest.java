package dev.laurel.processors.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.MemberAssignment;
import org.apache.kafka.clients.admin.MemberDescription;
import org.junit.jupiter.api.Test;

final class DanglingTransactionCleanerTest {

    private static final String DEAD = "laurel-ledger-3f9c2b1a-0d4e-4c52-9b7f-6f0a1c2d3e4f";
    private static final String ALIVE = "laurel-ledger-7a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";
    private static final String MEMBER = ALIVE + "-StreamThread-1-consumer";

    private final DanglingTransactionCleaner transactions =
            new DanglingTransactionCleaner("laurel-ledger", Map.of(), () -> false);

    @Test
    void shouldFindTransactionsOfProcessesThatAreNotMembers() {
        assertEquals(
                Set.of(DEAD + "-1", DEAD + "-2"),
                transactions.dangling(List.of(DEAD + "-1", ALIVE + "-1", DEAD + "-2"), List.of(MEMBER)));
    }

    @Test
    void shouldIgnoreTransactionsOfOtherApplications() {
        assertEquals(
                Set.of(),
                transactions.dangling(
                        List.of(
                                "laurel-rulesets",
                                "laurel-ledger-2-3f9c2b1a-0d4e-4c52-9b7f-6f0a1c2d3e4f-1",
                                "swimmers"),
                        List.of(MEMBER)));
    }

    @Test
    void shouldFindTransactionsOfThePreviousProcess() {
        assertEquals(
                Set.of(ALIVE + "-1"),
                transactions.own(
                        List.of(DEAD + "-1", ALIVE + "-1", "laurel-ledger-g2" + ALIVE.substring(13) + "-1"),
                        List.of(MEMBER)));
        assertEquals(Set.of(), transactions.own(List.of(ALIVE + "-1"), List.of("own-StreamThread-1-consumer")));
    }

    @Test
    void shouldFindNothingIfAMemberCannotBeIdentified() {
        assertEquals(
                Set.of(), transactions.dangling(List.of(DEAD + "-1"), List.of(MEMBER, "own-StreamThread-1-consumer")));
        assertEquals(Set.of(), transactions.dangling(List.of(DEAD + "-1"), List.of()));
    }

    private static MemberDescription member(String instance, String client) {
        return new MemberDescription(
                "some-id",
                Optional.ofNullable(instance),
                Optional.empty(),
                client,
                "/127.0.0.1",
                new MemberAssignment(Set.of()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void shouldFindMembersOfThePreviousProcess() {
        String second = ALIVE + "-StreamThread-2-consumer";
        String other = DEAD + "-StreamThread-1-consumer";

        assertEquals(
                Set.of("node-1", "node-2"),
                DanglingTransactionCleaner.left(
                        List.of(member("node-1", MEMBER), member("other-1", other), member("node-2", second)),
                        Set.of(MEMBER, second)));
        assertEquals(Set.of(), DanglingTransactionCleaner.left(List.of(member("other-1", other)), Set.of(MEMBER)));
        assertEquals(
                Set.of(),
                DanglingTransactionCleaner.left(
                        List.of(member(null, MEMBER), member("other-1", other)), Set.of(MEMBER)));
    }

    @Test
    void shouldLeaveTheMembersOfThePreviousProcessIfThereAreNoOthers() {
        assertEquals(Set.of(), DanglingTransactionCleaner.left(List.of(member("node-1", MEMBER)), Set.of(MEMBER)));
        assertEquals(Set.of(), DanglingTransactionCleaner.left(List.of(), Set.of(MEMBER)));
    }
}
