package dev.laurel.query.question;

import dev.laurel.processors.core.user.StreakReading;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.StreakLengthBody;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** How long the streaks of these users are now. */
public record MeasureStreaks(List<UserKey> users) implements Question.OfUsers<MeasureStreaks.Answer> {

    /** @param streaks of those who are known, in no order */
    public record Answer(List<StreakLengthBody> streaks) {}

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public IntStream partitionsOf(LogLayout layout) {
        return users.stream().mapToInt(user -> layout.partitionOf(user.bytes())).distinct();
    }

    @Override
    public Answer answer(Here here, List<Integer> partitions) {
        PresentUsers present = here.users();
        return new Answer(users.stream().filter(user -> here.isAmong(partitions, user))
                .flatMap(user -> present.find(user, now -> {
                    int length = StreakReading.lengthOf(now.state(), now.rules());
                    return new StreakLengthBody(user.user().value(), length,
                            length == 0 ? null : Instant.ofEpochMilli(now.state().streak().extendedAtMs()));
                }).stream()).toList());
    }

    @Override
    public Answer together(List<Answer> parts) {
        return new Answer(parts.stream().flatMap(part -> part.streaks().stream()).toList());
    }
}
