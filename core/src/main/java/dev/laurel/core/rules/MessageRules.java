package dev.laurel.core.rules;

import dev.laurel.core.rules.CalendarYear.Span;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.Notifications.RecapPeriod;
import dev.laurel.schemas.ruleset.Notifications.StreakReminder;
import dev.laurel.schemas.ruleset.Notifications.Timing;
import dev.laurel.schemas.ruleset.Notifications.Window;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.Webhook;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rules of messages: their types, due times and templates (docs/admin-api.md B4). Immutable.
 */
public final class MessageRules {

    private final Timing timing;
    private final ZoneId zone;
    private final RecapPeriods recapPeriods;
    private final Map<NotificationType, Map<NotificationChannel, List<Template>>> active =
            new EnumMap<>(NotificationType.class);
    private final Map<UUID, Template> templates = new HashMap<>();
    private final Set<NotificationType> toWebhooks = EnumSet.noneOf(NotificationType.class);
    private final Set<NotificationType> wanted = EnumSet.noneOf(NotificationType.class);

    MessageRules(Ruleset document, WebhookRules hooks) {
        this.timing = document.notifications().timing();
        this.zone = document.settings().messageTimeZone();
        this.recapPeriods =
                new RecapPeriods(timing.recapPeriod(), document.settings().weekStartsOn());
        for (Template template : document.notifications().templates()) {
            templates.put(template.id(), template);
        }
        for (NotificationType type : NotificationType.values()) {
            if (!timing.isEnabled(type)) {
                continue;
            }
            Map<NotificationChannel, List<Template>> byChannel = activeOf(type, document);
            if (!byChannel.isEmpty()) {
                active.put(type, byChannel);
                wanted.add(type);
            }
            if (hooks.want(eventOf(type))) {
                toWebhooks.add(type);
                wanted.add(type);
            }
        }
    }

    /** The active templates of a type. Those without filters come last: they are for all other users. */
    private static Map<NotificationChannel, List<Template>> activeOf(NotificationType type, Ruleset document) {
        var byChannel = new EnumMap<NotificationChannel, List<Template>>(NotificationChannel.class);
        for (NotificationChannel channel : NotificationChannel.values()) {
            List<Template> found = document.notifications().templates().stream()
                    .filter(template -> template.active() && template.type() == type && template.channel() == channel)
                    .sorted(Comparator.comparing(
                            template -> template.userAttributes().isEmpty()))
                    .toList();
            if (!found.isEmpty()) {
                byChannel.put(channel, found);
            }
        }
        return byChannel;
    }

    /** The webhook event about a due message. */
    public static WebhookEvent eventOf(NotificationType type) {
        return switch (type) {
            case ACHIEVEMENT_COMPLETED -> WebhookEvent.EMAILS_ACHIEVEMENT_DUE;
            case RECAP -> WebhookEvent.EMAILS_RECAP_DUE;
            case REACTIVATION -> WebhookEvent.EMAILS_REACTIVATION_DUE;
            case STREAK_REMINDER -> WebhookEvent.EMAILS_STREAK_REMINDER_DUE;
        };
    }

    /** Whether any messages are wanted. If not, no message state changes. */
    public boolean wantAny() {
        return !wanted.isEmpty();
    }

    /** Whether messages of this type are switched on, and an active template or a webhook needs them. */
    public boolean want(NotificationType type) {
        return wanted.contains(type);
    }

    /** Whether messages of this type are switched on and a webhook subscribes to them. */
    public boolean notifyWebhooks(NotificationType type) {
        return toWebhooks.contains(type);
    }

    /** The active templates: those with filters, then those without, each in ruleset order. */
    public List<Template> active(NotificationType type, NotificationChannel channel) {
        return active.getOrDefault(type, Map.of()).getOrDefault(channel, List.of());
    }

    /** A template of any status. */
    public @Nullable Template template(UUID id) {
        return templates.get(id);
    }

    /** The zone by which a user's messages are due. */
    public ZoneId zoneOf(@Nullable ZoneId userZone) {
        return userZone == null ? zone : userZone;
    }

    public RecapPeriods recapPeriods() {
        return recapPeriods;
    }

    /** Numbers of days after the last event, ascending. */
    public List<Integer> reactivationDays() {
        return timing.reactivationDays();
    }

    public StreakReminder streakReminder() {
        return timing.streakReminder();
    }

    public Window achievementWindow() {
        return timing.achievementWindow();
    }

    /** Whether messages of a type are due at the same times by both rules, for users with the same zone. */
    public boolean haveTimesOf(MessageRules others, NotificationType type) {
        return switch (type) {
            case ACHIEVEMENT_COMPLETED ->
                zone.equals(others.zone) && timing.achievementWindow().equals(others.timing.achievementWindow());
            case RECAP -> zone.equals(others.zone) && recapPeriods.equals(others.recapPeriods);
            case REACTIVATION -> timing.reactivationDays().equals(others.timing.reactivationDays());
            case STREAK_REMINDER ->
                zone.equals(others.zone) && timing.streakReminder().equals(others.timing.streakReminder());
        };
    }

    /** Whether both want the same types of messages, at the same times. */
    boolean areDueLike(MessageRules others) {
        return this == others
                || wanted.equals(others.wanted)
                        && zone.equals(others.zone)
                        && Arrays.stream(NotificationType.values()).allMatch(type -> haveTimesOf(others, type));
    }

    /** Whether these rules may make a message to an inactive user due that the former rules do not. */
    boolean concernInactiveUsers(MessageRules former) {
        return wanted.stream().anyMatch(type -> !former.want(type) || !haveTimesOf(former, type));
    }

    /** The calendar periods of recaps (docs/admin-api.md B4 {@code recapPeriod}). Days are epoch days. */
    public record RecapPeriods(RecapPeriod period, DayOfWeek weekStart) {

        /** Normalizes the first day of the week, which matters for weeks only. */
        public RecapPeriods {
            if (period != RecapPeriod.WEEKLY) {
                weekStart = DayOfWeek.SUNDAY;
            }
        }

        public Span of(int day) {
            return switch (period) {
                case DAILY -> new Span(day, day);
                case WEEKLY -> of(new Periods(StreakFrequency.WEEKLY, weekStart), day);
                case MONTHLY -> of(new Periods(StreakFrequency.MONTHLY, weekStart), day);
                case YEARLY -> new CalendarYear(LocalDate.ofEpochDay(day).getYear(), weekStart).whole();
            };
        }

        private static Span of(Periods periods, int day) {
            int number = periods.of(day);
            return new Span(periods.firstDay(number), periods.lastDay(number));
        }
    }

    /** The active webhooks by the events to which they subscribe. */
    public static final class WebhookRules {

        private final Map<WebhookEvent, List<UUID>> webhooks = new EnumMap<>(WebhookEvent.class);

        WebhookRules(List<Webhook> all) {
            for (Webhook webhook : all) {
                if (webhook.active()) {
                    webhook.events()
                            .forEach(event -> webhooks.computeIfAbsent(event, _ -> new ArrayList<>())
                                    .add(webhook.id()));
                }
            }
            webhooks.replaceAll((_, ids) -> List.copyOf(ids));
        }

        public boolean want(WebhookEvent event) {
            return webhooks.containsKey(event);
        }

        /** The webhooks that subscribe to an event, in ruleset order. */
        public List<UUID> wanting(WebhookEvent event) {
            return webhooks.getOrDefault(event, List.of());
        }
    }
}
