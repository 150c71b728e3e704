package dev.laurel.query.http;

import static dev.laurel.query.http.ReadAnswers.answer;

import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.query.http.Query.Page;
import dev.laurel.query.http.Relay.Subject;
import dev.laurel.query.read.UserTimelines;
import dev.laurel.query.read.UserTimelines.TimelinePage;
import dev.laurel.query.read.UserTimelines.TimelinePlace;
import dev.laurel.query.read.UserTimelines.Type;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserKey;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code GET /admin/v1/users/{id}/timeline} (docs/admin-api.md B7): what happened to a user, newest first. */
record TimelineRoutes(UserTimelines timelines, Relay relay) implements Routes {

    @Override
    public void mount(RouteTable routes) {
        routes.get("/admin/v1/users/{id}/timeline", RequiredRole.VIEWER, relay.wrap(Subject.USER, this::timeline));
    }

    private void timeline(Context context) {
        UserKey user = UserReadRoutes.userOf(context);
        Set<Type> types = typesOf(context);
        TimelinePage page = timelines.page(
                user,
                types,
                Page.after(context, TimelinePlace.class),
                Page.of(context).limit());
        if (page == null) {
            throw HttpRefusal.of(Refusal.unknown("user", user.user().value()));
        }
        answer(context, page.entries(), page.next(), Page::cursorOf);
    }

    private static Set<Type> typesOf(Context context) {
        var types = EnumSet.noneOf(Type.class);
        for (String name : RequestParameters.list(context, "types")) {
            types.add(Arrays.stream(Type.values())
                    .filter(type -> type.text().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new HttpRefusal(
                            422,
                            "types has '" + name + "', must be some of "
                                    + Arrays.stream(Type.values())
                                            .map(Type::text)
                                            .collect(Collectors.joining(", ")) + ".")));
        }
        return types.isEmpty() ? EnumSet.allOf(Type.class) : types;
    }
}
