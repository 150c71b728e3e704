package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.Sender;
import dev.laurel.schemas.ruleset.Notifications.StreakReminder;
import dev.laurel.schemas.ruleset.Notifications.Timing;
import dev.laurel.schemas.ruleset.Notifications.Window;
import dev.laurel.schemas.ruleset.RulesetSource.ChannelsSource;
import dev.laurel.schemas.ruleset.RulesetSource.EmailSource;
import dev.laurel.schemas.ruleset.RulesetSource.NotificationsSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakReminderSource;
import dev.laurel.schemas.ruleset.RulesetSource.TemplateSource;
import dev.laurel.schemas.ruleset.RulesetSource.TextSource;
import dev.laurel.schemas.ruleset.RulesetSource.TimingSource;
import dev.laurel.schemas.ruleset.RulesetSource.WebhookSource;
import dev.laurel.schemas.ruleset.RulesetSource.WindowSource;
import java.time.LocalTime;
import java.util.LinkedHashMap;
import java.util.List;

import static dev.laurel.schemas.ruleset.IssueList.word;
import static dev.laurel.schemas.ruleset.RulesetExport.unless;
import static dev.laurel.schemas.ruleset.RulesetExport.values;

/** The part of {@link RulesetExport} that is about webhooks and notifications. */
final class MessageExport {

    private MessageExport() {}

    static WebhookSource webhook(Webhook webhook) {
        return new WebhookSource(webhook.id(), unless(webhook.key(), webhook.name()), webhook.url(),
                webhook.events().stream().map(WebhookEvent::type).toList(), status(webhook.active()));
    }

    static NotificationsSource notifications(Notifications notifications) {
        var templates = new LinkedHashMap<String, TemplateSource>();
        notifications.templates().forEach(t -> templates.put(t.key(), template(t)));
        return new NotificationsSource(templates, timing(notifications.timing()), channels(notifications.sender()));
    }

    private static TemplateSource template(Template template) {
        boolean isEmail = template.channel() == NotificationChannel.EMAIL;
        TextSource text = text(template.text(), isEmail);
        List<TextSource> variations = template.variations().stream().map(v -> text(v, isEmail)).toList();
        return new TemplateSource(template.id(), unless(template.key(), template.name()), word(template.type()),
                word(template.channel()), status(template.active()), text.subject(), text.title(), text.body(),
                values(template.userAttributes()), unless(List.of(), variations));
    }

    private static TextSource text(Template.Text text, boolean isEmail) {
        return new TextSource(isEmail ? text.heading() : null, isEmail ? null : text.heading(), text.body());
    }

    private static String status(boolean isActive) {
        return isActive ? null : "inactive";
    }

    private static TimingSource timing(Timing timing) {
        Timing usual = Timing.DEFAULT;
        if (timing.equals(usual)) {
            return null;
        }
        var enabled = new LinkedHashMap<String, Boolean>();
        timing.enabled().forEach((type, isOn) -> enabled.put(word(type), isOn));
        return new TimingSource(wordUnless(usual.recapPeriod(), timing.recapPeriod()),
                unless(usual.reactivationDays(), timing.reactivationDays()), streakReminder(timing.streakReminder()),
                window(timing.achievementWindow()), enabled);
    }

    private static StreakReminderSource streakReminder(StreakReminder reminder) {
        StreakReminder usual = Timing.DEFAULT.streakReminder();
        if (reminder.equals(usual)) {
            return null;
        }
        return new StreakReminderSource(unless(usual.dailyHoursBefore(), reminder.dailyHoursBefore()),
                wordUnless(usual.weeklyDay(), reminder.weeklyDay()),
                textUnless(usual.weeklyTime(), reminder.weeklyTime()),
                unless(usual.monthlyDay(), reminder.monthlyDay()),
                textUnless(usual.monthlyTime(), reminder.monthlyTime()));
    }

    private static WindowSource window(Window window) {
        Window usual = Timing.DEFAULT.achievementWindow();
        return window.equals(usual)
                ? null
                : new WindowSource(textUnless(usual.from(), window.from()), textUnless(usual.to(), window.to()));
    }

    private static ChannelsSource channels(Sender sender) {
        return sender.equals(Sender.NONE)
                ? null
                : new ChannelsSource(new EmailSource(sender.from(), sender.fromName(), sender.replyTo()));
    }

    private static String wordUnless(Enum<?> usual, Enum<?> constant) {
        return constant == usual ? null : word(constant);
    }

    private static String textUnless(LocalTime usual, LocalTime time) {
        return time.equals(usual) ? null : time.toString();
    }
}
