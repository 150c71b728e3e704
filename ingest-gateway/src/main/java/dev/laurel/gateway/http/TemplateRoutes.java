package dev.laurel.gateway.http;

import dev.laurel.gateway.http.BulkInput.UserItem;
import dev.laurel.gateway.reply.RequestReplyClient;
import dev.laurel.gateway.reply.RequestResult;
import dev.laurel.platform.http.Access;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.serde.Json;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * {@code POST /notifications/templates/{id}/test} (docs/admin-api.md B4): sends one message to one user, now. The user's partition
 * decides whether the user exists and has an address.
 */
record TemplateRoutes(RequestReplyClient client, Configuration configuration) implements Routes {

    @Override
    public void mount(RouteTable routes) {
        routes.post("/admin/v1" + ObjectKind.TEMPLATE.path() + "/{id}/test", Access.EDITOR, this::test);
    }

    private void test(Context context) throws BadInputException {
        Caller caller = Caller.of(context);
        UserItem item = UserItem.read(caller, Json.readForeignObject(context.bodyAsBytes()), "userId");
        UUID id = RequestParameters.pathId(context, "id");
        if (configuration.newest(caller.tenant()).notifications().templates().stream()
                .noneMatch(template -> template.id().equals(id))) {
            throw HttpRefusal.of(Refusal.unknownTemplate());
        }
        UserCommand test = item.command("test-message", Map.of("template", id.toString()), List.of());
        RequestResult result = client.ask(item.user(), test);
        if (result instanceof RequestResult.Replied reply && reply.isSuccess()) {
            caller.audit().changed("template", id.toString(), null);
            caller.audit().changed("user", item.user().user().value(), null);
        }
        HttpReplies.write(context, result);
    }
}
