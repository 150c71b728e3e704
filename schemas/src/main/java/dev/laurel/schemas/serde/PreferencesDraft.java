package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.Command.SetPreferences.Condition;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import dev.laurel.schemas.ruleset.StreakSettings;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A draft of {@link SetPreferences}. A null inside one of its two objects restores the default of a preference.
 */
final class PreferencesDraft implements CommandDraft<SetPreferences> {

    static final WireNames<NotificationType> TYPES = new WireNames<>(NotificationType.class);
    static final WireNames<NotificationChannel> CHANNELS = new WireNames<>(NotificationChannel.class);

    private static final int MAX_CONDITIONS = 100;
    private static final int MAX_METRIC_LENGTH = 255;

    private final boolean isBody;
    private @Nullable UserChange user;
    private Map<NotificationType, Change<Set<NotificationChannel>>> notifications = Map.of();
    private Change<Boolean> streakEnabled = Change.keep();
    private Change<EvaluationMode> streakMode = Change.keep();
    private Change<List<Condition>> streakMetrics = Change.keep();
    private Change<List<Integer>> streakDaysOff = Change.keep();

    /** A draft of a record of the log. */
    PreferencesDraft() {
        this.isBody = false;
    }

    /** A draft of a body, whose path contains the user. */
    PreferencesDraft(UserId user) {
        this.isBody = true;
        this.user = UserChange.mention(user);
    }

    @Override
    public boolean take(String field, JsonParser json) throws BadInputException {
        switch (field) {
            case "user" -> {
                if (isBody) {
                    return false;
                }
                user = UserChangeJson.readMention(json, field);
            }
            case "notifications" -> takeNotifications(json);
            case "streak" -> takeStreak(json);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void takeNotifications(JsonParser json) throws BadInputException {
        expectObject(json, "notifications");
        notifications = new EnumMap<>(NotificationType.class);
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            String field = "notifications." + name;
            NotificationType type = TYPES.byName(name);
            if (type == null) {
                throw BadInputException.invalid(field, "is no type of notification, known: " + TYPES.all());
            }
            notifications.put(type, json.nextToken() == JsonToken.VALUE_NULL
                    ? Change.clear()
                    : Change.set(channels(json, field)));
        }
    }

    private static Set<NotificationChannel> channels(JsonParser json, String field) throws BadInputException {
        expectArray(json, field);
        var channels = EnumSet.noneOf(NotificationChannel.class);
        while (json.nextToken() != JsonToken.END_ARRAY) {
            channels.add(CHANNELS.read(json, field));
        }
        return Set.copyOf(channels);
    }

    private void takeStreak(JsonParser json) throws BadInputException {
        expectObject(json, "streak");
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            boolean isNull = json.nextToken() == JsonToken.VALUE_NULL;
            String field = "streak." + name;
            switch (name) {
                case "enabled" ->
                    streakEnabled = isNull ? Change.clear() : Change.set(Fields.bool(json, field));
                case "evaluationMode" -> streakMode = isNull ? Change.clear() : Change.set(mode(json, field));
                case "metrics" -> streakMetrics = isNull ? Change.clear() : Change.set(conditions(json, field));
                case "daysOff" -> streakDaysOff = isNull ? Change.clear() : Change.set(daysOff(json, field));
                default -> json.skipChildren();
            }
        }
    }

    private static List<Integer> daysOff(JsonParser json, String field) throws BadInputException {
        expectArray(json, field);
        var days = new TreeSet<Integer>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            int day = Math.toIntExact(Fields.integer(json, field, 0, StreakSettings.DAYS_PER_WEEK - 1));
            if (!days.add(day)) {
                throw BadInputException.invalid(field, "has the day " + day + " twice");
            }
            Fields.expectAtMost(days.size(), StreakSettings.DAYS_PER_WEEK - 1, field);
        }
        return List.copyOf(days);
    }

    /** Accepts ALL as a synonym of AND (docs/application-api.md §8). */
    private static EvaluationMode mode(JsonParser json, String field) throws BadInputException {
        String text = Fields.text(json, field);
        return switch (text) {
            case "AND", "ALL" -> EvaluationMode.AND;
            case "OR" -> EvaluationMode.OR;
            default -> throw BadInputException.invalid(field, "is '" + text + "', must be one of: AND, OR");
        };
    }

    private static List<Condition> conditions(JsonParser json, String field) throws BadInputException {
        expectArray(json, field);
        var conditions = new ArrayList<Condition>();
        var metrics = new HashSet<String>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            Condition condition = condition(json, field + "[" + conditions.size() + "]");
            if (!metrics.add(condition.metric())) {
                throw BadInputException.invalid(field, "has the key '" + condition.metric() + "' twice");
            }
            conditions.add(condition);
            Fields.expectAtMost(conditions.size(), MAX_CONDITIONS, field);
        }
        return List.copyOf(conditions);
    }

    private static Condition condition(JsonParser json, String field) throws BadInputException {
        expectObject(json, field);
        String metric = null;
        BigDecimal threshold = null;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "key" -> metric = Fields.text(json, field + ".key", MAX_METRIC_LENGTH);
                case "threshold" -> threshold = threshold(json, field + ".threshold");
                default -> json.skipChildren();
            }
        }
        return new Condition(Fields.required(metric, field + ".key", "and must be a string"),
                Fields.required(threshold, field + ".threshold", "and must be a number above 0"));
    }

    private static BigDecimal threshold(JsonParser json, String field) throws BadInputException {
        BigDecimal threshold = Fields.number(json, field);
        if (threshold.signum() <= 0 || threshold.compareTo(Amounts.MAX) > 0) {
            throw BadInputException.invalid(field, "must be above 0 and at most " + Amounts.MAX.toPlainString());
        }
        return Fields.amount(threshold, field);
    }

    private static void expectObject(JsonParser json, String field) throws BadInputException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw BadInputException.invalid(field, "must be an object");
        }
    }

    private static void expectArray(JsonParser json, String field) throws BadInputException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw BadInputException.invalid(field, "must be an array");
        }
    }

    @Override
    public SetPreferences toCommand() throws BadInputException {
        return new SetPreferences(Fields.required(user, "user", UserChangeJson.FORM), notifications, streakEnabled,
                streakMode, streakMetrics, streakDaysOff);
    }
}
