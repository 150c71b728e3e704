package dev.laurel.schemas.kind;

import static dev.laurel.schemas.kind.IssueList.escaped;
import static dev.laurel.schemas.kind.IssueList.quoted;

import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.input.Zones;
import dev.laurel.schemas.kind.Field.Condition;
import dev.laurel.schemas.kind.Kind.Scope;
import dev.laurel.schemas.kind.Type.Day;
import dev.laurel.schemas.kind.Type.Decimal;
import dev.laurel.schemas.kind.Type.Entries;
import dev.laurel.schemas.kind.Type.Flag;
import dev.laurel.schemas.kind.Type.FullText;
import dev.laurel.schemas.kind.Type.ListOf;
import dev.laurel.schemas.kind.Type.MapOf;
import dev.laurel.schemas.kind.Type.OfRecord;
import dev.laurel.schemas.kind.Type.Part;
import dev.laurel.schemas.kind.Type.Reference;
import dev.laurel.schemas.kind.Type.Target;
import dev.laurel.schemas.kind.Type.Text;
import dev.laurel.schemas.kind.Type.TimeOfDay;
import dev.laurel.schemas.kind.Type.Whole;
import dev.laurel.schemas.kind.Type.Words;
import dev.laurel.schemas.kind.Type.Zone;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is wrong with a draft, in the order of its kind: values out of bounds, unknown references, missing fields, and
 * fields whose condition is not met. Belongs to one check.
 */
final class DraftChecker {

    private static final Pattern OBJECT_KEY = Pattern.compile("[A-Za-z0-9_-]{1,255}");

    /** The draft in which references are looked up. */
    private final FieldMap root;

    private final IssueList issues;
    private final Set<UUID> ids = new HashSet<>();

    DraftChecker(FieldMap root, IssueList issues) {
        this.root = root;
        this.issues = issues;
    }

    /** @param outer the object around it; null at the top */
    void check(Kind<?> kind, String path, FieldMap draft, @Nullable Scope outer) {
        var scope = new Scope(kind, draft.values(), outer);
        issues.expect(draft.id() == null || !kind.isObject() || ids.add(draft.id()), path + "/id", "is used twice");
        for (Field field : kind.fields()) {
            Condition condition = field.condition();
            if (condition != null && kind.field(condition.field()) == null) {
                checkCondition(field, condition, path, scope);
            }
        }
        for (Field field : kind.fields()) {
            if (scope.applies(field)) {
                field(field, path, scope);
            }
        }
        for (Kind.Pair pair : kind.pairs()) {
            checkPair(path, draft, pair.one(), pair.other());
            checkPair(path, draft, pair.other(), pair.one());
        }
        kind.rules().forEach(rule -> rule.of(issues, path, draft));
    }

    private void checkPair(String path, FieldMap draft, String one, String other) {
        issues.expect(draft.has(one) || !draft.has(other), path + "/" + one, "is required beside " + other);
    }

    private void field(Field field, String path, Scope scope) {
        Object value = scope.values().get(field.name());
        String at = path + "/" + field.name();
        if (value == null) {
            issues.expect(!field.isRequired(), at, "is required");
            return;
        }
        boolean isValid = value(field, field.type(), at, value, scope);
        for (Function<String, @Nullable String> rule : field.rules()) {
            String problem = rule.apply((String) value);
            if (problem != null) {
                issues.add(at, problem);
            }
        }
        Kind.Check entryRule = field.entryRule();
        if (entryRule != null) {
            entryRule.of(issues, at, (FieldMap) value);
        }
        if (isValid) {
            for (Field other : scope.kind().fields()) {
                Condition condition = other.condition();
                if (condition != null && condition.field().equals(field.name())) {
                    checkCondition(other, condition, path, scope);
                }
            }
        }
    }

    /** Reports a field whose condition is not met: it has no effect, so its author meant something else. */
    private void checkCondition(Field field, Condition condition, String path, Scope scope) {
        Object value = scope.values().get(field.name());
        Object word = scope.word(condition.field());
        boolean isGiven = value != null && !FieldMap.EMPTY.equals(value);
        if (isGiven && word != null && !scope.applies(field)) {
            issues.add(
                    path + "/" + field.name(),
                    "belongs to " + condition.field() + " " + String.join(" or ", condition.words()) + ", not to "
                            + condition.field() + " " + word);
        }
    }

    /** Returns whether the value conforms to its type. */
    private boolean value(Field field, Type type, String path, Object value, Scope scope) {
        return switch (type) {
            case Text(int min, int max) -> text(path, (String) value, min, max);
            case FullText(int max) -> {
                issues.expect(!((String) value).isBlank(), path, "must not be empty");
                yield text(path, (String) value, 0, (int) scope.max(field, max));
            }
            case Words(List<String> words, var _, var _) -> issues.oneOf(path, (String) value, words);
            case Flag() -> true;
            case Whole whole -> whole(whole, path, ((Number) value).longValue(), scope.max(field, whole.max()));
            case Decimal decimal -> expect(decimal.holds().test((BigDecimal) value), path, decimal.problem());
            case Day() ->
                expect(
                        Day.isDay((String) value),
                        path,
                        "must be a date, such as 2026-03-04; is " + quoted((String) value));
            case TimeOfDay() ->
                expect(
                        TimeOfDay.isTime((String) value),
                        path,
                        "must be a time of day, such as 09:30 or 17:00:30; is " + quoted((String) value));
            case Zone() ->
                expect(
                        Zones.byName((String) value) != null,
                        path,
                        "must be an IANA time zone, such as Europe/Helsinki");
            case Reference(Target target) -> reference(path, (String) value, target);
            case ListOf list -> list(field, list, path, (List<?>) value, scope);
            case MapOf map -> map(field, map, path, (FieldMap) value, scope);
            case Part(Kind<?> kind) -> {
                check(kind, path, (FieldMap) value, scope);
                yield true;
            }
            case Entries(Kind<?> kind, int max) -> entries(kind, max, path, (FieldMap) value, scope);
            case OfRecord _ -> throw new IllegalArgumentException("not in configured objects: " + type);
        };
    }

    private boolean expect(boolean holds, String path, String problem) {
        issues.expect(holds, path, problem);
        return holds;
    }

    private boolean text(String path, String text, int min, int max) {
        if (max > 0) {
            issues.expect(
                    text.length() >= min && text.length() <= max,
                    path,
                    min > 0
                            ? "must have " + min + " to " + max + " characters"
                            : "must have at most " + max + " characters");
            issues.expect(UnicodeText.isWellFormed(text), path, "must be valid Unicode text");
        }
        return true;
    }

    private boolean whole(Whole type, String path, long value, long max) {
        boolean isZero = value == 0 && type.isNonZero();
        return expect(
                value >= type.min() && value <= max && !isZero,
                path,
                "must be a whole number from " + type.min() + " to " + max + (type.isNonZero() ? ", not 0" : ""));
    }

    private boolean reference(String path, String key, Target target) {
        FieldMap known = root.at(target.path());
        if (!known.has(key)) {
            issues.add(
                    path,
                    "names an unknown " + target.label() + " " + quoted(key) + "; known: "
                            + IssueList.some(known.names()));
        }
        return known.has(key);
    }

    private boolean list(Field field, ListOf type, String path, List<?> items, Scope scope) {
        issues.expect(items.size() >= type.min() && items.size() <= type.max(), path, type.sizeProblem());
        var seen = new HashSet<Object>();
        for (int i = 0; i < items.size(); i++) {
            String at = path + "/" + i;
            Object item = items.get(i);
            if (issues.required(at, item)) {
                value(field, type.item(), at, item, scope);
                issues.expect(!type.isUnique() || seen.add(item), at, "is named twice");
            }
        }
        return true;
    }

    private boolean map(Field field, MapOf type, String path, FieldMap entries, Scope scope) {
        issues.expect(
                type.max() == 0 || entries.size() <= type.max(), path, "must have at most " + type.max() + " entries");
        entries.values().forEach((key, value) -> {
            String at = path + "/" + escaped(key);
            boolean isKey = value(field, type.key(), at, key, scope);
            if ((isKey || type.key() instanceof Reference) && issues.required(at, value)) {
                value(field, type.value(), at, value, scope);
            }
        });
        return true;
    }

    private boolean entries(Kind<?> kind, int max, String path, FieldMap entries, Scope scope) {
        issues.expect(entries.size() <= max, path, "must have at most " + max + " entries");
        entries.values().forEach((key, value) -> {
            String at = path + "/" + escaped(key);
            issues.expect(
                    OBJECT_KEY.matcher(key).matches(),
                    at,
                    "has a bad key: 1 to 255 letters, digits, '-' and '_' are allowed");
            if (issues.required(at, value)) {
                check(kind, at, (FieldMap) value, scope);
            }
        });
        return true;
    }
}
