package dev.laurel.query.question;

import dev.laurel.processors.store.UserReader;
import dev.laurel.schemas.key.TenantId;
import java.util.List;

/** How many users have completed these achievements. @param achievements their numbers */
public record CountCompletions(TenantId tenant,
        List<Integer> achievements) implements Question.OfUsers<CountCompletions.Answer> {

    /** @param users all there are; @param completions in the order in which the achievements were asked for */
    public record Answer(long users, long[] completions) {}

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public Answer answer(Here here, List<Integer> partitions) {
        return together(here.readEach(partitions, this::count));
    }

    private Answer count(UserReader reader) {
        return new Answer(reader.userCount(tenant),
                achievements.stream().mapToLong(number -> reader.completionCount(tenant, number)).toArray());
    }

    @Override
    public Answer together(List<Answer> parts) {
        var completions = new long[achievements.size()];
        long users = 0;
        for (Answer part : parts) {
            users += part.users();
            for (int i = 0; i < completions.length; i++) {
                completions[i] += part.completions()[i];
            }
        }
        return new Answer(users, completions);
    }
}
