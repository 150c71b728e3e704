package dev.laurel.schemas.admin;

import dev.laurel.schemas.ruleset.AttributeType;
import dev.laurel.schemas.ruleset.Origin;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetExport;
import dev.laurel.schemas.ruleset.RulesetSource;
import dev.laurel.schemas.ruleset.RulesetSource.AchievementSource;
import dev.laurel.schemas.ruleset.RulesetSource.AttributeSource;
import dev.laurel.schemas.ruleset.RulesetSource.AttributesSource;
import dev.laurel.schemas.ruleset.RulesetSource.ChannelsSource;
import dev.laurel.schemas.ruleset.RulesetSource.LeaderboardSource;
import dev.laurel.schemas.ruleset.RulesetSource.MetricSource;
import dev.laurel.schemas.ruleset.RulesetSource.NotificationsSource;
import dev.laurel.schemas.ruleset.RulesetSource.PointsSource;
import dev.laurel.schemas.ruleset.RulesetSource.SettingsSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakSource;
import dev.laurel.schemas.ruleset.RulesetSource.TriggerSource;
import dev.laurel.schemas.ruleset.RulesetSource.TemplateSource;
import dev.laurel.schemas.ruleset.RulesetSource.TimingSource;
import dev.laurel.schemas.ruleset.RulesetSource.WebhookSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * The human form of a ruleset while an edit changes it: every object has its id, new ones come last. Belongs to one edit.
 */
final class SourceDraft {

    /** What is edited. */
    final Ruleset base;

    final Map<String, MetricSource> metrics;
    final Map<String, AttributeSource> userAttributes;
    final Map<String, AttributeSource> eventAttributes;
    final Map<String, AchievementSource> achievements;
    final Map<String, PointsSource> points;
    final Map<String, LeaderboardSource> leaderboards;
    final Map<String, WebhookSource> webhooks;
    final Map<String, TemplateSource> templates;
    final List<Origin> origins;

    /** Where the parts of the object stand that is being created, if it brings some along. */
    final List<Place> parts = new ArrayList<>();

    /** The time of the edit. */
    final Instant now;

    StreakSource streak;
    SettingsSource settings;
    TimingSource timing;
    ChannelsSource channels;

    private SourceDraft(Ruleset base, RulesetSource source, List<Origin> origins, Instant now) {
        this.base = base;
        this.metrics = new LinkedHashMap<>(source.metrics());
        this.userAttributes = new LinkedHashMap<>(source.attributes().user());
        this.eventAttributes = new LinkedHashMap<>(source.attributes().event());
        this.achievements = new LinkedHashMap<>(source.achievements());
        this.points = new LinkedHashMap<>(source.points());
        this.leaderboards = new LinkedHashMap<>(source.leaderboards());
        this.webhooks = new LinkedHashMap<>(source.webhooks());
        this.templates = new LinkedHashMap<>(source.notifications().templates());
        this.streak = source.streak();
        this.settings = source.settings();
        this.timing = source.notifications().settings();
        this.channels = source.notifications().channels();
        this.origins = new ArrayList<>(origins);
        this.now = now;
    }

    static SourceDraft of(Ruleset ruleset, Instant now) {
        return new SourceDraft(ruleset, RulesetExport.sourceOf(ruleset, now), List.of(), now);
    }

    SourceDraft copy() {
        return new SourceDraft(base, toSource(), origins, now);
    }

    RulesetSource toSource() {
        return new RulesetSource(metrics, new AttributesSource(userAttributes, eventAttributes), achievements, points,
                streak, leaderboards, settings, webhooks, new NotificationsSource(templates, timing, channels));
    }

    /** The object is a new one, whatever once had its key. @param system the points system it belongs to, null if none */
    void addFresh(String kind, String system, String key) {
        origins.add(new Origin.Fresh(kind, system == null ? key : system + "/" + key));
    }

    Map<String, AttributeSource> attributes(AttributeType type) {
        return type == AttributeType.USER ? userAttributes : eventAttributes;
    }

    /** The key of the entry with this id, null if there is none. */
    static <V> String keyOf(Map<String, V> entries, UUID id, Function<V, UUID> idOf) {
        for (Map.Entry<String, V> entry : entries.entrySet()) {
            if (idOf.apply(entry.getValue()).equals(id)) {
                return entry.getKey();
            }
        }
        return null;
    }

    String metricKey(UUID id) {
        return keyOf(metrics, id, MetricSource::id);
    }

    String achievementKey(UUID id) {
        return keyOf(achievements, id, AchievementSource::id);
    }

    String pointsKey(UUID id) {
        return keyOf(points, id, PointsSource::id);
    }

    String webhookKey(UUID id) {
        return keyOf(webhooks, id, WebhookSource::id);
    }

    String templateKey(UUID id) {
        return keyOf(templates, id, TemplateSource::id);
    }

    String leaderboardKey(UUID id) {
        return keyOf(leaderboards, id, LeaderboardSource::id);
    }

    String attributeKey(AttributeType type, UUID id) {
        return keyOf(attributes(type), id, AttributeSource::id);
    }

    /** Puts an entry under another key, at the place it had. */
    static <V> void rename(Map<String, V> entries, String from, String to) {
        var renamed = new LinkedHashMap<String, V>();
        entries.forEach((key, value) -> renamed.put(key.equals(from) ? to : key, value));
        entries.clear();
        entries.putAll(renamed);
    }

    /** Likewise, in everything that refers to it too. */
    void renameAchievement(String from, String to) {
        rename(achievements, from, to);
        achievements.replaceAll((_, a) -> a.achievements() == null || !a.achievements().contains(from)
                ? a
                : new AchievementSource(a.id(), a.name(), a.description(), a.badgeUrl(), a.trigger(), a.status(),
                        a.metric(), a.value(), a.streakLength(),
                        a.achievements().stream().map(key -> from.equals(key) ? to : key).toList(), a.userAttributes(),
                        a.eventAttributes(), a.backdate()));
        points.replaceAll((_, s) -> {
            var triggers = new LinkedHashMap<>(s.triggers());
            triggers.replaceAll((_, t) -> from.equals(t.achievement())
                    ? new TriggerSource(t.id(), t.type(), t.status(), t.metric(), t.threshold(), t.eventAttributes(),
                            t.blockIfOutOfPoints(), to, t.streakLength(), t.timeUnit(), t.timeInterval(), t.points(),
                            t.userAttributes())
                    : t);
            return s.withTriggers(triggers);
        });
    }
}
