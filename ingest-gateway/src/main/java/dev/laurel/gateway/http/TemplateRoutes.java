package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.Exchange;
import dev.laurel.schemas.admin.ObjectKind;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.UserCommand;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.PathIds;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.serde.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * {@code POST /notifications/templates/{id}/test} (admin-api.md B4): one message to one user, now. A template that is there is
 * the log's to look at, and so is the user: whether there is one, and an address.
 */
public final class TemplateRoutes implements Routes {

    private final Exchange exchange;
    private final Configuration configuration;

    public TemplateRoutes(Exchange exchange, Configuration configuration) {
        this.exchange = exchange;
        this.configuration = configuration;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.post("/admin/v1" + ObjectKind.TEMPLATE.path() + "/{id}/test", this::test);
    }

    private void test(Context context) throws BadInputException {
        Caller caller = Caller.of(context);
        UserItem item = UserItem.read(caller, Json.readForeignObject(context.bodyAsBytes()), "userId");
        UUID id = PathIds.of(context, "id");
        if (configuration.newest(caller.tenant()).notifications().templates().stream()
                .noneMatch(template -> template.id().equals(id))) {
            throw HttpRefusal.of(Refusal.unknownTemplate());
        }
        UserCommand test = item.command("test-message", Map.of("template", id.toString()), List.of());
        Answers.write(context, exchange.ask(item.user(), test), Answers::pending);
    }
}
