package dev.laurel.producer;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a user did or chose, ready to be sent: an event, a change of properties, a completed achievement, or preferences. A builder
 * checks what Laurel would refuse whatever the rules are, with the same messages, and throws {@link IllegalArgumentException}. Whether
 * there is such a metric, attribute or achievement, only Laurel knows: what it cannot use goes to its rejections. Immutable.
 */
public final class UserCommand {

    private static final int MAX_BYTES = 1024 * 1024;
    private static final int MAX_KEY_LENGTH = 255;
    private static final int MAX_ATTRIBUTES = 200;
    private static final int MAX_CONDITIONS = 100;
    private static final int DAYS_PER_WEEK = 7;
    private static final BigDecimal MAX_AMOUNT = BigDecimal.valueOf(1_000_000_000_000L);
    private static final int MAX_INTEGER_DIGITS = 13;
    private static final int MAX_FRACTION_DIGITS = 9;
    private static final Instant MAX_TIME = Instant.parse("9999-12-31T23:59:59.999Z");

    private final String user;
    private final @Nullable Instant time;
    private final byte[] json;

    private UserCommand(String user, @Nullable Instant time, byte[] json) {
        this.user = user;
        this.time = time;
        this.json = json;
    }

    /** The id of the user. */
    public String user() {
        return user;
    }

    /** When it happened; null: when it is sent. */
    public @Nullable Instant time() {
        return time;
    }

    /** The value of the record. */
    public byte[] json() {
        return json.clone();
    }

    /**
     * Begins an event: something that a metric counts.
     *
     * @param user may be new, and may have changed
     * @param metric key of the metric
     * @param value from -10¹² to 10¹², with at most nine fractional digits
     */
    public static Event event(User user, String metric, BigDecimal value) {
        return new Event(user, metric, value);
    }

    /** Begins a change of a user's properties, which may be a new user. */
    public static Identification identify(User user) {
        return new Identification(user);
    }

    /** Begins the completion of an achievement whose trigger is the API. @param achievement its key */
    public static Completion complete(User user, String achievement) {
        return new Completion(user, achievement);
    }

    /** Begins a change of preferences; those that are not given stay the same. @param user id of the user */
    public static Preferences preferences(String user) {
        return new Preferences(user);
    }

    /** The types of messages to a user. */
    public enum NotificationType {
        ACHIEVEMENT_COMPLETED,
        RECAP,
        REACTIVATION,
        STREAK_REMINDER
    }

    /** The ways to a user. */
    public enum NotificationChannel {
        EMAIL,
        PUSH
    }

    /** Whether a day of a streak needs all conditions or one of them. */
    public enum EvaluationMode {
        AND,
        OR
    }

    /** Whether a user is ranked under a pseudonym, or not at all. */
    public enum Visibility {
        PUBLIC,
        ANONYMOUS,
        HIDDEN
    }

    /** Collects a command. Not thread-safe. */
    public abstract static class Builder<B extends Builder<B>> {

        final User user;
        private @Nullable Instant time;

        Builder(User user) {
            this.user = user;
        }

        abstract B self();

        /** Adds the fields of the command, in the order of the JSON. */
        abstract void addTo(Map<String, @Nullable Object> json);

        /** When it happened, after 1970; years back are allowed. By default the time at which it is sent. */
        public B time(Instant at) {
            Check.that(at.toEpochMilli() > 0 && !at.isAfter(MAX_TIME), "time", "must be after 1970 and before 10000");
            time = at;
            return self();
        }

        /** @throws IllegalArgumentException if the command is too large */
        public UserCommand build() {
            var json = new LinkedHashMap<String, @Nullable Object>();
            addTo(json);
            byte[] bytes = JsonText.of(json).getBytes(UTF_8);
            Check.that(
                    bytes.length <= MAX_BYTES,
                    "The command",
                    "has " + bytes.length + " bytes, must have at most " + MAX_BYTES);
            return new UserCommand(user.id(), time, bytes);
        }
    }

    /** Collects an event. */
    public static final class Event extends Builder<Event> {

        private final String metric;
        private final BigDecimal value;
        private final Map<String, String> attributes = new TreeMap<>();
        private @Nullable String idempotencyKey;
        private @Nullable UUID eventId;

        private Event(User user, String metric, BigDecimal value) {
            super(user);
            this.metric = Check.text(metric, "metric", MAX_KEY_LENGTH);
            this.value = amount(value, "value");
        }

        /** An attribute of the event, not of the user. */
        public Event attribute(String key, String value) {
            attributes.put(key, Check.text(value, "attributes." + key, User.MAX_VALUE_LENGTH));
            Check.that(
                    attributes.size() <= MAX_ATTRIBUTES,
                    "attributes",
                    "must have at most " + MAX_ATTRIBUTES + " entries");
            return this;
        }

        /** Makes the event count once, however often it is sent. Keys are those of the user, and are kept for ever. */
        public Event idempotencyKey(String key) {
            Check.text(key, "idempotencyKey", Integer.MAX_VALUE);
            Check.that(
                    key.length() <= MAX_KEY_LENGTH,
                    "The idempotency key",
                    "must have at most " + MAX_KEY_LENGTH + " characters, has " + key.length());
            idempotencyKey = key;
            return this;
        }

        /** The id of the event in answers and webhooks. By default it follows from its place in the log. */
        public Event eventId(UUID id) {
            eventId = id;
            return this;
        }

        @Override
        Event self() {
            return this;
        }

        @Override
        void addTo(Map<String, @Nullable Object> json) {
            json.put("type", "event");
            json.put("metric", metric);
            json.put("value", value);
            json.put("user", user.json());
            if (!attributes.isEmpty()) {
                json.put("attributes", attributes);
            }
            if (idempotencyKey != null) {
                json.put("idempotencyKey", idempotencyKey);
            }
            if (eventId != null) {
                json.put("eventId", eventId.toString());
            }
        }
    }

    /** Collects a change of properties. */
    public static final class Identification extends Builder<Identification> {

        private boolean mustExist;

        private Identification(User user) {
            super(user);
        }

        /** Refuses a user who does not exist yet, instead of creating it. */
        public Identification mustExist() {
            mustExist = true;
            return this;
        }

        @Override
        Identification self() {
            return this;
        }

        @Override
        void addTo(Map<String, @Nullable Object> json) {
            json.put("type", "identify");
            json.put("user", user.json());
            if (mustExist) {
                json.put("mustExist", true);
            }
        }
    }

    /** Collects a completion. */
    public static final class Completion extends Builder<Completion> {

        private final String achievement;

        private Completion(User user, String achievement) {
            super(user);
            this.achievement = Check.text(achievement, "achievement", MAX_KEY_LENGTH);
        }

        @Override
        Completion self() {
            return this;
        }

        @Override
        void addTo(Map<String, @Nullable Object> json) {
            json.put("type", "complete");
            json.put("achievement", achievement);
            json.put("user", user.json());
        }
    }

    /** Collects preferences. A cleared one has its default again. */
    public static final class Preferences extends Builder<Preferences> {

        private final Map<String, @Nullable Collection<String>> notifications = new TreeMap<>();
        private final Map<String, @Nullable Object> streak = new TreeMap<>();
        private final Map<String, @Nullable Object> leaderboards = new TreeMap<>();

        private Preferences(String id) {
            super(User.of(id));
        }

        /** The channels on which the user wants such messages; none is a choice, too. */
        public Preferences notifications(NotificationType type, Collection<NotificationChannel> channels) {
            notifications.put(
                    wire(type),
                    new TreeSet<>(channels).stream().map(UserCommand::wire).toList());
            return this;
        }

        public Preferences clearNotifications(NotificationType type) {
            notifications.put(wire(type), null);
            return this;
        }

        private Preferences streak(String preference, @Nullable Object value) {
            streak.put(preference, value);
            return this;
        }

        /** Whether the user takes part in streaks. */
        public Preferences streakEnabled(boolean isEnabled) {
            return streak("enabled", isEnabled);
        }

        public Preferences clearStreakEnabled() {
            return streak("enabled", null);
        }

        public Preferences streakMode(EvaluationMode mode) {
            return streak("evaluationMode", mode.name());
        }

        public Preferences clearStreakMode() {
            return streak("evaluationMode", null);
        }

        /** The user's own conditions. @param thresholds by key of the metric, each above 0 */
        public Preferences streakMetrics(Map<String, BigDecimal> thresholds) {
            Check.that(
                    thresholds.size() <= MAX_CONDITIONS,
                    "streak.metrics",
                    "must have at most " + MAX_CONDITIONS + " entries");
            var conditions = new ArrayList<Map<String, Object>>();
            for (Map.Entry<String, BigDecimal> condition : new TreeMap<>(thresholds).entrySet()) {
                String field = "streak.metrics[" + conditions.size() + "]";
                BigDecimal threshold = condition.getValue();
                Check.that(
                        threshold.signum() > 0 && threshold.compareTo(MAX_AMOUNT) <= 0,
                        field + ".threshold",
                        "must be above 0 and at most " + MAX_AMOUNT.toPlainString());
                var json = new LinkedHashMap<String, Object>();
                json.put("key", Check.text(condition.getKey(), field + ".key", MAX_KEY_LENGTH));
                json.put("threshold", amount(threshold, field + ".threshold"));
                conditions.add(json);
            }
            return streak("metrics", conditions);
        }

        public Preferences clearStreakMetrics() {
            return streak("metrics", null);
        }

        /** The user's own days off. @param days 0 is Sunday; at most six */
        public Preferences streakDaysOff(Collection<Integer> days) {
            var sorted = new TreeSet<Integer>();
            for (int day : days) {
                Check.that(day >= 0 && day < DAYS_PER_WEEK, "streak.daysOff", "must be a whole number from 0 to 6");
                Check.that(sorted.add(day), "streak.daysOff", "has the day " + day + " twice");
                Check.that(sorted.size() < DAYS_PER_WEEK, "streak.daysOff", "must have at most 6 entries");
            }
            return streak("daysOff", sorted);
        }

        public Preferences clearStreakDaysOff() {
            return streak("daysOff", null);
        }

        /** Whom the user's places on leaderboards show to others. */
        public Preferences visibility(Visibility visibility) {
            leaderboards.put("visibility", wire(visibility));
            return this;
        }

        public Preferences clearVisibility() {
            leaderboards.put("visibility", null);
            return this;
        }

        @Override
        Preferences self() {
            return this;
        }

        @Override
        void addTo(Map<String, @Nullable Object> json) {
            json.put("type", "preferences");
            json.put("user", user.json());
            if (!notifications.isEmpty()) {
                json.put("notifications", notifications);
            }
            if (!streak.isEmpty()) {
                json.put("streak", streak);
            }
            if (!leaderboards.isEmpty()) {
                json.put("leaderboards", leaderboards);
            }
        }
    }

    private static String wire(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static BigDecimal amount(BigDecimal value, String field) {
        long integerDigits = (long) value.precision() - value.scale();
        Check.that(
                value.signum() == 0
                        || integerDigits <= MAX_INTEGER_DIGITS && value.abs().compareTo(MAX_AMOUNT) <= 0,
                field,
                "must be at least -1000000000000 and at most 1000000000000");
        BigDecimal stripped = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
        Check.that(
                stripped.scale() <= MAX_FRACTION_DIGITS,
                field,
                "must have at most " + MAX_FRACTION_DIGITS + " fractional digits");
        return stripped;
    }

    /** The command as JSON, for logs of the caller. */
    @Override
    public String toString() {
        return new String(json, UTF_8);
    }

    /** The messages of Laurel. */
    static final class Check {

        private Check() {}

        static void that(boolean isRight, String field, String problem) {
            if (!isRight) {
                throw new IllegalArgumentException(field + " " + problem + ".");
            }
        }

        static String text(String text, String field, int maxLength) {
            that(isWellFormed(text), field, "must be valid Unicode text");
            that(text.length() <= maxLength, field, "must have at most " + maxLength + " characters");
            return text;
        }

        static boolean isWellFormed(String text) {
            return UTF_8.newEncoder().canEncode(text);
        }
    }
}
