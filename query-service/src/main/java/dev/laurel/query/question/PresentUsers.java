package dev.laurel.query.question;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.HistoryDraft;
import dev.laurel.processors.core.user.UserEngine;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.core.view.Bodies;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.Partitions;
import dev.laurel.schemas.key.UserKey;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/**
 * Users as they are now: a copy of the stored state, brought up to now by the same core that processes commands. Thread-safe.
 *
 * @param clock what reads take for now
 */
public record PresentUsers(Partitions partitions, RulesetVersions rulesets, InstantSource clock) {

    /** A user as of now, under the rules of now. */
    public record Present(UserState state, CompiledRuleset rules, UserHistory history, long nowMs) {

        /** The user's local date, in days since 1970. */
        public int today() {
            return Bodies.today(state, rules, nowMs);
        }
    }

    /**
     * Empty if the user is unknown, or there is nothing to show of it: null.
     *
     * @throws dev.laurel.query.read.NotReadyException while the user's partition cannot be read here
     */
    public <T> Optional<T> find(UserKey user, Function<Present, T> show) {
        byte[] bytes = user.bytes();
        return partitions.readOwner(bytes, reader -> {
            UserState state = reader.user(bytes);
            if (state == null) {
                return Optional.empty();
            }
            // Not the version the partition has come to: what was changed is to be read at once. It is in force now, and the
            // state refers to objects by numbers that no later version gives to others.
            CompiledRuleset rules = rulesets.newest(user.tenant());
            long nowMs = clock.millis();
            UserHistory stored = reader.historyOf(bytes, version -> rulesets.get(user.tenant(), version));
            var now = UserEngine.advance(user, state, rules, stored, nowMs);
            return Optional.ofNullable(
                    show.apply(new Present(now.state(), rules, new HistoryDraft(stored, now.writes()), nowMs)));
        });
    }
}
