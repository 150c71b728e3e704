package dev.laurel.schemas.ruleset;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/** Ruleset sources for tests. */
public final class Sources {

    /** A source with every field, each with a value other than its default. */
    public static final String EVERYTHING = """
        {`metrics`: {`laps`: {`name`: `Laps swum`, `units`: `laps`}, `spent`: {`unitType`: `currency`, `units`: `EUR`}},
         `attributes`: {`user`: {`city`: {`name`: `City`}, `plan`: {}}, `event`: {`pool`: {}, `stroke`: {}}},
         `achievements`: {
          `forty`: {`name`: `Forty`, `description`: `Forty laps.`, `badgeUrl`: `https://example.net/40.png`,
            `trigger`: `metric`, `metric`: `laps`, `value`: 40.50, `userAttributes`: {`city`: `Turku`, `plan`: ``},
            `eventAttributes`: {`pool`: `50m`, `stroke`: `crawl`}, `backdate`: false},
          `week`: {`trigger`: `streak`, `streakLength`: 7},
          `profile`: {`trigger`: `api`, `status`: `inactive`},
          `all`: {`trigger`: `achievement`, `achievements`: [`week`, `profile`, `forty`]}},
         `points`: {`gems`: {`name`: `Gems`, `description`: `Shiny.`, `badgeUrl`: `https://example.net/g.png`,
           `maxPoints`: 5000, `levelAt`: `reaches`,
           `levels`: {`gold`: {`name`: `Gold`, `description`: `A lot.`, `points`: 1000},
             `bronze`: {`badgeUrl`: `https://example.net/b.png`, `points`: 0}},
           `boosts`: {`weekend`: {`name`: `Weekend`, `start`: `2026-03-07`, `end`: `2026-03-08`, `multiplier`: 1.50,
               `rounding`: `up`, `userAttributes`: {`city`: `Turku`}},
             `always`: {`start`: `2026-01-01`, `multiplier`: 0.5}},
           `triggers`: {
             `per-ten`: {`type`: `metric`, `metric`: `laps`, `threshold`: 10, `points`: -20,
               `eventAttributes`: {`pool`: `50m`}, `blockIfOutOfPoints`: true, `userAttributes`: {`plan`: `pro`}},
             `forty`: {`type`: `achievement`, `achievement`: `forty`, `points`: 40, `status`: `inactive`},
             `week`: {`type`: `streak`, `streakLength`: 7, `points`: 70},
             `rent`: {`type`: `time`, `timeUnit`: `days`, `timeInterval`: 30, `points`: -5},
             `welcome`: {`type`: `user_creation`, `points`: 5}}}},
         `streak`: {`enabled`: false, `frequency`: `weekly`, `evaluationMode`: `AND`, `metrics`: {`laps`: 1.50},
           `freezesEnabled`: true, `initialFreezes`: 1, `maxFreezes`: 5, `freezeAutoEarnInterval`: 7,
           `freezeAutoEarnAmount`: 2, `personalizationEnabled`: true,
           `personalizationMetrics`: {`laps`: {`min`: 0.50, `max`: 100}, `spent`: {}}},
         `leaderboards`: {
          `lanes`: {`name`: `Lanes`, `description`: `Who swims most.`, `status`: `active`, `rankBy`: `metric`,
            `metric`: `laps`, `maxParticipants`: 50, `start`: `2026-01-01`, `end`: `2026-12-31`, `startTime`: `06:00`,
            `endTime`: `21:30:15`, `breakdownAttributes`: [`plan`, `city`], `runUnit`: `month`, `runInterval`: 2},
          `rich`: {`rankBy`: `points`, `pointsSystem`: `gems`, `status`: `scheduled`, `start`: `2027-01-01`},
          `faithful`: {`rankBy`: `streak`, `teams`: {`attribute`: `city`, `score`: `top`, `top`: 3, `minMembers`: 2}},
          `clubs`: {`rankBy`: `streak`, `teams`: {`attribute`: `plan`, `score`: `average`}}, `olympia`: {`rankBy`: `metric`, `metric`: `laps`, `status`: `finished`,
            `start`: `2025-07-01`, `end`: `2025-07-31`}},
         `settings`: {`controlRatio`: 10, `userActivationWindow`: 21, `defaultTimeZone`: `Europe/Helsinki`, `weekStartsOn`: `monday`,
           `integerLeaderboardValues`: true, `messageTimeZone`: `Europe/Paris`, `applicationKeysEnabled`: false,
           `rateLimits`: {`tier1`: 5, `tier2`: 50}, `branding`: {`appName`: `Pool`, `appUrl`: `https://pool.example`,
           `logoUrl`: `https://pool.example/logo.png`, `appIconUrl`: `https://pool.example/icon.png`, `brandColor`: `#1a2B3c`, `font`: `Inter, sans-serif`}},
         `webhooks`: {`crm`: {`name`: `CRM`, `url`: `https://crm.example/laurel`, `status`: `inactive`,
           `events`: [`streak.lost`, `points.level_changed`]},
          `log`: {`url`: `http://log.example:8080/?x=1`, `events`: [`emails.recap_due`]}},
         `notifications`: {
          `templates`: {
           `remind`: {`name`: `Remind`, `type`: `streak_reminder`, `channel`: `email`, `status`: `inactive`,
             `subject`: `Swim, {{user.name}}!`, `body`: `Your streak of {{ streak.length }} ends today.`,
             `userAttributes`: {`city`: `Turku`},
             `variations`: [{`subject`: `Today?`, `body`: `Come and swim.`}]},
           `done`: {`type`: `achievement_completed`, `channel`: `push`, `title`: `{{achievement.name}}`,
             `body`: `You have it.`}},
          `settings`: {`recapPeriod`: `yearly`, `reactivationDays`: [7, 30],
            `streakReminder`: {`dailyHoursBefore`: 3, `weeklyDay`: `sunday`, `weeklyTime`: `18:30`,
              `monthlyDay`: 28, `monthlyTime`: `08:00`},
            `achievementWindow`: {`from`: `16:00`, `to`: `20:15`},
            `enabled`: {`recap`: false, `streak_reminder`: true}},
          `channels`: {`email`: {`from`: `team@pool.example`, `fromName`: `The pool`,
            `replyTo`: `help@pool.example`}}}}\
        """.replace('`', '"');

    private final Random random;

    private Sources(Random random) {
        this.random = random;
    }

    public static RulesetSource read(String json) {
        try {
            return Json.readForeign(json.getBytes(UTF_8), RulesetSource.class);
        } catch (BadInputException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    /**
     * Returns a random valid source; equal seeds give equal sources.
     *
     * @param mayLock whether achievements may be locked; new achievements cannot be locked
     */
    public static RulesetSource random(long seed, boolean mayLock) {
        return new Sources(new Random(seed)).source(mayLock);
    }

    private RulesetSource source(boolean mayLock) {
        FieldMap metrics = entries("m", 4, _ -> FieldMap.of("id", id(), "name", name(), "units", maybe("km")));
        var attributes = FieldMap.of(
                "user",
                entries("u", 3, _ -> FieldMap.of("id", id(), "name", name())),
                "event",
                entries("e", 3, _ -> FieldMap.of("id", id(), "name", name())));
        var made = new LinkedHashMap<String, FieldMap>();
        entries("a", 6, key -> {
            made.put(key, achievement(metrics, attributes, List.copyOf(made.keySet()), mayLock));
            return key;
        });
        FieldMap achievements = FieldMap.of(made);
        FieldMap points = entries("p", 2, _ -> system(metrics, attributes, achievements));
        var streak = FieldMap.of(
                "enabled",
                maybe(false),
                "frequency",
                maybe(pick("daily", "weekly", "monthly")),
                "evaluationMode",
                maybe(pick("AND", "OR", "ALL")),
                "metrics",
                thresholds(metrics),
                "freezesEnabled",
                maybe(random.nextBoolean()),
                "initialFreezes",
                maybe(random.nextInt(4)),
                "maxFreezes",
                maybe(3 + random.nextInt(98)),
                "personalizationEnabled",
                maybe(random.nextBoolean()),
                "personalizationMetrics",
                bounds(metrics));
        FieldMap boards = entries("b", 2, _ -> leaderboard(metrics, attributes, points));
        return RulesetSource.of(FieldMap.of(
                        "metrics",
                        metrics,
                        "attributes",
                        attributes,
                        "achievements",
                        achievements,
                        "points",
                        points,
                        "streak",
                        maybe(streak),
                        "leaderboards",
                        boards,
                        "settings",
                        maybe(FieldMap.of(
                                "controlRatio",
                                maybe(random.nextInt(101)),
                                "defaultTimeZone",
                                maybe(pick("UTC", "Asia/Tokyo")),
                                "weekStartsOn",
                                maybe(pick("sunday", "monday")),
                                "integerLeaderboardValues",
                                maybe(random.nextBoolean()),
                                "messageTimeZone",
                                maybe(pick("UTC", "Asia/Tokyo")),
                                "applicationKeysEnabled",
                                maybe(random.nextBoolean()),
                                "rateLimits",
                                maybe(FieldMap.of(
                                        "tier1",
                                        maybe(1 + random.nextInt(100)),
                                        "tier2",
                                        maybe(1 + random.nextInt(100)))),
                                "branding",
                                maybe(FieldMap.of(
                                        "appName",
                                        maybe(name()),
                                        "appUrl",
                                        maybe("https://pool.example"),
                                        "appIconUrl",
                                        maybe("https://pool.example/icon.png"),
                                        "brandColor",
                                        maybe(pick("#00fF99", "#0F9", "rgb(0, 255, 153)", "rgba(0,255,153,.5)")),
                                        "font",
                                        maybe(pick("Inter", "MONOSPACE")))))),
                        "webhooks",
                        entries(
                                "w",
                                3,
                                _ -> FieldMap.of(
                                        "id",
                                        id(),
                                        "name",
                                        name(),
                                        "url",
                                        "https://a.example/" + random.nextInt(3),
                                        "events",
                                        some(WebhookEvent.types()),
                                        "status",
                                        maybe(pick("active", "inactive")))),
                        "notifications",
                        maybe(FieldMap.of(
                                "templates",
                                templates(attributes),
                                "settings",
                                maybe(timing()),
                                "channels",
                                maybe(FieldMap.of(
                                        "email",
                                        maybe(FieldMap.of(
                                                "from",
                                                maybe("a@b.example"),
                                                "fromName",
                                                name(),
                                                "replyTo",
                                                maybe("c@d.example"))))))))
                .values());
    }

    /** Returns templates of which at most one per channel is active. */
    private FieldMap templates(FieldMap attributes) {
        var active = new HashSet<String>();
        return entries("t", 4, _ -> {
            String channel = pick("email", "push");
            boolean isEmail = channel.equals("email");
            String status = active.add(channel) ? maybe("active") : "inactive";
            String heading = pick("{{user.name}}!", "Hello");
            var variation = FieldMap.of(
                    "subject", isEmail ? heading : null, "title", isEmail ? null : heading, "body", "Other");
            return FieldMap.of(
                    "id",
                    id(),
                    "name",
                    name(),
                    "type",
                    pick("achievement_completed", "recap", "reactivation", "streak_reminder"),
                    "channel",
                    channel,
                    "status",
                    status,
                    "subject",
                    isEmail ? heading : null,
                    "title",
                    isEmail ? null : heading,
                    "body",
                    "Body",
                    "userAttributes",
                    filters(attributes.part("user")),
                    "variations",
                    maybe(List.of(variation)));
        });
    }

    private FieldMap timing() {
        return FieldMap.of(
                "recapPeriod",
                maybe(pick("daily", "weekly", "monthly", "yearly")),
                "reactivationDays",
                maybe(List.of(1, 1000)),
                "streakReminder",
                maybe(FieldMap.of(
                        "dailyHoursBefore",
                        maybe(1 + random.nextInt(23)),
                        "weeklyDay",
                        maybe(pick("monday", "friday")),
                        "weeklyTime",
                        maybe(pick("00:00", "09:00", "12:34:56")),
                        "monthlyDay",
                        maybe(1 + random.nextInt(31)),
                        "monthlyTime",
                        maybe(pick("09:00", "23:59")))),
                "achievementWindow",
                maybe(FieldMap.of("from", maybe(pick("17:00", "08:00")), "to", maybe(pick("21:00", "23:59:59")))),
                "enabled",
                maybe(FieldMap.of(pick("recap", "reactivation"), random.nextBoolean())));
    }

    /** Returns a leaderboard whose dates suit its status in 2026; some active ones finish within that year. */
    private FieldMap leaderboard(FieldMap metrics, FieldMap attributes, FieldMap points) {
        var kinds = new ArrayList<>(List.of("streak"));
        if (!metrics.isEmpty()) {
            kinds.add("metric");
        }
        if (!points.isEmpty()) {
            kinds.add("points");
        }
        String kind = kinds.get(random.nextInt(kinds.size()));
        boolean isStreak = kind.equals("streak");
        String status = maybe(pick("inactive", "active", "scheduled", "finished"));
        boolean isAhead = "scheduled".equals(status);
        boolean isOver = "finished".equals(status);
        LocalDate start = LocalDate.of(isAhead ? 2027 : 2025, 1, 31).minusDays(random.nextInt(3));
        LocalDate end = isOver ? start.plusMonths(1) : maybe(LocalDate.of(2026 + random.nextInt(2), 12, 31));
        boolean isRepeating = !isStreak && random.nextBoolean();
        return FieldMap.of(
                "id",
                id(),
                "name",
                name(),
                "description",
                maybe("text"),
                "status",
                status,
                "rankBy",
                kind,
                "metric",
                kind.equals("metric") ? key(metrics) : null,
                "pointsSystem",
                kind.equals("points") ? key(points) : null,
                "maxParticipants",
                maybe(1 + random.nextInt(1000)),
                "start",
                isAhead || isOver ? start.toString() : maybe(start.toString()),
                "end",
                end == null || end.isBefore(start) ? null : end.toString(),
                "startTime",
                isStreak ? null : maybe(pick("00:00", "09:30")),
                "endTime",
                isStreak ? null : maybe(pick("09:30:01", "23:59")),
                "breakdownAttributes",
                maybe(List.copyOf(filters(attributes.part("user")).names())),
                "runUnit",
                isRepeating ? pick("day", "month", "year") : null,
                "runInterval",
                isRepeating ? 1 + random.nextInt(100) : null);
    }

    private FieldMap achievement(FieldMap metrics, FieldMap attributes, List<String> others, boolean mayLock) {
        UUID id = id();
        String name = name();
        String text = maybe("text");
        String badge = maybe("https://example.net/b.png");
        String status = maybe(mayLock ? pick("active", "locked") : pick("active", "inactive"));
        FieldMap users = filters(attributes.part("user"));
        Boolean backdate = maybe(random.nextBoolean());
        var kinds = new ArrayList<>(List.of("streak", "api", "anniversary"));
        if (!metrics.isEmpty()) {
            kinds.add("metric");
        }
        if (!others.isEmpty()) {
            kinds.add("achievement");
        }
        return switch (kinds.get(random.nextInt(kinds.size()))) {
            case "metric" ->
                FieldMap.of(
                        "id",
                        id,
                        "name",
                        name,
                        "description",
                        text,
                        "badgeUrl",
                        badge,
                        "trigger",
                        "metric",
                        "status",
                        status,
                        "metric",
                        key(metrics),
                        "value",
                        amount(),
                        "userAttributes",
                        users,
                        "eventAttributes",
                        filters(attributes.part("event")),
                        "backdate",
                        backdate);
            case "streak" ->
                FieldMap.of(
                        "id",
                        id,
                        "name",
                        name,
                        "description",
                        text,
                        "badgeUrl",
                        badge,
                        "trigger",
                        "streak",
                        "status",
                        status,
                        "streakLength",
                        1 + random.nextInt(100_000),
                        "userAttributes",
                        users,
                        "backdate",
                        backdate);
            case "anniversary" ->
                FieldMap.of(
                        "id",
                        id,
                        "name",
                        name,
                        "description",
                        text,
                        "badgeUrl",
                        badge,
                        "trigger",
                        "anniversary",
                        "status",
                        status,
                        "anniversaryYears",
                        1 + random.nextInt(1000),
                        "userAttributes",
                        users,
                        "backdate",
                        backdate);
            case "achievement" ->
                FieldMap.of(
                        "id",
                        id,
                        "name",
                        name,
                        "description",
                        text,
                        "badgeUrl",
                        badge,
                        "trigger",
                        "achievement",
                        "status",
                        status,
                        "achievements",
                        some(others),
                        "userAttributes",
                        users,
                        "backdate",
                        backdate);
            default ->
                FieldMap.of(
                        "id",
                        id,
                        "name",
                        name,
                        "description",
                        text,
                        "badgeUrl",
                        badge,
                        "trigger",
                        "api",
                        "status",
                        status,
                        "userAttributes",
                        users,
                        "backdate",
                        backdate);
        };
    }

    private FieldMap system(FieldMap metrics, FieldMap attributes, FieldMap achievements) {
        var thresholds = new ArrayList<>(List.of(0L, 1L, 50L, 1_000_000_000_000L));
        Collections.shuffle(thresholds, random);
        FieldMap levels = entries(
                "l",
                thresholds.size(),
                _ -> FieldMap.of(
                        "id", id(), "name", name(), "description", maybe("text"), "points", thresholds.removeLast()));
        FieldMap boosts = entries("b", 3, _ -> boost(attributes));
        return FieldMap.of(
                "id",
                id(),
                "name",
                name(),
                "description",
                maybe(""),
                "maxPoints",
                maybe(1 + random.nextLong(1000)),
                "levelAt",
                maybe(pick("exceeds", "reaches")),
                "levels",
                levels,
                "boosts",
                boosts,
                "triggers",
                entries("t", 6, _ -> trigger(metrics, attributes, achievements)));
    }

    private FieldMap boost(FieldMap attributes) {
        LocalDate start = LocalDate.of(2026, 2, 27).plusDays(random.nextInt(5));
        return FieldMap.of(
                "id",
                id(),
                "name",
                name(),
                "start",
                start.toString(),
                "end",
                maybe(start.plusDays(random.nextInt(3)).toString()),
                "multiplier",
                new BigDecimal(pick("0.000000001", "1.50", "2", "99.999999999")),
                "rounding",
                maybe(pick("down", "up", "nearest")),
                "userAttributes",
                filters(attributes.part("user")));
    }

    private FieldMap trigger(FieldMap metrics, FieldMap attributes, FieldMap achievements) {
        UUID id = id();
        String status = maybe(pick("active", "inactive"));
        long points = random.nextBoolean() ? 1 + random.nextLong(100) : -1 - random.nextLong(100);
        FieldMap users = filters(attributes.part("user"));
        var types = new ArrayList<>(List.of("streak", "time", "user_creation"));
        if (!metrics.isEmpty()) {
            types.add("metric");
        }
        if (!achievements.isEmpty()) {
            types.add("achievement");
        }
        return switch (types.get(random.nextInt(types.size()))) {
            case "metric" ->
                FieldMap.of(
                        "id",
                        id,
                        "type",
                        "metric",
                        "status",
                        status,
                        "metric",
                        key(metrics),
                        "threshold",
                        1 + random.nextLong(20),
                        "eventAttributes",
                        filters(attributes.part("event")),
                        "blockIfOutOfPoints",
                        maybe(random.nextBoolean()),
                        "points",
                        points,
                        "userAttributes",
                        users);
            case "achievement" ->
                FieldMap.of(
                        "id",
                        id,
                        "type",
                        "achievement",
                        "status",
                        status,
                        "achievement",
                        key(achievements),
                        "points",
                        points,
                        "userAttributes",
                        users);
            case "streak" ->
                FieldMap.of(
                        "id",
                        id,
                        "type",
                        "streak",
                        "status",
                        status,
                        "streakLength",
                        1 + random.nextInt(50),
                        "points",
                        points,
                        "userAttributes",
                        users);
            case "time" ->
                FieldMap.of(
                        "id",
                        id,
                        "type",
                        "time",
                        "status",
                        status,
                        "timeUnit",
                        pick("hours", "days"),
                        "timeInterval",
                        1 + random.nextInt(50),
                        "points",
                        points,
                        "userAttributes",
                        users);
            default ->
                FieldMap.of(
                        "id", id, "type", "user_creation", "status", status, "points", points, "userAttributes", users);
        };
    }

    /** Returns up to {@code max} entries and omits some keys, so that sources of other seeds remove and revive objects. */
    private FieldMap entries(String prefix, int max, Function<String, Object> value) {
        var keys = new ArrayList<String>();
        for (int i = 0; i < max; i++) {
            keys.add(prefix + i);
        }
        Collections.shuffle(keys, random);
        var entries = new LinkedHashMap<String, Object>();
        keys.subList(0, random.nextInt(max + 1)).forEach(key -> entries.put(key, value.apply(key)));
        return FieldMap.of(entries);
    }

    private FieldMap filters(FieldMap attributes) {
        return chosen(attributes, () -> pick("x", "y", ""));
    }

    private FieldMap thresholds(FieldMap metrics) {
        return chosen(metrics, this::amount);
    }

    private FieldMap bounds(FieldMap metrics) {
        return chosen(
                metrics, () -> FieldMap.of("min", maybe(new BigDecimal("0.10")), "max", maybe(new BigDecimal("1e3"))));
    }

    private FieldMap chosen(FieldMap from, Supplier<Object> value) {
        var chosen = new LinkedHashMap<String, Object>();
        from.names().stream().filter(_ -> random.nextBoolean()).forEach(key -> chosen.put(key, value.get()));
        return FieldMap.of(chosen);
    }

    private List<String> some(List<String> keys) {
        var shuffled = new ArrayList<>(keys);
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, 1 + random.nextInt(shuffled.size()));
    }

    private BigDecimal amount() {
        return new BigDecimal(pick("0.000000001", "1", "2.50", "1e12"));
    }

    private String key(FieldMap of) {
        return List.copyOf(of.names()).get(random.nextInt(of.size()));
    }

    private UUID id() {
        return random.nextInt(4) == 0 ? new UUID(random.nextLong(), random.nextLong()) : null;
    }

    private String name() {
        return maybe("Name " + random.nextInt(3));
    }

    private <T> T maybe(T value) {
        return random.nextBoolean() ? value : null;
    }

    private String pick(String... values) {
        return values[random.nextInt(values.length)];
    }
}
