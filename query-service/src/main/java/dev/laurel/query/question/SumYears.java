package dev.laurel.query.question;

import dev.laurel.processors.core.account.SampledYear.YearOfUser;
import dev.laurel.processors.core.account.SampledYear;
import dev.laurel.processors.core.rules.CalendarYear;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** What these users came to in a year. Who asks for many asks for some at a time: each costs the reading of a year. */
public record SumYears(TenantId tenant, int year, DayOfWeek weekStart,
        List<UserId> users) implements Question.OfUsers<SumYears.Answer> {

    /** @param years of those who are known, in no order */
    public record Answer(List<YearOfUser> years) {}

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
        var calendar = new CalendarYear(year, weekStart);
        var years = new ArrayList<YearOfUser>();
        for (UserId id : users) {
            byte[] user = new UserKey(tenant, id).bytes();
            if (here.isAmong(partitions, user)) {
                here.partitions().readOwner(user, reader -> {
                    UserState state = reader.user(user);
                    return state != null
                            && years.add(SampledYear.sum(state, reader.historyOf(user, _ -> null), calendar));
                });
            }
        }
        return new Answer(years);
    }

    @Override
    public Answer together(List<Answer> parts) {
        return new Answer(parts.stream().flatMap(part -> part.years().stream()).toList());
    }
}
