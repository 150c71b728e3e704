package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.core.compare.UserFacts;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.UserEngine;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.store.UserReader;
import dev.laurel.schemas.key.UserKey;

/**
 * What users of one state have at one moment, as the API would show it then: settled under the newest rules of that state, with
 * everything that has fallen due. One thread.
 */
final class FactsReader {

    private final State state;
    private final Places places;
    private final long nowMs;

    FactsReader(State state, long nowMs) {
        this.state = state;
        this.places = new Places(state, nowMs);
        this.nowMs = nowMs;
    }

    /** Null if the user is not there. @param key the user key's bytes */
    UserFacts read(int partition, byte[] key) {
        var reader = new UserReader(name -> state.storeOf(name, partition, key));
        UserState stored = reader.user(key);
        if (stored == null) {
            return null;
        }
        UserKey user = UserKey.parse(key);
        CompiledRuleset rules = state.newest(user.tenant());
        UserHistory history = reader.historyOf(key, version -> state.version(user.tenant(), version));
        UserState now = UserEngine.advance(user, stored, rules, history, nowMs).state();
        return UserFacts.of(now, rules, history, nowMs, places.of(user, now, rules));
    }
}
