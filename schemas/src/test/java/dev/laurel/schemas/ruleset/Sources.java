package dev.laurel.schemas.ruleset;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.ruleset.RulesetSource.AchievementSource;
import dev.laurel.schemas.ruleset.RulesetSource.AttributeSource;
import dev.laurel.schemas.ruleset.RulesetSource.AttributesSource;
import dev.laurel.schemas.ruleset.RulesetSource.BoostSource;
import dev.laurel.schemas.ruleset.RulesetSource.BoundsSource;
import dev.laurel.schemas.ruleset.RulesetSource.ChannelsSource;
import dev.laurel.schemas.ruleset.RulesetSource.EmailSource;
import dev.laurel.schemas.ruleset.RulesetSource.LeaderboardSource;
import dev.laurel.schemas.ruleset.RulesetSource.LevelSource;
import dev.laurel.schemas.ruleset.RulesetSource.MetricSource;
import dev.laurel.schemas.ruleset.RulesetSource.NotificationsSource;
import dev.laurel.schemas.ruleset.RulesetSource.PointsSource;
import dev.laurel.schemas.ruleset.RulesetSource.BrandingSource;
import dev.laurel.schemas.ruleset.RulesetSource.RateLimitsSource;
import dev.laurel.schemas.ruleset.RulesetSource.SettingsSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakReminderSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakSource;
import dev.laurel.schemas.ruleset.RulesetSource.TemplateSource;
import dev.laurel.schemas.ruleset.RulesetSource.TextSource;
import dev.laurel.schemas.ruleset.RulesetSource.TimingSource;
import dev.laurel.schemas.ruleset.RulesetSource.TriggerSource;
import dev.laurel.schemas.ruleset.RulesetSource.WebhookSource;
import dev.laurel.schemas.ruleset.RulesetSource.WindowSource;
import dev.laurel.schemas.serde.Json;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;

/** Human forms of rulesets for tests. */
public final class Sources {

    /** Every field there is, each with another value than its default. */
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
              `faithful`: {`rankBy`: `streak`}, `olympia`: {`rankBy`: `metric`, `metric`: `laps`, `status`: `finished`,
                `start`: `2025-07-01`, `end`: `2025-07-31`}},
             `settings`: {`controlRatio`: 10, `defaultTimeZone`: `Europe/Helsinki`, `weekStartsOn`: `monday`,
               `integerLeaderboardValues`: true, `messageTimeZone`: `Europe/Paris`, `applicationKeysEnabled`: false,
               `rateLimits`: {`tier1`: 5, `tier2`: 50}, `branding`: {`appName`: `Pool`, `appUrl`: `https://pool.example`,
               `logoUrl`: `https://pool.example/logo.png`, `brandColor`: `#1a2B3c`, `font`: `Inter, sans-serif`}},
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
                `replyTo`: `help@pool.example`}}}}"""
            .replace('`', '"');

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
     * Some valid source; the same for the same seed.
     *
     * @param mayLock whether achievements may be locked, which new ones cannot be
     */
    public static RulesetSource random(long seed, boolean mayLock) {
        return new Sources(new Random(seed)).source(mayLock);
    }

    private RulesetSource source(boolean mayLock) {
        Map<String, MetricSource> metrics = entries("m", 4, _ -> new MetricSource(id(), name(), null, maybe("km")));
        var attributes = new AttributesSource(entries("u", 3, _ -> new AttributeSource(id(), name())),
                entries("e", 3, _ -> new AttributeSource(id(), name())));
        var achievements = new LinkedHashMap<String, AchievementSource>();
        entries("a", 6, key -> {
            achievements.put(key, achievement(metrics, attributes, List.copyOf(achievements.keySet()), mayLock));
            return key;
        });
        Map<String, PointsSource> points = entries("p", 2, _ -> system(metrics, attributes, achievements));
        var streak = new StreakSource(maybe(false), maybe(pick("daily", "weekly", "monthly")),
                maybe(pick("AND", "OR", "ALL")), thresholds(metrics), maybe(random.nextBoolean()),
                maybe(random.nextInt(101)), maybe(1 + random.nextInt(100)), null, null,
                maybe(random.nextBoolean()), bounds(metrics));
        Map<String, LeaderboardSource> boards = entries("b", 2, _ -> leaderboard(metrics, attributes, points));
        return new RulesetSource(metrics, attributes, achievements, points, maybe(streak), boards,
                maybe(new SettingsSource(maybe(random.nextInt(101)), maybe(pick("UTC", "Asia/Tokyo")),
                        maybe(pick("sunday", "monday")), maybe(random.nextBoolean()),
                        maybe(pick("UTC", "Asia/Tokyo")), maybe(random.nextBoolean()),
                        maybe(new RateLimitsSource(maybe(1 + random.nextInt(100)), maybe(1 + random.nextInt(100)))),
                        maybe(new BrandingSource(maybe(name()), maybe("https://pool.example"), null, maybe("#00fF99"),
                                maybe("Inter"))))),
                entries("w", 3, _ -> new WebhookSource(id(), name(), "https://a.example/" + random.nextInt(3),
                        some(WebhookEvent.types()), maybe(pick("active", "inactive")))),
                maybe(new NotificationsSource(templates(attributes), maybe(timing()), maybe(new ChannelsSource(
                        maybe(new EmailSource(maybe("a@b.example"), name(), maybe("c@d.example"))))))));
    }

    /** At most one of them is active for each channel. */
    private Map<String, TemplateSource> templates(AttributesSource attributes) {
        var active = new HashSet<String>();
        return entries("t", 4, _ -> {
            String channel = pick("email", "push");
            boolean isEmail = channel.equals("email");
            String status = active.add(channel) ? maybe("active") : "inactive";
            String heading = pick("{{user.name}}!", "Hello");
            var variation = new TextSource(isEmail ? heading : null, isEmail ? null : heading, "Other");
            return new TemplateSource(id(), name(),
                    pick("achievement_completed", "recap", "reactivation", "streak_reminder"), channel, status,
                    isEmail ? heading : null, isEmail ? null : heading, "Body", filters(attributes.user()),
                    maybe(List.of(variation)));
        });
    }

    private TimingSource timing() {
        return new TimingSource(maybe(pick("daily", "weekly", "monthly", "yearly")), maybe(List.of(1, 1000)),
                maybe(new StreakReminderSource(maybe(1 + random.nextInt(23)), maybe(pick("monday", "friday")),
                        maybe(pick("00:00", "09:00", "12:34:56")), maybe(1 + random.nextInt(31)),
                        maybe(pick("09:00", "23:59")))),
                maybe(new WindowSource(maybe(pick("17:00", "08:00")), maybe(pick("21:00", "23:59:59")))),
                maybe(Map.of(pick("recap", "reactivation"), random.nextBoolean())));
    }

    /** Its dates suit every status in 2026, which some active ones leave within the year. */
    private LeaderboardSource leaderboard(Map<String, MetricSource> metrics, AttributesSource attributes,
            Map<String, PointsSource> points) {
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
        return new LeaderboardSource(id(), name(), maybe("text"), status, kind,
                kind.equals("metric") ? key(metrics) : null, kind.equals("points") ? key(points) : null,
                maybe(1 + random.nextInt(1000)), isAhead || isOver ? start.toString() : maybe(start.toString()),
                end == null || end.isBefore(start) ? null : end.toString(),
                isStreak ? null : maybe(pick("00:00", "09:30")), isStreak ? null : maybe(pick("09:30:01", "23:59")),
                maybe(List.copyOf(filters(attributes.user()).keySet())),
                isRepeating ? pick("day", "month", "year") : null, isRepeating ? 1 + random.nextInt(100) : null);
    }

    private AchievementSource achievement(Map<String, MetricSource> metrics, AttributesSource attributes,
            List<String> others, boolean mayLock) {
        UUID id = id();
        String name = name();
        String text = maybe("text");
        String badge = maybe("https://example.net/b.png");
        String status = maybe(mayLock ? pick("active", "locked") : pick("active", "inactive"));
        Map<String, String> users = filters(attributes.user());
        Boolean backdate = maybe(random.nextBoolean());
        var kinds = new ArrayList<>(List.of("streak", "api"));
        if (!metrics.isEmpty()) {
            kinds.add("metric");
        }
        if (!others.isEmpty()) {
            kinds.add("achievement");
        }
        return switch (kinds.get(random.nextInt(kinds.size()))) {
            case "metric" -> new AchievementSource(id, name, text, badge, "metric", status,
                    key(metrics), amount(), null, null, users, filters(attributes.event()), backdate);
            case "streak" -> new AchievementSource(id, name, text, badge, "streak", status, null, null,
                    1 + random.nextInt(100_000), null, users, null, backdate);
            case "achievement" -> new AchievementSource(id, name, text, badge, "achievement", status, null,
                    null, null, some(others), users, null, backdate);
            default -> new AchievementSource(id, name, text, badge, "api", status, null, null, null, null, users, null,
                    backdate);
        };
    }

    private PointsSource system(Map<String, MetricSource> metrics, AttributesSource attributes,
            Map<String, AchievementSource> achievements) {
        var thresholds = new ArrayList<>(List.of(0L, 1L, 50L, 1_000_000_000_000L));
        Collections.shuffle(thresholds, random);
        Map<String, LevelSource> levels = entries("l", thresholds.size(),
                _ -> new LevelSource(id(), name(), maybe("text"), null, thresholds.removeLast()));
        Map<String, BoostSource> boosts = entries("b", 3, _ -> boost(attributes));
        return new PointsSource(id(), name(), maybe(""), null, maybe(1 + random.nextLong(1000)),
                maybe(pick("exceeds", "reaches")), levels, boosts,
                entries("t", 6, _ -> trigger(metrics, attributes, achievements)));
    }

    private BoostSource boost(AttributesSource attributes) {
        LocalDate start = LocalDate.of(2026, 2, 27).plusDays(random.nextInt(5));
        return new BoostSource(id(), name(), start.toString(), maybe(start.plusDays(random.nextInt(3)).toString()),
                new BigDecimal(pick("0.000000001", "1.50", "2", "99.999999999")),
                maybe(pick("down", "up", "nearest")), filters(attributes.user()));
    }

    private TriggerSource trigger(Map<String, MetricSource> metrics, AttributesSource attributes,
            Map<String, AchievementSource> achievements) {
        UUID id = id();
        String status = maybe(pick("active", "inactive"));
        long points = random.nextBoolean() ? 1 + random.nextLong(100) : -1 - random.nextLong(100);
        Map<String, String> users = filters(attributes.user());
        var types = new ArrayList<>(List.of("streak", "time", "user_creation"));
        if (!metrics.isEmpty()) {
            types.add("metric");
        }
        if (!achievements.isEmpty()) {
            types.add("achievement");
        }
        return switch (types.get(random.nextInt(types.size()))) {
            case "metric" -> new TriggerSource(id, "metric", status, key(metrics),
                    1 + random.nextLong(20), filters(attributes.event()), maybe(random.nextBoolean()), null, null, null,
                    null, points, users);
            case "achievement" -> new TriggerSource(id, "achievement", status, null, null, null, null,
                    key(achievements), null, null, null, points, users);
            case "streak" ->
                new TriggerSource(id, "streak", status, null, null, null, null, null, 1 + random.nextInt(50),
                        null, null, points, users);
            case "time" ->
                new TriggerSource(id, "time", status, null, null, null, null, null, null, pick("hours", "days"),
                        1 + random.nextInt(50), points, users);
            default -> new TriggerSource(id, "user_creation", status, null, null, null, null, null, null, null, null,
                    points, users);
        };
    }

    /** Up to {@code max} entries, some of their keys left out so that sources of other seeds take out and bring back. */
    private <V> Map<String, V> entries(String prefix, int max, java.util.function.Function<String, V> value) {
        var keys = new ArrayList<String>();
        for (int i = 0; i < max; i++) {
            keys.add(prefix + i);
        }
        Collections.shuffle(keys, random);
        var entries = new LinkedHashMap<String, V>();
        keys.subList(0, random.nextInt(max + 1)).forEach(key -> entries.put(key, value.apply(key)));
        return entries;
    }

    private Map<String, String> filters(Map<String, AttributeSource> attributes) {
        return chosen(attributes, () -> pick("x", "y", ""));
    }

    private Map<String, BigDecimal> thresholds(Map<String, MetricSource> metrics) {
        return chosen(metrics, this::amount);
    }

    private Map<String, BoundsSource> bounds(Map<String, MetricSource> metrics) {
        return chosen(metrics, () -> new BoundsSource(maybe(new BigDecimal("0.10")), maybe(new BigDecimal("1e3"))));
    }

    private <V> Map<String, V> chosen(Map<String, ?> from, Supplier<V> value) {
        var chosen = new LinkedHashMap<String, V>();
        from.keySet().stream().filter(_ -> random.nextBoolean()).forEach(key -> chosen.put(key, value.get()));
        return chosen;
    }

    private List<String> some(List<String> keys) {
        var shuffled = new ArrayList<>(keys);
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, 1 + random.nextInt(shuffled.size()));
    }

    private BigDecimal amount() {
        return new BigDecimal(pick("0.000000001", "1", "2.50", "1e12"));
    }

    private String key(Map<String, ?> of) {
        return List.copyOf(of.keySet()).get(random.nextInt(of.size()));
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
