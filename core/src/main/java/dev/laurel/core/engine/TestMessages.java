package dev.laurel.core.engine;

import dev.laurel.core.rules.CalendarYear.Span;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.rules.MessageRules.RecapPeriods;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.MessageState.SentMessage.CountedMessage;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.MessageBodies;
import dev.laurel.core.view.MessageBodies.MessageSubject;
import dev.laurel.schemas.command.Command.TestMessage;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Template;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends messages by which operators test a template (docs/admin-api.md B4 "test"). They change no state. */
final class TestMessages {

    private TestMessages() {}

    /** @param now the user at the time of the command */
    static Outcome send(
            UserState now, CompiledRuleset rules, TestMessage test, CommandContext context, UserHistory history) {
        Template template = rules.messages().template(test.template());
        if (template == null) {
            return new Outcome.Refused(Refusal.unknownTemplate());
        }
        if (!MessageDecision.hasAddress(template.channel(), now.profile())) {
            return new Outcome.Refused(
                    switch (template.channel()) {
                        case EMAIL -> Refusal.invalid("The user has no email: there is no address to write to.");
                        case PUSH -> Refusal.invalid("The user has no deviceTokens: there is no device to push to.");
                    });
        }
        MessageSubject subject = subject(template, now, rules, context.atMs());
        if (subject == null) {
            return new Outcome.Refused(Refusal.invalid(
                    "There is no achievement that the message could be about: the user has completed none, and none is "
                            + "active."));
        }
        var copy = new MessageCopy(
                template.channel(), template.id(), MessageDecision.variation(template, context.user(), context.atMs()));
        var notice = new Notice.ForUser(
                Instant.ofEpochMilli(context.atMs()),
                template.type(),
                rules.version(),
                List.of(copy),
                MessageBodies.message(subject, now, rules, history, context.atMs()),
                CountedMessage.of(List.of(copy), context.atMs(), rules));
        return new Outcome.Notified(now, List.of(notice), new Outcome.MessageQueued());
    }

    /** The most recent possible subject of a message of this type, if any. */
    private static @Nullable MessageSubject subject(
            Template template, UserState now, CompiledRuleset rules, long atMs) {
        return switch (template.type()) {
            case ACHIEVEMENT_COMPLETED -> {
                Achievement newest = newestAchievement(now, rules);
                yield newest == null ? null : new MessageSubject.Completion(newest);
            }
            case RECAP -> {
                RecapPeriods periods = rules.messages().recapPeriods();
                Span present = periods.of(LocalDays.dayOf(
                        atMs, rules.messages().zoneOf(now.profile().tz())));
                yield new MessageSubject.Recap(periods.of(present.first() - 1));
            }
            case REACTIVATION -> {
                boolean isActive = now.lastEventMs() == UserState.NO_EVENT || now.lastEventMs() > atMs;
                yield new MessageSubject.Reactivation(
                        1, isActive ? 0 : Math.toIntExact((atMs - now.lastEventMs()) / LocalDays.MS_PER_DAY));
            }
            case STREAK_REMINDER -> new MessageSubject.StreakReminder();
        };
    }

    /** The achievement that was completed last, else one that can be completed, if any. */
    private static @Nullable Achievement newestAchievement(UserState now, CompiledRuleset rules) {
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
