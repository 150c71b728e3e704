package dev.laurel.gateway.http;

import dev.laurel.gateway.RequestReplyClient;
import dev.laurel.gateway.RequestResult;
import dev.laurel.gateway.http.BulkInput.UserItem;
import dev.laurel.gateway.http.BulkRequest.Edited;
import dev.laurel.gateway.http.BulkRequest.IssueFactory;
import dev.laurel.gateway.http.BulkRequest.ResultView;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.schemas.admin.RequestFields;
import dev.laurel.schemas.command.Command.OwnedCommand;
import dev.laurel.schemas.command.Command.RevokeOwnedBoost;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.NewItem;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.input.Uuids;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.UserResourceIds;
import dev.laurel.schemas.wire.EditBody.IssueBody;
import dev.laurel.schemas.wire.EditBody.UpdatedBody;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The routes that change boosts (docs/admin-api.md A4). Operators see one list of the boosts of the ruleset and those of single
 * users, which are stored separately. A bulk request may contain both: the shared boosts become one edit of the ruleset, and each
 * boost of a user becomes a command of that user. Includes the old routes without the id of a points system.
 */
record BoostRoutes(RequestReplyClient client, Configuration configuration) implements Routes {

    private static final String PATH = "/admin/v1/points/{systemId}/boosts";
    private static final String OLD_PATH = "/admin/v1/points/boosts";
    private static final String USER_ID = "userId";

    /** The kind of boosts in audit records. */
    private static final String BOOST = ObjectKind.BOOST.label().toLowerCase(Locale.ROOT);

    private static final List<String> FIELDS = List.of("name", "start", "end", "multiplier", "rounding");

    private record ArchivedBody(List<?> deleted, List<IssueBody> issues, int archivedCount) {}

    @Override
    public void mount(RouteTable routes) {
        routes.post(PATH, RequiredRole.SUPPORT, this::create);
        routes.patch(PATH, RequiredRole.SUPPORT, this::update);
        routes.delete(PATH, RequiredRole.SUPPORT, this::delete);
        routes.post(OLD_PATH, RequiredRole.SUPPORT, this::createByKey);
        routes.delete(OLD_PATH, RequiredRole.SUPPORT, this::deleteInAnySystem);
        routes.delete(OLD_PATH + "/{id}", RequiredRole.SUPPORT, this::deleteOne);
    }

    private void create(Context context) throws BadInputException {
        List<Object> items = BulkInput.items(context);
        UUID systemId = RequestParameters.pathId(context, "systemId");
        if (items.stream().noneMatch(BoostRoutes::isOfUser)) {
            expectRole(Caller.of(context), true);
            configuration.edit(context, new Edit.Create(ObjectKind.BOOST, systemId, BulkInput.newItems(context)));
            return;
        }
        Caller caller = Caller.of(context);
        PointsSystem system = systemOf(context, caller);
        create(context, caller, system, items, IssueFactory.ofUsers(items, USER_ID), BoostRoutes::isOfUser);
    }

    /** Serves the old route, which accepts only boosts of single users: a missing user is an error, not a boost for everybody. */
    private void createByKey(Context context) throws BadInputException {
        Map<String, Object> body = Json.readForeignObject(context.bodyAsBytes());
        String key = RequestFields.of(body).requiredText("systemKey");
        List<Object> items = BulkInput.items(body, "boosts");
        Caller caller = Caller.of(context);
        PointsSystem system = systems(caller).stream()
                .filter(one -> one.key().equals(key))
                .findFirst()
                .orElseThrow(() -> HttpRefusal.of(Refusal.unknown("points system", key)));
        create(
                context,
                caller,
                system,
                items,
                IssueFactory.ofUsers(items, USER_ID).withOldNames(),
                _ -> true);
    }

    private void create(
            Context context,
            Caller caller,
            PointsSystem system,
            List<Object> items,
            IssueFactory issueOf,
            Predicate<Object> isOfUser) {
        var bulk = new BulkRequest(caller.audit(), BOOST, items.size(), issueOf, ResultView.AS_WRITTEN, null);
        var shared = new ArrayList<Integer>();
        for (int i = 0; i < items.size(); i++) {
            if (!isOfUser.test(items.get(i))) {
                shared.add(i);
                continue;
            }
            bulk.addUserItem(i, caller, items.get(i), USER_ID, client, item -> {
                expectNoFilters(RequestFields.of(item.fields()));
                return item.command(
                        "grant-boost",
                        Map.of(
                                "boostId",
                                UserResourceIds.of(item.user(), UUID.randomUUID())
                                        .toString(),
                                "system",
                                system.key()),
                        FIELDS);
            });
        }
        expectRole(caller, !shared.isEmpty());
        bulk.send();
        if (!shared.isEmpty()) {
            List<NewItem> created = shared.stream()
                    .map(i -> new NewItem(UUID.randomUUID(), items.get(i)))
                    .toList();
            send(
                    caller,
                    bulk,
                    shared,
                    new Edit.Create(ObjectKind.BOOST, system.id(), created),
                    "created",
                    Edited::nextAt);
        }
        bulk.answerCreated(context);
    }

    /**
     * Boosts for all users are rules: if the caller may not change these, nothing of the request is carried out.
     *
     * @param isAnyForAll whether one of the boosts of the request is for all users
     */
    private static void expectRole(Caller caller, boolean isAnyForAll) {
        if (isAnyForAll) {
            caller.expect(RequiredRole.EDITOR, "A boost for all users");
        }
    }

    private static boolean isOfUser(Object item) {
        return item instanceof Map<?, ?> fields && fields.get(USER_ID) != null;
    }

    private static void expectNoFilters(RequestFields item) throws BadInputException {
        if (!item.list("userAttributes", BulkInput.MAX_ITEMS).isEmpty()) {
            throw item.bad("userAttributes", "cannot be given for a boost of a single user");
        }
    }

    private void update(Context context) throws BadInputException {
        List<Object> items = BulkInput.items(context);
        Caller caller = Caller.of(context);
        PointsSystem system = systemOf(context, caller);
        List<String> ids = items.stream()
                .map(item -> Objects.requireNonNullElse(RequestFields.idOf(item), ""))
                .toList();
        var bulk = new BulkRequest(
                caller.audit(),
                BOOST,
                ids.size(),
                (index, severity, message) -> RequestFields.idOf(items.get(index)) == null
                        ? IssueBody.at(index, message)
                        : issuesOf(ids).of(index, severity, message),
                ResultView.AS_WRITTEN,
                null);
        var shared = new ArrayList<Integer>();
        for (int i = 0; i < items.size(); i++) {
            UUID id = Uuids.parse(ids.get(i));
            if (id == null) {
                bulk.refuse(i, BulkInput.NO_UUID);
            } else if (isShared(system, id)) {
                shared.add(i);
            } else {
                try {
                    OwnedCommand change = change(caller, system, id, items.get(i));
                    bulk.add(i, id, () -> client.ask(change));
                } catch (BadInputException e) {
                    bulk.refuse(i, e.refusal().message());
                }
            }
        }
        expectRole(caller, !shared.isEmpty());
        bulk.send();
        if (!shared.isEmpty()) {
            send(
                    caller,
                    bulk,
                    shared,
                    new Edit.Update(
                            ObjectKind.BOOST,
                            system.id(),
                            shared.stream().map(items::get).toList()),
                    "updated",
                    (edited, i) -> edited.next(ids.get(shared.get(i))));
        }
        bulk.expectStored();
        Answers.json(context, 200, new UpdatedBody(bulk.results(), bulk.issues()));
    }

    /** Writes the change as a command of the log and reads it back, as {@link UserItem} does. */
    private static OwnedCommand change(Caller caller, PointsSystem system, UUID id, Object json)
            throws BadInputException {
        expectNoFilters(RequestFields.of(json));
        var fields = (Map<?, ?>) json;
        var change = new LinkedHashMap<String, Object>();
        FIELDS.stream().filter(fields::containsKey).forEach(name -> change.put(name, fields.get(name)));
        return (OwnedCommand) CommandJson.read(Json.write(Map.of(
                "type",
                "change-owned-boost",
                "tenant",
                caller.tenant().value(),
                "id",
                id.toString(),
                "system",
                system.key(),
                "change",
                change)));
    }

    private void delete(Context context) {
        Caller caller = Caller.of(context);
        PointsSystem system = systemOf(context, caller);
        List<String> ids = BulkInput.ids(context);
        delete(caller, ids, issuesOf(ids), List.of(system), system.key()).answerDeleted(context);
    }

    private void deleteInAnySystem(Context context) {
        deleteInAnySystem(context, BulkInput.ids(context)).answerDeleted(context);
    }

    private BulkRequest deleteInAnySystem(Context context, List<String> ids) {
        Caller caller = Caller.of(context);
        return delete(caller, ids, issuesOf(ids).withOldNames(), systems(caller), null);
    }

    private void deleteOne(Context context) {
        UUID id = RequestParameters.pathId(context, "id");
        BulkRequest bulk = deleteInAnySystem(context, List.of(id.toString()));
        List<?> deleted = bulk.results();
        List<IssueBody> issues = bulk.issues();
        if (deleted.isEmpty()
                && issues.getFirst().message().equals(Refusal.unknownBoost().message())) {
            throw HttpRefusal.of(Refusal.unknownBoost());
        }
        Answers.json(context, 200, new ArchivedBody(deleted, issues, deleted.size()));
    }

    /**
     * @param systems points systems whose shared boosts can be deleted
     * @param key key of the points system that a user's boost must belong to; null: any
     */
    private BulkRequest delete(
            Caller caller, List<String> ids, IssueFactory issueOf, List<PointsSystem> systems, @Nullable String key) {
        var bulk = BulkRequest.ofIds(caller.audit(), BOOST, ids, issueOf, null);
        var shared = new LinkedHashMap<UUID, List<Integer>>();
        for (int i = 0; i < ids.size(); i++) {
            UUID id = Uuids.parse(ids.get(i));
            if (id == null) {
                bulk.refuse(i, BulkInput.NO_UUID);
                continue;
            }
            PointsSystem system = systems.stream()
                    .filter(one -> isShared(one, id))
                    .findFirst()
                    .orElse(null);
            if (system != null) {
                shared.computeIfAbsent(system.id(), _ -> new ArrayList<>()).add(i);
            } else {
                bulk.add(i, id, () -> client.ask(new RevokeOwnedBoost(caller.tenant(), id, key)));
            }
        }
        expectRole(caller, !shared.isEmpty());
        bulk.send();
        shared.forEach((system, indexes) -> send(
                caller,
                bulk,
                indexes,
                new Edit.Delete(
                        ObjectKind.BOOST, system, indexes.stream().map(ids::get).toList()),
                "deleted",
                (edited, i) -> edited.next(ids.get(indexes.get(i)))));
        bulk.expectStored();
        return bulk;
    }

    private static IssueFactory issuesOf(List<String> ids) {
        return (index, severity, message) ->
                IssueBody.ofThing(ids.get(index), severity, message).ofBoost();
    }

    private static boolean isShared(PointsSystem system, UUID id) {
        return system.boosts().stream().anyMatch(boost -> boost.id().equals(id));
    }

    private List<PointsSystem> systems(Caller caller) {
        return configuration.newest(caller.tenant()).pointsSystems();
    }

    private PointsSystem systemOf(Context context, Caller caller) {
        List<PointsSystem> systems = systems(caller);
        UUID id = RequestParameters.pathId(context, "systemId");
        return systems.stream()
                .filter(system -> system.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new HttpRefusal(404, ObjectKind.POINTS_SYSTEM.label() + " not found by ID"));
    }

    /**
     * Sends the items of a bulk request that are boosts of the ruleset as one edit, and assigns the parts of its reply to the items.
     *
     * @param indexes of the items in the request
     * @param field of the reply that has what was done
     * @param next takes what was done with the item at a place of the edit
     */
    private void send(
            Caller caller,
            BulkRequest bulk,
            List<Integer> indexes,
            Edit edit,
            String field,
            BiFunction<Edited, Integer, Object> next) {
        RequestResult result = configuration.edit(caller, edit);
        if (!(result instanceof RequestResult.Replied reply && reply.isSuccess())) {
            indexes.forEach(index -> bulk.end(index, result));
            return;
        }
        var edited = new Edited(reply.body(), field);
        for (int i = 0; i < indexes.size(); i++) {
            bulk.put(indexes.get(i), next.apply(edited, i));
        }
    }
}
