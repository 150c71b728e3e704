package dev.laurel.processors.core.user;

import dev.laurel.processors.core.message.MessageDecision;
import dev.laurel.processors.core.message.MessageSubject;
import dev.laurel.processors.core.notice.Notice;
import dev.laurel.processors.core.rules.CalendarYear.Span;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.rules.RecapPeriods;
import dev.laurel.processors.core.view.Bodies;
import dev.laurel.processors.core.view.MessageBodies;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.TestMessage;
import dev.laurel.schemas.outbox.MessageCopy;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Template;
import java.time.Instant;
import java.util.List;

/** Messages that operators send to look at a template (admin-api.md B4 "test"). They change nothing. */
final class MessageTrial {

    private MessageTrial() {}

    /** @param before null if there is no such user */
    static Outcome send(UserState before, CompiledRuleset rules, TestMessage test, CommandContext context,
            UserHistory history) {
        if (before == null) {
            return new Outcome.Refused(Refusal.userDoesNotExist());
        }
        Template template = rules.messages().template(test.template());
        if (template == null) {
            return new Outcome.Refused(Refusal.unknownTemplate());
        }
        if (!MessageDecision.hasAddress(template.channel(), before.profile())) {
            return new Outcome.Refused(switch (template.channel()) {
                case EMAIL -> Refusal.noEmail();
                case PUSH -> Refusal.noDeviceTokens();
            });
        }
        UserEngine.Advanced now = UserEngine.advance(context.user(), before, rules, history, context.atMs());
        MessageSubject subject = subject(template, now.state(), rules, context.atMs());
        if (subject == null) {
            return new Outcome.Refused(Refusal.noAchievementToShow());
        }
        var copy = new MessageCopy(template.channel(), template.id(),
                MessageDecision.variation(template, context.user(), context.atMs()));
        var notice = new Notice.ForUser(Instant.ofEpochMilli(context.atMs()), template.type(), rules.version(),
                List.of(copy), MessageBodies.facts(subject, now.state(), rules,
                        new HistoryDraft(history, now.writes()), context.atMs()));
        return new Outcome.Told(now.state(), List.of(notice), new Outcome.MessageQueued());
    }

    /** What the user could be written of that is nearest to the present; null if there is nothing. */
    private static MessageSubject subject(Template template, UserState now, CompiledRuleset rules, long atMs) {
        return switch (template.type()) {
            case ACHIEVEMENT_COMPLETED -> {
                Achievement newest = newestAchievement(now, rules);
                yield newest == null ? null : new MessageSubject.Completion(newest);
            }
            case RECAP -> {
                RecapPeriods periods = rules.messages().recapPeriods();
                Span present = periods.of(LocalDays.dayOf(atMs, rules.messages().zoneOf(now.profile().tz())));
                yield new MessageSubject.Recap(periods.of(present.first() - 1));
            }
            case REACTIVATION -> {
                boolean isActive = now.lastEventMs() == UserState.NO_EVENT || now.lastEventMs() > atMs;
                yield new MessageSubject.Reactivation(1,
                        isActive ? 0 : Math.toIntExact((atMs - now.lastEventMs()) / LocalDays.MS_PER_DAY));
            }
            case STREAK_REMINDER -> new MessageSubject.StreakReminder();
        };
    }

    /** The one that was completed last, or one that could be. */
    private static Achievement newestAchievement(UserState now, CompiledRuleset rules) {
        Achievement newest = null;
        long newestMs = Long.MIN_VALUE;
        for (Achievement achievement : rules.document().achievements()) {
            if (!Bodies.isVisible(now, achievement)) {
                continue;
            }
            Long completedMs = now.completions().get(achievement.number());
            if (newest == null || completedMs != null && completedMs > newestMs) {
                newest = achievement;
                newestMs = completedMs == null ? Long.MIN_VALUE : completedMs;
            }
        }
        return newest;
    }
}
