package dev.laurel.processors.core.view;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.wire.EventStreakBody;
import dev.laurel.schemas.wire.StreakBody;
import java.util.List;
import java.util.Optional;

/** What the world is shown of a streak (application-api.md §2 "Streak"). */
public final class StreakBodies {

    private StreakBodies() {}

    public static EventStreakBody event(UserState state, CompiledRuleset rules, boolean isExtended, long nowMs) {
        return new EventStreakBody(state.streak().length(), rules.document().streak().frequency().name() + nowMs, null,
                null, null, null, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), isExtended);
    }

    /**
     * The streak call.
     *
     * @param nowMs the moment the state stands for
     * @param periods how many periods of history, the last one the current
     */
    public static StreakBody streak(UserState state, CompiledRuleset rules, UserHistory history, long nowMs,
            int periods) {
        return new StreakBody(state.streak().length(), rules.document().streak().frequency().name() + nowMs + periods
                + history, null, null, null, null, Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), null, null, List.of(), List.of());
    }
}
