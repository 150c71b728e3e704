package dev.laurel.gateway.http;

import dev.laurel.gateway.RequestReplyClient;
import dev.laurel.gateway.http.BulkRequest.CommandFactory;
import dev.laurel.gateway.http.BulkRequest.IssueFactory;
import dev.laurel.gateway.http.BulkRequest.ResultView;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.schemas.command.Command.DeleteOwnedPause;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.input.Uuids;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.UserResourceIds;
import dev.laurel.schemas.wire.EditBody.IssueBody;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The admin routes for freezes, pauses, restored and reset streaks (docs/admin-api.md A6). */
record StreakRoutes(RequestReplyClient client, Configuration configuration) implements Routes {

    private record FreezesBody(List<IssueBody> issues) {}

    private record RestoredBody(List<Object> restoredUsers, List<IssueBody> issues) {}

    private record ResetBody(List<Object> resetUsers, List<IssueBody> issues) {}

    @Override
    public void mount(RouteTable routes) {
        routes.post("/admin/v1/streaks/freezes", RequiredRole.SUPPORT, this::giveFreezes);
        routes.post("/admin/v1/streaks/pauses", RequiredRole.SUPPORT, this::planPauses);
        routes.delete("/admin/v1/streaks/pauses", RequiredRole.SUPPORT, this::deletePauses);
        routes.post("/admin/v1/streaks/restore", RequiredRole.SUPPORT, this::restore);
        routes.post("/admin/v1/streaks/reset", RequiredRole.SUPPORT, this::reset);
    }

    private void giveFreezes(Context context) throws BadInputException {
        List<Object> items = items(context, "freezes");
        StreakSettings streak =
                configuration.newest(Caller.of(context).tenant()).streak();
        if (!streak.enabled() || streak.freezes() == null) {
            throw HttpRefusal.of(Refusal.freezesOff());
        }
        BulkRequest bulk = send(
                context,
                items,
                "userId",
                IssueFactory.ofUsers(items, "userId").withOldNames(),
                (_, _) -> true,
                Refusal.freezeLimit().message(),
                item -> item.command("grant-freeze", Map.of(), List.of()));
        Answers.json(context, bulk.results().isEmpty() ? 200 : 201, new FreezesBody(bulk.issues()));
    }

    private void planPauses(Context context) throws BadInputException {
        List<Object> items = items(context, "pauses");
        send(
                        context,
                        items,
                        "userId",
                        IssueFactory.ofUsers(items, "userId"),
                        ResultView.AS_WRITTEN,
                        null,
                        item -> item.command(
                                "plan-pause",
                                Map.of(
                                        "pauseId",
                                        UserResourceIds.of(item.user(), UUID.randomUUID())
                                                .toString()),
                                List.of("start", "end")))
                .answerCreated(context);
    }

    private void restore(Context context) throws BadInputException {
        List<Object> items = items(context, "users");
        BulkRequest bulk = send(
                context,
                items,
                IssueFactory.ofUsers(items, "id").withOldNames(),
                "restore-streak",
                Refusal.nothingToRestore());
        Answers.json(context, bulk.results().isEmpty() ? 200 : 201, new RestoredBody(bulk.results(), bulk.issues()));
    }

    /** Answers 200 even if something was reset: nothing is created. */
    private void reset(Context context) throws BadInputException {
        List<Object> items = items(context, "users");
        BulkRequest bulk =
                send(context, items, IssueFactory.ofUsers(items, "id"), "reset-streak", Refusal.nothingToReset());
        Answers.json(context, 200, new ResetBody(bulk.results(), bulk.issues()));
    }

    /** Sends a command without fields to each user; the results are their ids. @param warning refusal that is no error */
    private BulkRequest send(
            Context context, List<Object> items, IssueFactory issueOf, String command, Refusal warning) {
        return send(
                context,
                items,
                "id",
                issueOf,
                (index, _) -> Objects.requireNonNull(BulkInput.userIdOf(items.get(index), "id")),
                warning.message(),
                item -> item.command(command, Map.of(), List.of()));
    }

    private void deletePauses(Context context) {
        TenantId tenant = Caller.of(context).tenant();
        List<String> ids = BulkInput.ids(context);
        var bulk = BulkRequest.ofIds(Caller.of(context).audit(), "pause", ids, IssueFactory.ofIds(ids), null);
        for (int i = 0; i < ids.size(); i++) {
            UUID id = Uuids.parse(ids.get(i));
            if (id == null) {
                bulk.refuse(i, BulkInput.NO_UUID);
            } else {
                bulk.add(i, id, () -> client.ask(new DeleteOwnedPause(tenant, id)));
            }
        }
        bulk.send();
        bulk.answerDeleted(context);
    }

    /** Sends a command to the user of each item. @param warning message of a refusal that is no error; null: there is none */
    private BulkRequest send(
            Context context,
            List<Object> items,
            String userField,
            IssueFactory issueOf,
            ResultView view,
            @Nullable String warning,
            CommandFactory commandOf) {
        Caller caller = Caller.of(context);
        var bulk = new BulkRequest(caller.audit(), BulkRequest.USER, items.size(), issueOf, view, warning);
        for (int i = 0; i < items.size(); i++) {
            bulk.addUserItem(i, caller, items.get(i), userField, client, commandOf);
        }
        bulk.send();
        bulk.expectStored();
        return bulk;
    }

    private static List<Object> items(Context context, String field) throws BadInputException {
        return BulkInput.items(Json.readForeignObject(context.bodyAsBytes()), field);
    }
}
