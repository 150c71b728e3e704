package dev.laurel.query.http;

import dev.laurel.query.read.UserReads.Result;
import dev.laurel.query.read.WrappedReads;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.key.UserKey;
import io.javalin.config.RoutesConfig;

import static dev.laurel.query.http.Reading.get;

/** The year in review (application-api.md §4), under both mounts. */
public final class WrappedRoutes implements Routes {

    private final WrappedReads reads;
    private final Relay relay;

    public WrappedRoutes(WrappedReads reads, Relay relay) {
        this.reads = reads;
        this.relay = relay;
    }

    @Override
    public void mount(RoutesConfig routes) {
        get(routes, "/users/{id}/wrapped", relay.ofUser(context -> {
            UserKey user = UserReadRoutes.userOf(context);
            int current = switch (reads.currentYear(user)) {
                case Result.Found<Integer>(Integer year) -> year;
                case Result.Missing<Integer>(Refusal unknown) -> throw HttpRefusal.of(unknown);
            };
            Reading.answer(context, reads.wrapped(user, Query.integer(context, "year", current, 1, current)));
        }));
    }
}
