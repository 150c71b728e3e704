package dev.laurel.query.http;

import static dev.laurel.query.http.ReadAnswers.answer;

import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.query.http.Relay.Subject;
import dev.laurel.query.read.MessagePreviews;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserId;
import io.javalin.http.Context;
import java.util.UUID;

/** {@code GET /notifications/templates/{id}/preview}: shows what {@code POST …/test} would send. */
record PreviewRoutes(MessagePreviews previews, Relay relay) implements Routes {

    @Override
    public void mount(RouteTable routes) {
        routes.get(
                "/admin/v1" + ObjectKind.TEMPLATE.path() + "/{id}/preview",
                RequiredRole.VIEWER,
                relay.wrap(Subject.USER, this::preview));
    }

    private void preview(Context context) {
        UUID template = RequestParameters.pathId(context, "id");
        int variation = Query.integer(context, "variation", 0, 0, Integer.MAX_VALUE);
        String user = context.queryParam("userId");
        Caller caller = Caller.of(context);
        if (user == null) {
            answer(context, previews.forExampleUser(caller.tenant(), template, variation));
        } else if (UserId.problemWith(user) != null) {
            throw HttpRefusal.of(Refusal.userDoesNotExist());
        } else {
            answer(context, previews.forUser(caller.userKey(new UserId(user)), template, variation));
        }
    }
}
