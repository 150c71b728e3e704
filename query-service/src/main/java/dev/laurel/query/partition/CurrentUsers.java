package dev.laurel.query.partition;

import dev.laurel.core.engine.UserEngine;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserHistory.HistoryOverlay;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.Bodies;
import dev.laurel.processors.store.users.UserReader;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.UserPartitions;
import dev.laurel.schemas.key.UserKey;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads users as of now. It advances a copy of the stored state to the present time with the same core that processes commands.
 * Thread-safe.
 *
 * @param clock gives the present time to all reads
 */
public record CurrentUsers(UserPartitions partitions, RulesetVersions rulesets, InstantSource clock) {

    /** A user as of now, under the newest rules. @param reader of the user's partition, as it is stored */
    public record Present(UserState state, CompiledRuleset rules, UserHistory history, long nowMs, UserReader reader) {

        /** The user's local date, in days since 1970. */
        public int today() {
            return Bodies.today(state, rules, nowMs);
        }
    }

    /**
     * Shows a user. Empty if the user is unknown, or if {@code show} returns null.
     *
     * @throws dev.laurel.query.locate.NotReadyException while this node cannot read the user's partition
     */
    public <T> Optional<T> find(UserKey user, Function<Present, ? extends @Nullable T> show) {
        byte[] bytes = user.bytes();
        return partitions.readUser(bytes, (state, reader) -> {
            if (state == null) {
                return Optional.empty();
            }
            // A read must show a change of the rules at once, so it uses the newest version and not that of the
            // partition. This is safe, because the state refers to objects by numbers that later versions do not reuse.
            CompiledRuleset rules = rulesets.newest(user.tenant());
            long nowMs = clock.millis();
            UserHistory stored = reader.historyOf(bytes, version -> rulesets.get(user.tenant(), version));
            var now = UserEngine.advance(user, state, rules, stored, nowMs);
            return Optional.ofNullable(show.apply(
                    new Present(now.state(), rules, new HistoryOverlay(stored, now.writes()), nowMs, reader)));
        });
    }
}
