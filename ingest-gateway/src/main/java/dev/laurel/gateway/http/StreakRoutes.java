package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.Exchange;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.DeleteOwnedPause;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.UserCommand;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.key.Uuids;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.OwnedIds;
import dev.laurel.schemas.wire.CreatedBody;
import dev.laurel.schemas.wire.DeletedBody;
import dev.laurel.schemas.wire.IssueBody;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What operators do to streaks (admin-api.md A6): freezes, pauses, restores. */
public final class StreakRoutes implements Routes {

    private static final List<String> FREEZE_WARNINGS = List.of(Refusal.freezeLimit().message());
    private static final List<String> RESTORE_WARNINGS = List.of(Refusal.nothingToRestore().message());

    private final Exchange exchange;
    private final Configuration configuration;

    private record FreezesBody(List<IssueBody> issues) {}

    private record RestoredBody(List<Object> restoredUsers, List<IssueBody> issues) {}

    /** What one item is asked of the log. */
    private interface Asked {
        UserCommand of(UserItem item) throws BadInputException;
    }

    public StreakRoutes(Exchange exchange, Configuration configuration) {
        this.exchange = exchange;
        this.configuration = configuration;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.post("/admin/v1/streaks/freezes", this::giveFreezes);
        routes.post("/admin/v1/streaks/pauses", this::planPauses);
        routes.delete("/admin/v1/streaks/pauses", this::deletePauses);
        routes.post("/admin/v1/streaks/restore", this::restore);
    }

    private void giveFreezes(Context context) throws BadInputException {
        List<Object> items = listOf(context, "freezes");
        StreakSettings streak = configuration.newest(Caller.of(context).tenant()).streak();
        if (!streak.enabled() || streak.freezes() == null) {
            throw HttpRefusal.of(Refusal.freezesOff());
        }
        var results = new ItemResults(items.size(), (index, severity, message) -> IssueBody
                .ofUser(index, UserItem.userIdOf(items.get(index), "userId"), severity, message).withOldNames(),
                (_, _) -> true, FREEZE_WARNINGS);
        ask(context, items, "userId", results, item -> item.command("grant-freeze", Map.of(), List.of()));
        HttpServer.answer(context, results.done().isEmpty() ? 200 : 201, Json.write(new FreezesBody(results.issues())));
    }

    private void planPauses(Context context) throws BadInputException {
        List<Object> items = listOf(context, "pauses");
        var results = new ItemResults(items.size(), (index, severity, message) -> IssueBody.ofUser(index,
                UserItem.userIdOf(items.get(index), "userId"), severity, message), ItemResults.asWritten(), List.of());
        ask(context, items, "userId", results,
                item -> item.command("plan-pause",
                        Map.of("pauseId", OwnedIds.of(item.user(), UUID.randomUUID()).toString()),
                        List.of("start", "end")));
        var body = new CreatedBody(results.done(), results.issues());
        HttpServer.answer(context, body.status(), Json.write(body));
    }

    private void restore(Context context) throws BadInputException {
        List<Object> items = listOf(context, "users");
        var results = new ItemResults(items.size(), (index, severity, message) -> IssueBody
                .ofUser(index, UserItem.userIdOf(items.get(index), "id"), severity, message).withOldNames(),
                (index, _) -> UserItem.userIdOf(items.get(index), "id"), RESTORE_WARNINGS);
        ask(context, items, "id", results, item -> item.command("restore-streak", Map.of(), List.of()));
        HttpServer.answer(context, results.done().isEmpty() ? 200 : 201,
                Json.write(new RestoredBody(results.done(), results.issues())));
    }

    private void deletePauses(Context context) {
        TenantId tenant = Caller.of(context).tenant();
        List<String> ids = Bulk.ids(context);
        var results = new ItemResults(ids.size(),
                (index, severity, message) -> IssueBody.ofThing(ids.get(index), severity, message),
                (index, _) -> new DeletedBody.Deleted(ids.get(index)), List.of());
        var requests = new ItemRequests(results);
        for (int i = 0; i < ids.size(); i++) {
            UUID id = Uuids.parse(ids.get(i));
            if (id == null) {
                results.refuse(i, Bulk.NO_UUID);
            } else {
                requests.add(i, id, () -> exchange.ask(new DeleteOwnedPause(tenant, id)));
            }
        }
        requests.send();
        results.expectTaken();
        HttpServer.answer(context, 200, Json.write(new DeletedBody(results.done(), results.issues())));
    }

    private void ask(Context context, List<Object> items, String userField, ItemResults results, Asked asked) {
        Caller caller = Caller.of(context);
        var requests = new ItemRequests(results);
        for (int i = 0; i < items.size(); i++) {
            try {
                UserItem item = UserItem.read(caller, items.get(i), userField);
                UserCommand command = asked.of(item);
                requests.add(i, item.user(), () -> exchange.ask(item.user(), command));
            } catch (BadInputException e) {
                results.refuse(i, e.getMessage());
            }
        }
        requests.send();
        results.expectTaken();
    }

    private static List<Object> listOf(Context context, String name) throws BadInputException {
        if (Json.readForeignObject(context.bodyAsBytes()).get(name) instanceof List<?> list) {
            return Bulk.counted(new ArrayList<Object>(list), name, Bulk.MAX_ITEMS);
        }
        throw new HttpRefusal(400, name + " is required: an array of 1 to " + Bulk.MAX_ITEMS + " items.");
    }
}
