package dev.laurel.delivery.throttle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.view.LeaderboardBodies;
import dev.laurel.delivery.throttle.RankDiff.FormerRank;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import dev.laurel.schemas.outbox.Outgoing.LeaderboardEvent;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.LeaderboardBody;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import dev.laurel.schemas.wire.UserBody;
import dev.laurel.schemas.wire.WebhookPayload;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes the webhook events of one leaderboard, with the bodies of docs/webhooks.md §2. Pure.
 *
 * @param rules the ruleset of the leaderboard
 */
record LeaderboardEvents(CompiledRuleset rules, LeaderboardRules board) {

    private static final int MAX_RANKED = 10;

    /** A group of a run. @param values empty on a leaderboard without breakdown */
    record RunGroup(LocalDate start, @Nullable LocalDate end, List<String> values) {}

    HookEvent started(LeaderboardEvent news, Effect.LeaderboardStarted fact) {
        var run = new RunGroup(fact.runStart(), fact.runEnd(), List.of());
        return event(
                news,
                WebhookEvent.LEADERBOARD_STARTED,
                new WebhookPayload.LeaderboardStarted(head(run, fact.at()).ranked(List.of())));
    }

    HookEvent finished(LeaderboardEvent news, Effect.LeaderboardFinished fact, Instant sentAt) {
        var run = new RunGroup(fact.runStart(), fact.runEnd(), valuesOf(fact.group()));
        List<RankingBody> best = fact.rankings().stream()
                .limit(MAX_RANKED)
                .map(place ->
                        new RankingBody(place.userId().value(), place.userName(), place.rank(), shown(place.value())))
                .toList();
        HookEvent event = event(
                news,
                WebhookEvent.LEADERBOARD_FINISHED,
                new WebhookPayload.LeaderboardFinished(head(run, fact.at()).ranked(best)));
        return Records.with(event, "at", sentAt);
    }

    static List<String> valuesOf(List<Effect.GroupValue> group) {
        return group.stream().map(Effect.GroupValue::value).toList();
    }

    /** @param ranking with exact values @param notifiedMs the time at which the previous change was sent: part of the id */
    HookEvent changed(RunGroup run, List<RankingBody> ranking, long notifiedMs, Instant now) {
        List<RankingBody> best = ranking.stream()
                .limit(MAX_RANKED)
                .map(place -> Records.with(place, "value", shown(place.value())))
                .toList();
        var payload = new WebhookPayload.LeaderboardChanged(head(run, now).ranked(best));
        return event(WebhookEvent.LEADERBOARD_CHANGED, null, notifiedMs, payload, now);
    }

    HookEvent rankChanged(RunGroup run, UserBody user, RankDiff.Change change, Instant now) {
        BigDecimal previousValue = change.previousValue();
        BigDecimal value = change.value();
        LeaderboardBody body = head(run, now)
                .moved(
                        change.previousRank(),
                        change.rank() == 0 ? null : change.rank(),
                        previousValue == null ? null : shown(previousValue),
                        value == null ? null : shown(value));
        long notifiedMs =
                change.before() == null ? FormerRank.NEVER : change.before().notifiedMs();
        return event(
                WebhookEvent.LEADERBOARD_RANK_CHANGED,
                user.id(),
                notifiedMs,
                new WebhookPayload.RankChanged(user, body),
                now);
    }

    private LeaderboardBody head(RunGroup run, Instant now) {
        return LeaderboardBodies.inRun(board, rules, run.start(), run.end(), run.values(), now);
    }

    private BigDecimal shown(BigDecimal value) {
        return LeaderboardBodies.shown(value, rules);
    }

    private HookEvent event(LeaderboardEvent news, WebhookEvent event, WebhookPayload payload) {
        return new HookEvent(
                news.id(), news.tenant(), news.at(), event, rules.hooks().wanting(event), null, Json.text(payload));
    }

    /**
     * The id is a hash of the body and of the time at which the previous event was sent. An event that is made again after a crash
     * has the same id; an event with other contents has another one.
     */
    private HookEvent event(
            WebhookEvent event, @Nullable String about, long notifiedMs, WebhookPayload payload, Instant now) {
        String body = Json.text(payload);
        var id = UUID.nameUUIDFromBytes(
                ("laurel-board-event/" + rules.document().tenant().value() + "/" + notifiedMs + "/" + body)
                        .getBytes(UTF_8));
        return new HookEvent(
                id, rules.document().tenant(), now, event, rules.hooks().wanting(event), about, body);
    }
}
