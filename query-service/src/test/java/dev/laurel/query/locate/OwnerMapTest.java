package dev.laurel.query.locate;

import static dev.laurel.query.locate.Members.member;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.query.locate.NotReadyException.StorePartition;
import dev.laurel.query.locate.NotReadyException.Stores;
import dev.laurel.query.locate.OwnerTracker.Owner;
import dev.laurel.query.locate.OwnerTracker.OwnerMap;
import dev.laurel.query.locate.OwnerTracker.PartitionOwners;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.streams.StreamsMetadata;
import org.junit.jupiter.api.Test;

class OwnerMapTest {

    private static final String A = "a.example:80";
    private static final String B = "b.example:80";
    private static final String C = "c.example:80";

    private static OwnerMap mapOf(StreamsMetadata... members) {
        return OwnerMap.of(List.of(members), Members.TOPIC, 3);
    }

    @Test
    void shouldFindTheOwnerAndTheStandbysOfEachPartition() {
        OwnerMap map = mapOf(
                member(C, List.of(), List.of(1)),
                member(A, List.of(0, 2), List.of(1)),
                member(B, List.of(1), List.of(0)));

        assertEquals(new Owner(A, List.of(B)), map.of(0));
        assertEquals(new Owner(B, List.of(A, C)), map.of(1));
        assertEquals(new Owner(A, List.of()), map.of(2));
    }

    @Test
    void shouldLeaveOutUnreachableMembersAndOtherTopics() {
        OwnerMap map =
                OwnerMap.of(List.of(Members.unreachable(List.of(0)), member(A, List.of(1), List.of())), "other", 2);

        assertNull(mapOf(Members.unreachable(List.of(0))).of(0).active());
        assertNull(map.of(1).active());
        assertTrue(map.isEmpty());
        assertNull(OwnerMap.UNKNOWN.of(7).active());
    }

    @Test
    void shouldSwapTheMapOnlyWhenTheAssignmentChanges() {
        var members = new AtomicReference<Collection<StreamsMetadata>>(List.of());
        var owners = new PartitionOwners(
                A,
                new OwnerTracker(members::get, Members.TOPIC, () -> 2),
                new OwnerTracker(members::get, Members.TOPIC, () -> 2));
        Members.poll(owners);
        assertSame(OwnerMap.UNKNOWN, owners.users().owners());

        members.set(List.of(member(A, List.of(0), List.of(1)), member(B, List.of(1), List.of(0))));
        Members.poll(owners);
        OwnerMap known = owners.users().owners();
        assertEquals(B, owners.of(new StorePartition(Stores.USERS, 1)).active());
        assertEquals(A, owners.of(new StorePartition(Stores.USERS, 0)).active());

        members.set(List.of(member(B, List.of(1), List.of(0)), member(A, List.of(0), List.of(1))));
        Members.poll(owners);
        assertSame(known, owners.users().owners());

        members.set(List.of()); // as in the middle of a rebalance
        Members.poll(owners);
        assertSame(known, owners.users().owners());

        members.set(List.of(member(A, List.of(0, 1), List.of())));
        Members.poll(owners);
        assertEquals(new Owner(A, List.of()), owners.boards().of(1));
    }
}
