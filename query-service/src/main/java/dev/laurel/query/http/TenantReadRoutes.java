package dev.laurel.query.http;

import dev.laurel.platform.http.Access;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.processors.core.statistics.RankedStreak.By;
import dev.laurel.query.http.Query.Page;
import dev.laurel.query.read.TenantReads.UserPage;
import dev.laurel.query.read.TenantReads.UserPlace;
import dev.laurel.query.read.TenantReads;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.Json;
import io.javalin.http.Context;
import java.util.Base64;
import java.util.List;

import static dev.laurel.query.http.ApplicationApi.answer;
import static dev.laurel.query.http.ApplicationApi.get;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The reads across all users of a tenant: achievements and streaks (docs/application-api.md §3 and §5), and the operator's list of
 * users (docs/admin-api.md B7).
 */
final class TenantReadRoutes implements Routes {

    private static final int MAX_USERS = 100;
    private static final int DEFAULT_PLACES = 10;
    private static final int MAX_PLACES = 100;

    private final TenantReads reads;

    TenantReadRoutes(TenantReads reads) {
        this.reads = reads;
    }

    @Override
    public void mount(RouteTable routes) {
        get(routes, "/achievements", context -> answer(context,
                reads.achievements(Caller.of(context).tenant(), Query.userAttributes(context))));
        get(routes, "/streaks", context -> answer(context, reads.streaks(usersOf(context))));
        get(routes, "/streaks/rankings", context -> answer(context, reads.longestStreaks(Caller.of(context).tenant(),
                typeOf(context), Query.integer(context, "limit", DEFAULT_PLACES, 1, MAX_PLACES))));
        routes.get("/admin/v1/users", Access.VIEWER, this::listUsers);
    }

    /** Leaves out ids that cannot exist, like those of unknown users. */
    private static List<UserKey> usersOf(Context context) {
        List<String> ids = RequestParameters.list(context, "userIds");
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

    private void listUsers(Context context) {
        Page page = Page.of(context, TenantReads.MAX_SKIPPED_USERS);
        String search = context.queryParam("search");
        String after = context.queryParam(Page.AFTER);
        UserPage found = reads.users(Caller.of(context).tenant(), search == null ? "" : search,
                after == null ? null : placeOf(after), page.skip(), page.limit());
        Page.setNext(context, found.next() == null ? null : textOf(found.next()));
        HttpServer.answer(context, 200, Json.write(found.users()));
    }

    /** The text of a place in a header: ids may have any characters, so it is base64 that needs no escapes in a URL. */
    private static String textOf(UserPlace place) {
        return Base64.getUrlEncoder().withoutPadding()
                .encodeToString((place.createdMs() + " " + place.id()).getBytes(UTF_8));
    }

    private static UserPlace placeOf(String text) {
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(text), UTF_8).split(" ", 2);
            if (parts.length == 2) {
                return new UserPlace(Long.parseLong(parts[0]), parts[1]);
            }
        } catch (IllegalArgumentException _) {
            // refused below
        }
        throw Page.badAfter();
    }
}
