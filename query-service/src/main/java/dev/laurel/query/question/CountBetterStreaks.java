package dev.laurel.query.question;

import dev.laurel.processors.core.account.StreakPlace;
import dev.laurel.schemas.key.TenantId;
import java.util.List;

/** How many users have a better present streak than this. */
public record CountBetterStreaks(TenantId tenant,
        StreakPlace place) implements Question.OfUsers<CountBetterStreaks.Answer> {

    public record Answer(long users) {}

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public Answer answer(Here here, List<Integer> partitions) {
        return new Answer(here.accounts(partitions).stream().mapToLong(account -> account.better(tenant, place)).sum());
    }

    @Override
    public Answer together(List<Answer> parts) {
        return new Answer(parts.stream().mapToLong(Answer::users).sum());
    }
}
