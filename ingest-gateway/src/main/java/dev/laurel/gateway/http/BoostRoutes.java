package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.Exchange;
import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.admin.Edit.NewItem;
import dev.laurel.schemas.admin.Item;
import dev.laurel.schemas.admin.ObjectKind;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.OwnedCommand;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.RevokeOwnedBoost;
import dev.laurel.schemas.command.UserCommand;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.PathIds;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.key.Uuids;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.OwnedIds;
import dev.laurel.schemas.wire.CreatedBody;
import dev.laurel.schemas.wire.DeletedBody.Deleted;
import dev.laurel.schemas.wire.DeletedBody;
import dev.laurel.schemas.wire.IssueBody;
import dev.laurel.schemas.wire.UpdatedBody;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Boosts (admin-api.md A4), those of the ruleset and those of single users: one list to operators, two places here. A request
 * may have both: the ones become one edit of the ruleset, each of the others a command of its user. The old routes without the
 * id of a points system are here, too.
 */
public final class BoostRoutes implements Routes {

    private static final String PATH = "/admin/v1/points/{systemId}/boosts";
    private static final String OLD_PATH = "/admin/v1/points/boosts";
    private static final String USER_ID = "userId";
    private static final List<String> FIELDS = List.of("name", "start", "end", "multiplier", "rounding");

    private final Edits edits;
    private final Exchange exchange;
    private final Configuration configuration;

    private record ArchivedBody(List<?> deleted, List<IssueBody> issues, int archivedCount) {}

    public BoostRoutes(Edits edits, Exchange exchange, Configuration configuration) {
        this.edits = edits;
        this.exchange = exchange;
        this.configuration = configuration;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.post(PATH, this::create);
        routes.patch(PATH, this::update);
        routes.delete(PATH, this::delete);
        routes.post(OLD_PATH, this::createTheOldWay);
        routes.delete(OLD_PATH, this::deleteTheOldWay);
        routes.delete(OLD_PATH + "/{id}", this::deleteOne);
    }

    private void create(Context context) throws BadInputException {
        List<Object> items = Bulk.items(context);
        UUID systemId = PathIds.of(context, "systemId");
        if (items.stream().noneMatch(BoostRoutes::isOfUser)) {
            var created = items.stream().map(item -> new NewItem(UUID.randomUUID(), item)).toList();
            edits.answer(context, new Edit.Create(ObjectKind.BOOST, systemId, created));
            return;
        }
        Caller caller = Caller.of(context);
        PointsSystem system = systemOf(configuration.newest(caller.tenant()), systemId);
        var results = new ItemResults(items.size(), (index, severity, message) -> IssueBody.ofUser(index,
                UserItem.userIdOf(items.get(index), USER_ID), severity, message), ItemResults.asWritten(), List.of());
        create(context, caller, system, items, results, BoostRoutes::isOfUser);
    }

    /** Knows boosts of single users only: one without a user is no boost for everybody, but a mistake. */
    private void createTheOldWay(Context context) throws BadInputException {
        Map<String, Object> body = Json.readForeignObject(context.bodyAsBytes());
        String key = Item.of(body).requiredText("systemKey");
        if (!(body.get("boosts") instanceof List<?> list)) {
            throw new HttpRefusal(400, "boosts is required: an array of 1 to " + Bulk.MAX_ITEMS + " items.");
        }
        List<Object> items = Bulk.counted(new ArrayList<>(list), "boosts", Bulk.MAX_ITEMS);
        Caller caller = Caller.of(context);
        PointsSystem system = configuration.newest(caller.tenant()).pointsSystems().stream()
                .filter(one -> one.key().equals(key)).findFirst()
                .orElseThrow(() -> HttpRefusal.of(Refusal.unknownPointsSystem(key)));
        var results = new ItemResults(items.size(), (index, severity, message) -> IssueBody
                .ofUser(index, UserItem.userIdOf(items.get(index), USER_ID), severity, message).withOldNames(),
                ItemResults.asWritten(), List.of());
        create(context, caller, system, items, results, _ -> true);
    }

    private void create(Context context, Caller caller, PointsSystem system, List<Object> items, ItemResults results,
            Predicate<Object> isOfUser) {
        var requests = new ItemRequests(results);
        var shared = new ArrayList<Integer>();
        for (int i = 0; i < items.size(); i++) {
            if (!isOfUser.test(items.get(i))) {
                shared.add(i);
                continue;
            }
            try {
                UserItem item = UserItem.read(caller, items.get(i), USER_ID);
                expectNoFilters(Item.of(items.get(i)));
                UserCommand grant = item.command("grant-boost", Map.of("boostId",
                        OwnedIds.of(item.user(), UUID.randomUUID()).toString(), "system", system.key()), FIELDS);
                requests.add(i, item.user(), () -> exchange.ask(item.user(), grant));
            } catch (BadInputException e) {
                results.refuse(i, e.getMessage());
            }
        }
        requests.send();
        if (!shared.isEmpty()) {
            new SharedBoosts(edits, caller, system.id(), results).create(shared,
                    shared.stream().map(items::get).toList());
        }
        results.expectTaken();
        var body = new CreatedBody(results.done(), results.issues());
        HttpServer.answer(context, body.status(), Json.write(body));
    }

    private static boolean isOfUser(Object item) {
        return item instanceof Map<?, ?> fields && fields.get(USER_ID) != null;
    }

    private static void expectNoFilters(Item item) throws BadInputException {
        List<Object> filters = item.list("userAttributes", Bulk.MAX_ITEMS);
        if (filters != null && !filters.isEmpty()) {
            throw item.bad("userAttributes", "cannot be given for a boost of a single user");
        }
    }

    private void update(Context context) throws BadInputException {
        List<Object> items = Bulk.items(context);
        Caller caller = Caller.of(context);
        PointsSystem system = systemOf(configuration.newest(caller.tenant()), PathIds.of(context, "systemId"));
        List<String> ids = items.stream().map(item -> {
            String id = UserItem.userIdOf(item, "id");
            return id == null ? "" : id;
        }).toList();
        var results = resultsById(ids, ItemResults.asWritten());
        var requests = new ItemRequests(results);
        var shared = new ArrayList<Integer>();
        for (int i = 0; i < items.size(); i++) {
            UUID id = Uuids.parse(ids.get(i));
            if (id == null) {
                results.refuse(i, Bulk.NO_UUID);
            } else if (isShared(system, id)) {
                shared.add(i);
            } else {
                try {
                    OwnedCommand change = change(caller, system, id, items.get(i));
                    requests.add(i, id, () -> exchange.ask(change));
                } catch (BadInputException e) {
                    results.refuse(i, e.getMessage());
                }
            }
        }
        requests.send();
        if (!shared.isEmpty()) {
            new SharedBoosts(edits, caller, system.id(), results).update(shared, shared.stream().map(ids::get).toList(),
                    shared.stream().map(items::get).toList());
        }
        results.expectTaken();
        HttpServer.answer(context, 200, Json.write(new UpdatedBody(results.done(), results.issues())));
    }

    /** Written as a command of the log and read back, as in {@link UserItem}. */
    private static OwnedCommand change(Caller caller, PointsSystem system, UUID id, Object json)
            throws BadInputException {
        expectNoFilters(Item.of(json));
        var fields = (Map<?, ?>) json;
        var change = new LinkedHashMap<String, Object>();
        FIELDS.stream().filter(fields::containsKey).forEach(name -> change.put(name, fields.get(name)));
        return (OwnedCommand) CommandJson.read(Json.write(Map.of("type", "change-owned-boost", "tenant",
                caller.tenant().value(), "id", id.toString(), "system", system.key(), "change", change)));
    }

    private void delete(Context context) {
        Caller caller = Caller.of(context);
        PointsSystem system = systemOf(configuration.newest(caller.tenant()), PathIds.of(context, "systemId"));
        ItemResults results = delete(caller, Bulk.ids(context), List.of(system), system.key());
        HttpServer.answer(context, 200, Json.write(new DeletedBody(results.done(), results.issues())));
    }

    private void deleteTheOldWay(Context context) {
        Caller caller = Caller.of(context);
        ItemResults results = delete(caller, Bulk.ids(context),
                configuration.newest(caller.tenant()).pointsSystems(), null);
        List<IssueBody> issues = results.issues().stream().map(IssueBody::withOldNames).toList();
        HttpServer.answer(context, 200, Json.write(new DeletedBody(results.done(), issues)));
    }

    private void deleteOne(Context context) {
        Caller caller = Caller.of(context);
        UUID id = PathIds.of(context, "id");
        ItemResults results = delete(caller, List.of(id.toString()),
                configuration.newest(caller.tenant()).pointsSystems(), null);
        List<?> deleted = results.done();
        if (deleted.isEmpty() && results.issues().getFirst().message().equals(Refusal.unknownBoost().message())) {
            throw HttpRefusal.of(Refusal.unknownBoost());
        }
        HttpServer.answer(context, 200, Json.write(new ArchivedBody(deleted,
                results.issues().stream().map(IssueBody::withOldNames).toList(), deleted.size())));
    }

    /**
     * @param systems whose boosts are looked among
     * @param key of the one that a user's boost must be in, null for any
     */
    private ItemResults delete(Caller caller, List<String> ids, List<PointsSystem> systems, String key) {
        ItemResults results = resultsById(ids, (index, _) -> new Deleted(ids.get(index)));
        var requests = new ItemRequests(results);
        var shared = new LinkedHashMap<UUID, List<Integer>>();
        for (int i = 0; i < ids.size(); i++) {
            UUID id = Uuids.parse(ids.get(i));
            if (id == null) {
                results.refuse(i, Bulk.NO_UUID);
                continue;
            }
            PointsSystem system = systems.stream().filter(one -> isShared(one, id)).findFirst().orElse(null);
            if (system != null) {
                shared.computeIfAbsent(system.id(), _ -> new ArrayList<>()).add(i);
            } else {
                requests.add(i, id, () -> exchange.ask(new RevokeOwnedBoost(caller.tenant(), id, key)));
            }
        }
        requests.send();
        shared.forEach((system, indexes) -> new SharedBoosts(edits, caller, system, results).delete(indexes,
                indexes.stream().map(ids::get).toList()));
        results.expectTaken();
        return results;
    }

    private static ItemResults resultsById(List<String> ids, ItemResults.Shown shown) {
        return new ItemResults(ids.size(),
                (index, severity, message) -> IssueBody.ofThing(ids.get(index), severity, message).ofBoost(), shown,
                List.of());
    }

    private static boolean isShared(PointsSystem system, UUID id) {
        return system.boosts().stream().anyMatch(boost -> boost.id().equals(id));
    }

    private static PointsSystem systemOf(Ruleset ruleset, UUID id) {
        return ruleset.pointsSystems().stream().filter(system -> system.id().equals(id)).findFirst().orElseThrow(
                () -> new HttpRefusal(404, ObjectKind.POINTS_SYSTEM.label() + " not found by ID"));
    }
}
