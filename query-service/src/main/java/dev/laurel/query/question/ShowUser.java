package dev.laurel.query.question;

import dev.laurel.processors.core.view.Bodies;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.UserBody;
import java.util.List;
import java.util.stream.IntStream;

/** A user as the API shows it. */
public record ShowUser(UserKey user) implements Question.OfUsers<ShowUser.Answer> {

    /** @param user null if there is none */
    public record Answer(UserBody user) {}

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public IntStream partitionsOf(LogLayout layout) {
        return IntStream.of(layout.partitionOf(user.bytes()));
    }

    @Override
    public Answer answer(Here here, List<Integer> partitions) {
        return new Answer(here.users().find(user, present -> Bodies.user(present.state())).orElse(null));
    }

    @Override
    public Answer together(List<Answer> parts) {
        return parts.getFirst();
    }
}
