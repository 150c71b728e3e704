package dev.laurel.query.question;

import dev.laurel.processors.core.account.StreakPlace.By;
import dev.laurel.processors.core.account.StreakPlace;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.util.List;
import java.util.stream.IntStream;

/** The places that these users have now among streaks, and what they are called. */
public record ShowStreaks(TenantId tenant, By by, List<UserId> users) implements Question.OfUsers<ShowStreaks.Answer> {

    /** @param listed who has a place, in no order */
    public record Answer(List<Listed> listed) {}

    /** @param name null if the user has none */
    public record Listed(StreakPlace place, String name) {}

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public IntStream partitionsOf(LogLayout layout) {
        return users.stream().mapToInt(user -> layout.partitionOf(new UserKey(tenant, user).bytes())).distinct();
    }

    @Override
    public Answer answer(Here here, List<Integer> partitions) {
        PresentUsers present = here.users();
        return new Answer(users.stream().map(user -> new UserKey(tenant, user))
                .filter(user -> here.isAmong(partitions, user)).flatMap(user -> present.find(user, now -> {
                    StreakPlace place = StreakPlace.of(now.state(), by);
                    return place == null ? null : new Listed(place, now.state().profile().name());
                }).stream()).toList());
    }

    @Override
    public Answer together(List<Answer> parts) {
        return new Answer(parts.stream().flatMap(part -> part.listed().stream()).toList());
    }
}
