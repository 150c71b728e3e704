package dev.laurel.query.http;

import dev.laurel.processors.core.account.StreakPlace.By;
import dev.laurel.query.read.AchievementReads;
import dev.laurel.query.read.StreakReads;
import dev.laurel.query.read.UserReads.Result;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.ListParameter;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;

import static dev.laurel.query.http.Reading.answer;
import static dev.laurel.query.http.Reading.get;

/** The reads across users, points systems and leaderboards apart (application-api.md §3 and §5), under both mounts. */
public final class AccountReadRoutes implements Routes {

    private static final int MAX_USERS = 100;
    private static final int DEFAULT_PLACES = 10;
    private static final int MAX_PLACES = 100;

    private final AchievementReads achievements;
    private final StreakReads streaks;

    public AccountReadRoutes(AchievementReads achievements, StreakReads streaks) {
        this.achievements = achievements;
        this.streaks = streaks;
    }

    @Override
    public void mount(RoutesConfig routes) {
        get(routes, "/achievements", context -> answer(context,
                achievements.all(Caller.of(context).tenant(), Query.userAttributes(context))));
        get(routes, "/streaks", context -> answer(context, Result.found(streaks.lengths(usersOf(context)))));
        get(routes, "/streaks/rankings", context -> answer(context, streaks.rankings(Caller.of(context).tenant(),
                typeOf(context), Query.integer(context, "limit", DEFAULT_PLACES, 1, MAX_PLACES))));
    }

    /** An id that cannot exist is left out as one that does not. */
    private static List<UserKey> usersOf(Context context) {
        List<String> ids = ListParameter.of(context, "userIds");
        if (ids.isEmpty() || ids.size() > MAX_USERS) {
            throw new HttpRefusal(422, "userIds is required: 1 to " + MAX_USERS + " user ids, by commas.");
        }
        Caller caller = Caller.of(context);
        return ids.stream().filter(id -> UserId.problemWith(id) == null).map(id -> caller.userKey(new UserId(id)))
                .toList();
    }

    private static By typeOf(Context context) {
        String type = context.queryParam("type");
        return switch (type == null ? "active" : type) {
            case "active" -> By.ACTIVE;
            case "longest" -> By.LONGEST;
            default -> throw new HttpRefusal(422, "type must be one of: active, longest.");
        };
    }
}
