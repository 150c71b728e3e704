package dev.laurel.query.question;

import dev.laurel.processors.core.account.StreakPlace.By;
import dev.laurel.processors.core.account.StreakPlace;
import dev.laurel.schemas.key.TenantId;
import java.util.List;

/** Whose streaks are the longest, as they are stored. */
public record ListStreaks(TenantId tenant, By by, int limit) implements Question.OfUsers<ListStreaks.Answer> {

    /** @param places best first; null while that many are not known though there are */
    public record Answer(List<StreakPlace> places) {}

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public Answer answer(Here here, List<Integer> partitions) {
        return together(here.accounts(partitions).stream()
                .map(account -> new Answer(account.best(tenant, by, limit))).toList());
    }

    @Override
    public Answer together(List<Answer> parts) {
        return parts.stream().anyMatch(part -> part.places() == null)
                ? new Answer(null)
                : new Answer(parts.stream().flatMap(part -> part.places().stream()).sorted(StreakPlace.BEST_FIRST)
                        .limit(limit).toList());
    }
}
