package dev.laurel.schemas.admin;

import dev.laurel.schemas.edit.ObjectKind;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.kind.Draft;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Kind.Keys;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Origin;
import dev.laurel.schemas.ruleset.RulesetSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Creates, changes and deletes the objects of one kind in a draft of the ruleset, each named by its id. What may stand in a field
 * beyond its type, the checks of the ruleset and {@code RulesetEditor} say afterwards. Belongs to one edit.
 */
final class ObjectEditor {

    /** Levels, boosts or triggers that come with a new points system. */
    private static final int MAX_PARTS = 1000;

    private final ObjectKind objects;
    private final Kind<?> kind;

    /** Names that lead to the maps that can hold such an object: two for attributes. */
    private final List<List<String>> sections;

    /** @param parent key of the points system that the objects belong to, null where there is none */
    ObjectEditor(ObjectKind objects, String parent) {
        this.objects = objects;
        this.kind = objects.description();
        this.sections = switch (objects) {
            case ATTRIBUTE -> List.of(List.of("attributes", "user"), List.of("attributes", "event"));
            case METRIC -> List.of(List.of("metrics"));
            case POINTS_SYSTEM -> List.of(List.of("points"));
            case LEVEL -> List.of(List.of("points", parent, "levels"));
            case BOOST -> List.of(List.of("points", parent, "boosts"));
            case TRIGGER -> List.of(List.of("points", parent, "triggers"));
            case LEADERBOARD -> List.of(List.of("leaderboards"));
            case ACHIEVEMENT -> List.of(List.of("achievements"));
            case WEBHOOK -> List.of(List.of("webhooks"));
            case TEMPLATE -> List.of(List.of("notifications", "templates"));
        };
    }

    /** Names that lead to the object with this id; null if there is none. */
    List<String> pathOf(EditDraft draft, UUID id) {
        for (List<String> section : sections) {
            String key = EditDraft.keyOf(draft.content.at(section), id);
            if (key != null) {
                return append(section, key);
            }
        }
        return null;
    }

    /** Adds an object. @return its key */
    String create(EditDraft draft, UUID id, RequestFields item) throws BadInputException {
        var reader = new DraftPatcher(draft);
        checkNew(item);
        List<String> section = section(item);
        String label = objects == ObjectKind.ATTRIBUTE ? section.getLast() + " attribute" : kind.name();
        Draft entries = draft.content.at(section);
        for (String name : kind.requiredAtCreation()) {
            item.require(name);
            for (Field field : kind.fields()) {
                if (field.adminName().equals(name)) {
                    reader.value(field, item, null);
                }
            }
        }
        boolean isKeyGiven = switch (kind.keys()) {
            case GIVEN, CHANGEABLE -> true;
            case OPTIONAL -> item.has("key");
            case ID -> false;
        };
        String key = isKeyGiven ? unused(item.requiredText("key"), entries, label) : id.toString();
        Draft object = reader.read(kind, item, DraftPatcher.initial(kind, id));
        checkCreated(draft, key, object, entries, item);
        draft.put(append(section, key), object);
        if (kind.keys() != Keys.ID) {
            draft.origins.add(new Origin.Fresh(originKind(section), originKey(section, key)));
        }
        if (objects == ObjectKind.POINTS_SYSTEM) {
            for (ObjectKind part : List.of(ObjectKind.LEVEL, ObjectKind.BOOST, ObjectKind.TRIGGER)) {
                createParts(draft, new ObjectEditor(part, key), id, item);
            }
        }
        return key;
    }

    /** A bad part rejects its whole system; the issue says which one it is. */
    private static void createParts(EditDraft draft, ObjectEditor editor, UUID system, RequestFields item)
            throws BadInputException {
        List<String> section = editor.sections.getFirst();
        String field = section.getLast();
        draft.put(section, Draft.EMPTY);
        List<Object> parts = item.list(field, MAX_PARTS);
        for (int i = 0; parts != null && i < parts.size(); i++) {
            String prefix = field + "[" + i + "]: ";
            // The id of the system comes with the edit and is nobody else's; so are those made from it.
            UUID id = UUID.nameUUIDFromBytes((system + "\n" + field + "\n" + i).getBytes(UTF_8));
            try {
                String key = editor.create(draft, id, RequestFields.of(parts.get(i)));
                draft.parts.add(new Place(Place.pointer(append(section, key)), prefix, editor.kind.adminNames()));
            } catch (BadInputException e) {
                throw new BadInputException(Refusal.invalid(prefix + e.refusal().message()));
            }
        }
    }

    /** Changes the fields that are given. @param path of the object */
    void update(EditDraft draft, List<String> path, RequestFields item) throws BadInputException {
        List<String> section = path.subList(0, path.size() - 1);
        String key = path.getLast();
        Draft before = draft.content.at(path);
        checkStatus(draft, before, item);
        boolean isChangeable = kind.keys() == Keys.CHANGEABLE || kind.keys() == Keys.OPTIONAL;
        String newKey = isChangeable && item.has("key") ? item.text("key") : key;
        // A leaderboard that never starts anew has no interval either.
        boolean endsRuns = objects == ObjectKind.LEADERBOARD && item.isNull("runUnit");
        Draft next = new DraftPatcher(draft).read(kind, item, endsRuns ? before.with("runInterval", null) : before);
        checkChanged(draft, before, next, item);
        checkCreated(draft, newKey, next, draft.content.at(section).with(key, null), item);
        draft.put(path, next);
        if (!newKey.equals(key)) {
            unused(newKey, draft.content.at(section), kind.name());
            draft.content = RulesetSource.KIND.renamed(draft.content, section, key, newKey);
            draft.origins.add(new Origin.Renamed(originKind(section), key, newKey));
        }
    }

    private static String unused(String key, Draft entries, String label) throws BadInputException {
        if (entries.has(key)) {
            throw new BadInputException(Refusal.invalid("Key already in use by another " + label));
        }
        return key;
    }

    private List<String> section(RequestFields item) throws BadInputException {
        if (objects != ObjectKind.ATTRIBUTE) {
            return sections.getFirst();
        }
        item.require("type");
        return sections.get(item.word("type", "user", "event").equals("user") ? 0 : 1);
    }

    private static List<String> append(List<String> section, String key) {
        var path = new ArrayList<>(section);
        path.add(key);
        return List.copyOf(path);
    }

    // What is judged here because the checks of the ruleset know neither the request nor the day, or word it for files.

    private void checkNew(RequestFields item) throws BadInputException {
        if (objects == ObjectKind.BOOST && item.has("userId")) {
            throw item.bad("userId", "belongs to a boost of a single user, which can be added only to a points system "
                    + "that exists, and not together with others");
        }
        if (objects == ObjectKind.ACHIEVEMENT && item.has("name") && item.has("trigger")) {
            item.word("status", "inactive", "active");
        }
    }

    private void checkCreated(EditDraft draft, String key, Draft object, Draft others, RequestFields item)
            throws BadInputException {
        switch (objects) {
            case ACHIEVEMENT -> {
                // Clients complete it by its key.
                if ("api".equals(object.text("trigger")) && key.equals(object.id().toString())) {
                    throw item.bad("key", "is required for trigger api");
                }
            }
            case LEVEL -> checkPoints(object, others, item);
            case LEADERBOARD -> {
                boolean isNew = draft.base.leaderboards().stream().noneMatch(board -> board.id().equals(object.id()));
                // A document may bring along one that was finished today.
                String today = LocalDate.ofInstant(draft.now, ZoneOffset.UTC).toString();
                boolean isOver = object.has("end") && object.text("end").compareTo(today) < 0;
                if (isNew && "finished".equals(object.text("status")) && !isOver) {
                    throw item.bad("status",
                            "can be finished from the beginning only with an end before today, " + today);
                }
            }
            default -> {
                // Nothing that the checks of the ruleset would not say.
            }
        }
    }

    /** The checks of the ruleset would name whichever of two equal levels comes later, which may be the other one. */
    private static void checkPoints(Draft level, Draft others, RequestFields item) throws BadInputException {
        for (Map.Entry<String, Object> other : others.values().entrySet()) {
            Object points = ((Draft) other.getValue()).get("points");
            if (item.has("points") && points != null && points.equals(level.get("points"))) {
                throw item.bad("points", "is also that of the level '" + other.getKey()
                        + "'; each level of a points system needs its own");
            }
        }
    }

    /** A document may say what a leaderboard was before it went on by itself; a request for a status asks for that one. */
    private void checkStatus(EditDraft draft, Draft before, RequestFields item) throws BadInputException {
        if (objects != ObjectKind.LEADERBOARD || !item.has("status")) {
            return;
        }
        String wanted = item.word("status", kind.field("status").adminWords().toArray(String[]::new));
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

    private void checkChanged(EditDraft draft, Draft before, Draft next, RequestFields item) throws BadInputException {
        LocalDate today = LocalDate.ofInstant(draft.now, ZoneOffset.UTC);
        boolean isMoved = objects == ObjectKind.BOOST && !next.text("start").equals(before.text("start"));
        if (isMoved && !LocalDate.parse(before.text("start")).isAfter(today)) {
            throw item.bad("start",
                    "can only be changed before the boost has started, which was on " + before.text("start"));
        }
    }

    // How an Origin names the object.

    private static String originKind(List<String> section) {
        return switch (section.getLast()) {
            case "metrics" -> "metric";
            case "user", "event" -> section.getLast() + "-attribute";
            case "levels" -> "level";
            case "leaderboards" -> "leaderboard";
            case "achievements" -> "achievement";
            default -> section.getLast();
        };
    }

    private static String originKey(List<String> section, String key) {
        return section.size() == 3 ? section.get(1) + "/" + key : key;
    }
}
