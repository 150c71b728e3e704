package dev.laurel.query.question;

import dev.laurel.processors.core.account.UserSample;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.util.List;

/** Some of the users of a tenant, who stand for all of them. */
public record SampleUsers(TenantId tenant) implements Question.OfUsers<SampleUsers.Answer> {

    /** @param users in the order of the sample; @param end the first who is none of them, null: that is everybody */
    public record Answer(List<UserId> users, UserId end) {

        static Answer of(UserSample sample) {
            return new Answer(sample.users(), sample.end());
        }

        UserSample sample() {
            return UserSample.of(users, end);
        }
    }

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public Answer answer(Here here, List<Integer> partitions) {
        var all = new UserSample();
        here.accounts(partitions).forEach(account -> account.addSampleTo(all, tenant));
        return Answer.of(all);
    }

    @Override
    public Answer together(List<Answer> parts) {
        var all = new UserSample();
        parts.forEach(part -> all.add(part.sample()));
        return Answer.of(all);
    }
}
