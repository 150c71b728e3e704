package dev.laurel.schemas.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.admin.IssueMessages.ObjectPath;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Ruleset.ObjectIdentity.Origin;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates, changes and deletes the objects of one kind in a draft of the ruleset, each identified by its id. Checks only what
 * the checks of the ruleset and {@code RulesetEditor} do not check afterwards. Belongs to one edit.
 */
final class ObjectEditor {

    /** Limits the levels, boosts or triggers of a new points system. */
    private static final int MAX_PARTS = 1000;

    private final ObjectKind objects;
    private final Kind<?> kind;

    /** Paths to the maps that can contain an object: two for attributes, otherwise one. */
    private final List<List<String>> sections;

    /** @param parent key of the points system to which the objects belong; null if the kind has no parent */
    ObjectEditor(ObjectKind objects, @Nullable String parent) {
        this.objects = objects;
        this.kind = objects.description();
        // The path in the file is that of the admin API, except for attributes.
        List<String> path = Stream.of(objects.path().substring(1).split("/"))
                .map(step -> parent != null && step.equals("{systemId}") ? parent : step)
                .toList();
        this.sections =
                objects == ObjectKind.ATTRIBUTE ? List.of(append(path, "user"), append(path, "event")) : List.of(path);
    }

    /** The path to the object with this id; null if there is none. */
    @Nullable
    List<String> pathOf(PendingEdit draft, UUID id) {
        for (List<String> section : sections) {
            String key = PendingEdit.keyOf(draft.content.at(section), id);
            if (key != null) {
                return append(section, key);
            }
        }
        return null;
    }

    /** Creates an object. @return its key */
    String create(PendingEdit draft, UUID id, RequestFields item) throws BadInputException {
        var patcher = new DraftPatcher(draft);
        checkNew(item);
        List<String> section = section(item);
        String label = objects == ObjectKind.ATTRIBUTE ? section.getLast() + " attribute" : kind.name();
        FieldMap entries = draft.content.at(section);
        for (String name : kind.requiredAtCreation()) {
            item.require(name);
            for (Field field : kind.fields()) {
                if (field.adminName().equals(name)) {
                    patcher.value(field, item, null); // checks the types of required fields first
                }
            }
        }
        boolean isKeyGiven = switch (kind.keys()) {
            case GIVEN, CHANGEABLE -> true;
            case OPTIONAL -> item.has("key");
            case ID -> false;
        };
        String key = isKeyGiven ? unused(item.requiredText("key"), entries, label) : id.toString();
        FieldMap object = patcher.patch(kind, item, DraftPatcher.initial(kind, id));
        checkCreated(draft, key, object, entries, item);
        draft.put(append(section, key), object);
        if (kind.keys() != Keys.ID) {
            draft.origins.add(new Origin.Fresh(identityKind(section), identityKey(section, key)));
        }
        if (objects == ObjectKind.POINTS_SYSTEM) {
            for (ObjectKind part : List.of(ObjectKind.LEVEL, ObjectKind.BOOST, ObjectKind.TRIGGER)) {
                createParts(draft, new ObjectEditor(part, key), id, item);
            }
        }
        return key;
    }

    /** Creates the parts of a new points system. An invalid part is an issue of the whole system. */
    private static void createParts(PendingEdit draft, ObjectEditor editor, UUID system, RequestFields item)
            throws BadInputException {
        List<String> section = editor.sections.getFirst();
        String field = section.getLast();
        draft.put(section, FieldMap.EMPTY);
        List<Object> parts = item.list(field, MAX_PARTS);
        for (int i = 0; i < parts.size(); i++) {
            String prefix = field + "[" + i + "]: ";
            // The edit contains a unique id of the system, so the ids derived from it are unique, too.
            UUID id = UUID.nameUUIDFromBytes((system + "\n" + field + "\n" + i).getBytes(UTF_8));
            try {
                String key = editor.create(draft, id, RequestFields.of(parts.get(i)));
                draft.parts.add(new ObjectPath(append(section, key), prefix, editor.kind.adminNames()));
            } catch (BadInputException e) {
                throw BadInputException.invalid(prefix + e.refusal().message());
            }
        }
    }

    /** Changes the given fields of the object at this path. */
    void update(PendingEdit draft, List<String> path, RequestFields item) throws BadInputException {
        List<String> section = path.subList(0, path.size() - 1);
        String key = path.getLast();
        FieldMap before = draft.content.at(path);
        checkStatus(draft, before, item);
        boolean isKeyChangeable = kind.keys() == Keys.CHANGEABLE || kind.keys() == Keys.OPTIONAL;
        String newKey = isKeyChangeable && item.has("key") ? item.requiredText("key") : key;
        // Without a unit of runs there is no interval either.
        boolean endsRuns = objects == ObjectKind.LEADERBOARD && item.isNull("runUnit");
        FieldMap next = new DraftPatcher(draft).patch(kind, item, endsRuns ? before.with("runInterval", null) : before);
        checkChanged(draft, before, next, item);
        checkCreated(draft, newKey, next, draft.content.at(section).with(key, null), item);
        draft.put(path, next);
        if (!newKey.equals(key)) {
            unused(newKey, draft.content.at(section), kind.name());
            draft.content = RulesetSource.KIND.renamed(draft.content, section, key, newKey);
            draft.origins.add(new Origin.Renamed(identityKind(section), key, newKey));
        }
    }

    private static String unused(String key, FieldMap entries, String label) throws BadInputException {
        if (entries.has(key)) {
            throw BadInputException.invalid("Key already in use by another " + label);
        }
        return key;
    }

    private List<String> section(RequestFields item) throws BadInputException {
        if (objects != ObjectKind.ATTRIBUTE) {
            return sections.getFirst();
        }
        item.require("type");
        return sections.get("user".equals(item.word("type", List.of("user", "event"))) ? 0 : 1);
    }

    private static List<String> append(List<String> section, String key) {
        var path = new ArrayList<>(section);
        path.add(key);
        return List.copyOf(path);
    }

    // Checks that depend on the request or the day, or that need another message than for files.

    private void checkNew(RequestFields item) throws BadInputException {
        if (objects == ObjectKind.BOOST && item.has("userId")) {
            throw item.bad(
                    "userId",
                    "belongs to a boost of a single user, which can be added only to a points system "
                            + "that exists, and not together with others");
        }
    }

    private void checkCreated(PendingEdit draft, String key, FieldMap object, FieldMap others, RequestFields item)
            throws BadInputException {
        switch (objects) {
            case ACHIEVEMENT -> {
                // Clients complete the achievement by its key.
                if ("api".equals(object.text("trigger")) && key.equals(String.valueOf(object.id()))) {
                    throw BadInputException.invalid("key is required for api achievements");
                }
                for (Field field : kind.fields()) {
                    if (field.isRequired()
                            && field.condition() != null
                            && kind.goesWith(field, object)
                            && !object.has(field.name())) {
                        throw BadInputException.invalid(
                                field.adminName() + " is required for " + object.text("trigger") + " achievements");
                    }
                }
            }
            case LEVEL -> checkPoints(object, others, item);
            case LEADERBOARD -> {
                boolean isNew = draft.base.leaderboards().stream()
                        .noneMatch(board -> board.id().equals(object.id()));
                // Only a file may contain a new one that was finished today.
                String today = LocalDate.ofInstant(draft.now, ZoneOffset.UTC).toString();
                String end = object.text("end");
                boolean isOver = end != null && end.compareTo(today) < 0;
                if (isNew && "finished".equals(object.text("status")) && !isOver) {
                    throw item.bad(
                            "status", "can be finished from the beginning only with an end before today, " + today);
                }
            }
            default -> {
                // The checks of the ruleset suffice.
            }
        }
    }

    /** Finds a level with the same points. The checks of the ruleset might report it at the other level. */
    private static void checkPoints(FieldMap level, FieldMap others, RequestFields item) throws BadInputException {
        for (Map.Entry<String, FieldMap> other : others.objects().entrySet()) {
            Object points = other.getValue().get("points");
            if (item.has("points") && points != null && points.equals(level.get("points"))) {
                throw item.bad(
                        "points",
                        "is also that of the level '" + other.getKey()
                                + "'; each level of a points system needs its own");
            }
        }
    }

    /** Checks a change of the status. Unlike a file, a request cannot repeat a status that has passed. */
    private void checkStatus(PendingEdit draft, FieldMap before, RequestFields item) throws BadInputException {
        Field status = kind.field("status");
        if (objects != ObjectKind.LEADERBOARD || status == null) {
            return;
        }
        String wanted = item.word("status", status.adminWords());
        if (wanted == null) {
            return;
        }
        for (Leaderboard board : draft.base.leaderboards()) {
            if (board.id().equals(before.id())) {
                String problem = board.statusAt(draft.now)
                        .problemWith(LeaderboardStatus.valueOf(wanted.toUpperCase(Locale.ROOT)));
                if (problem != null) {
                    throw item.bad("status", problem);
                }
            }
        }
    }

    private void checkChanged(PendingEdit draft, FieldMap before, FieldMap next, RequestFields item)
            throws BadInputException {
        LocalDate today = LocalDate.ofInstant(draft.now, ZoneOffset.UTC);
        String start = before.text("start");
        boolean isMoved = objects == ObjectKind.BOOST && start != null && !start.equals(next.text("start"));
        if (isMoved && !LocalDate.parse(start).isAfter(today)) {
            throw item.bad("start", "can only be changed before the boost has started, which was on " + start);
        }
    }

    // The kind and key of an object in its identity.

    private String identityKind(List<String> section) {
        return switch (objects) {
            case ATTRIBUTE -> section.getLast() + "-attribute";
            case POINTS_SYSTEM -> "points";
            default -> kind.name();
        };
    }

    private static String identityKey(List<String> section, String key) {
        return section.size() == 3 ? section.get(1) + "/" + key : key;
    }
}
