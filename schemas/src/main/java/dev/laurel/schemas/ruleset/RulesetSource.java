package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Draft;
import dev.laurel.schemas.kind.DraftException;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Issue;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.ruleset.Attribute.AttributeType;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import static dev.laurel.schemas.ruleset.SharedFields.MAX_OBJECTS;

/**
 * The human form of a ruleset: the content of {@code laurel.yaml}. Objects are entries of maps, named by their keys and
 * ordered as written. What is left out has its default. Immutable.
 *
 * @param content of the form of {@link #KIND}
 */
public record RulesetSource(Draft content) {

    private static final int MAX_WEBHOOKS = 100;
    private static final int MAX_TEMPLATES = 500;

    /** docs/admin-api.md C: everything that a ruleset can say. */
    public static final Kind<?> KIND = Kind.of("ruleset", null,
            Field.entries("metrics", Metric.KIND, MAX_OBJECTS)
                    .about("What is counted, by metric key. An event names one of these keys; an event with any other key is "
                            + "refused."),
            Field.part("attributes",
                    Kind.of("attributes", null,
                            Field.entries("user", Attribute.KIND, MAX_OBJECTS)
                                    .about("Attributes of users, by attribute key."),
                            Field.entries("event", Attribute.KIND, MAX_OBJECTS)
                                    .about("Attributes of events, by attribute key.")))
                    .about("The custom attributes that requests may set. A request with any other attribute is refused."),
            Field.entries("achievements", Achievement.KIND, MAX_OBJECTS).together(CompositeCycles::check)
                    .about("What users complete once and keep, by achievement key."),
            Field.entries("points", PointsSystem.KIND, MAX_OBJECTS)
                    .about("Points systems, each a counter per user, by system key."),
            Field.part("streak", StreakSettings.KIND)
                    .about("How streaks are kept. Left out: a daily streak that any positive event extends."),
            Field.entries("leaderboards", Leaderboard.KIND, MAX_OBJECTS)
                    .about("Rankings of users, by leaderboard key; at most 100 that are not finished."),
            Field.part("settings", Settings.KIND).about("Settings that rules depend on."),
            Field.entries("webhooks", Webhook.KIND, MAX_WEBHOOKS)
                    .about("Addresses that are told of events, by webhook key. The secret that signs what one is sent is made "
                            + "when it first appears, and shown by the admin API."),
            Field.part("notifications",
                    Kind.of("notifications", null,
                            Field.entries("templates", Template.KIND, MAX_TEMPLATES).together(Template::alone)
                                    .about("What users are written, by template key."),
                            Field.part("settings", Notifications.Timing.KIND)
                                    .about("When messages are due, in the user's local time."),
                            Field.part("channels",
                                    Kind.of("channels", null, Field.part("email", Notifications.Sender.KIND)))
                                    .about("Whom messages are from.")))
                    .about("What users are told by email and push, when and from whom. What it takes to reach the services that "
                            + "carry messages is secret, and set by the admin API."))
            .about("Everything that decides what an event does: the content of laurel.yaml. Objects are entries of maps, named "
                    + "by their keys; the order of entries is the order in which rules are applied. Keys have 1 to 255 "
                    + "letters, digits, '-' and '_'. An object that keeps its key keeps its id and what users have of it; a "
                    + "renamed key is a new object. What is taken out is kept at rest and goes on where it ended when it comes "
                    + "back under the same key.");

    /** Says nothing. */
    public static final RulesetSource EMPTY = of(Map.of());

    /**
     * Reads plain values, as a JSON parser gives them.
     *
     * @throws DraftException if there is an unknown field, or a value of the wrong type; nothing else is checked
     */
    public static RulesetSource of(Map<?, ?> values) {
        return new RulesetSource(KIND.read(values));
    }

    /**
     * The way back from a ruleset. Applying what it gives to the ruleset it came from changes nothing. What equals its default
     * is left out, ids are kept: applied elsewhere, the objects are the same ones.
     *
     * @param now what has started until then is exported as what it is
     */
    public static RulesetSource of(Ruleset ruleset, Instant now) {
        Notifications notifications = ruleset.notifications();
        Draft email = Notifications.Sender.KIND.export(notifications.sender());
        return new RulesetSource(Draft.of("metrics", entries(ruleset.metrics(), Metric::key, Metric.KIND::export),
                "attributes",
                Draft.of("user", attributes(ruleset, AttributeType.USER), "event",
                        attributes(ruleset, AttributeType.EVENT)),
                "achievements", entries(ruleset.achievements(), Achievement::key, Achievement.KIND::export), "points",
                entries(ruleset.pointsSystems(), PointsSystem::key, RulesetSource::system), "streak",
                ruleset.streak().equals(StreakSettings.DEFAULT) ? null : StreakSettings.KIND.export(ruleset.streak()),
                "leaderboards",
                entries(ruleset.leaderboards(), Leaderboard::key,
                        board -> Leaderboard.KIND.export(LeaderboardEditor.exported(board, now))),
                "settings", unlessEmpty(Settings.KIND.export(ruleset.settings())), "webhooks",
                entries(ruleset.webhooks(), Webhook::key, Webhook.KIND::export), "notifications",
                Draft.of("templates", entries(notifications.templates(), Template::key, Template.KIND::export),
                        "settings",
                        notifications.timing().equals(Notifications.Timing.DEFAULT)
                                ? null
                                : Notifications.Timing.KIND.export(notifications.timing()),
                        "channels", email.isEmpty() ? null : Draft.of("email", email))));
    }

    private static <T> Draft entries(List<T> objects, Function<T, String> key, Function<T, Draft> export) {
        var entries = new LinkedHashMap<String, Draft>();
        objects.forEach(object -> entries.put(key.apply(object), export.apply(object)));
        return Draft.of(entries);
    }

    private static Draft attributes(Ruleset ruleset, AttributeType type) {
        return entries(ruleset.attributes().stream().filter(a -> a.type() == type).toList(), Attribute::key,
                Attribute.KIND::export);
    }

    private static Draft system(PointsSystem system) {
        return PointsSystem.KIND.export(system)
                .with("levels", entries(system.levels(), Level::key, Level.KIND::export))
                .with("boosts", entries(system.boosts(), Boost::key, Boost.KIND::export))
                .with("triggers", entries(system.triggers(), PointsTrigger::key, PointsTrigger.KIND::export));
    }

    private static Draft unlessEmpty(Draft draft) {
        return draft.isEmpty() ? null : draft;
    }

    /**
     * Everything that is wrong at once: keys, ranges, references (docs/admin-api.md A1). What an object may become depends on what
     * it is: that only {@link RulesetEditor} sees.
     *
     * @return the issues in the order of the document, the first hundred of them; empty if there are none
     */
    public List<Issue> issues() {
        var issues = new IssueList();
        KIND.check(content, issues);
        return issues.found();
    }

    // The sections. Each is there, if empty.

    public Draft metrics() {
        return content.part("metrics");
    }

    public Draft attributes(AttributeType type) {
        return content.part("attributes").part(IssueList.word(type));
    }

    public Draft achievements() {
        return content.part("achievements");
    }

    public Draft points() {
        return content.part("points");
    }

    public Draft leaderboards() {
        return content.part("leaderboards");
    }

    public Draft webhooks() {
        return content.part("webhooks");
    }

    public Draft notifications() {
        return content.part("notifications");
    }

    StreakSettings streak() {
        return content.has("streak")
                ? StreakSettings.KIND.make(content.part("streak"), Map.of())
                : StreakSettings.DEFAULT;
    }

    Settings settings() {
        return Settings.KIND.make(content.part("settings"), Map.of());
    }
}
