package dev.laurel.deploy.tools.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.deploy.tools.replay.MemberComparison.Widened;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

final class MemberComparisonTest {

    /** A state of one partition. */
    private record Users(KeyValueStore<Bytes, byte[]> users) implements ComparedState {

        @Override
        public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
            assertEquals(0, partition);
            return users;
        }

        @Override
        public Ranking ranking(LeaderboardRules rules, LeaderboardGroup group) {
            throw new UnsupportedOperationException();
        }

        @Override
        public RulesetVersions rulesets() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void shouldShareTheUsersOfAPartitionAmongThoseOfAWiderLog() {
        var store = Stores.inMemoryKeyValueStore("users").get();
        var users = new TreeSet<String>();
        for (int user = 0; user < 50; user++) {
            users.add("user-" + user);
            store.put(Bytes.wrap(("user-" + user).getBytes(StandardCharsets.UTF_8)), new byte[0]);
        }
        var layout = new LogLayout(3);
        var state = new Widened(new Users(store), 1, layout);
        var found = new ArrayList<String>();
        for (int partition = 0; partition < 3; partition++) {
            int wide = partition;
            ComparedState.forEachPair(state, state, "users", wide, pair -> {
                assertEquals(wide, layout.partitionOf(pair.key().get()));
                assertSame(pair.live(), pair.replayed());
                found.add(new String(pair.key().get(), StandardCharsets.UTF_8));
            });
        }
        assertEquals(50, found.size());
        assertEquals(users, new TreeSet<>(found));
    }
}
