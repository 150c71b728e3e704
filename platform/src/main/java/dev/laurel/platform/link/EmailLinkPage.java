package dev.laurel.platform.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.command.LocalFiles;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.RateLimits;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.Settings.Branding;
import dev.laurel.schemas.template.TextTemplate;
import dev.laurel.schemas.template.TextTemplate.UnrenderableException;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.TimeMeter;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pages behind the links of emails (docs/admin-api.md B4), with the operator's branding: a form with all notifications of a user,
 * and short messages. They do not name the user and contain no scripts. Other sites do not receive the address, because it authorizes
 * to change the notifications.
 */
public enum EmailLinkPage {

    /** The user of the link gets no more emails. */
    UNSUBSCRIBED("You are unsubscribed", "You will get no more emails"),
    /** The change is stored, and its result is not known yet. */
    STORED("Your notifications", "Your change is stored and will take effect in a moment."),
    /** The change cannot be stored now. */
    LATER("Please try again", "It could not be stored just now: nothing has changed."),
    /** The token belongs to no user. */
    UNKNOWN("This link does not work", "It may have been cut off in the email: please copy all of it.");

    /** The fields of the form: those of a type have the channels as values. */
    public static final String ACTION = "action";

    public static final String SAVE = "save";
    public static final String OFF = "off";

    /** The parameter of an address that says that a change has been stored. */
    public static final String SAVED = "saved";

    /** What one user changes by links in a minute. */
    public static final int CHANGES = 5;

    /** How often one user opens the page in a minute, which each change does, too. */
    public static final int VIEWS = 30;

    private static final int TOTAL_BURST = 1_000;
    private static final int TOTAL_PER_SECOND = 100;

    private static final int MAX_LENGTH = 40_000;
    private static final String PAGE = new String(LocalFiles.resource(EmailLinkPage.class, "email-link.html"), UTF_8);

    /** Allows only the operator's logo and icon from other sites. */
    private static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src http: https:; "
            + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final String title;
    private final String words;

    EmailLinkPage(String title, String words) {
        this.title = title;
        this.words = words;
    }

    /**
     * The notifications of a user.
     *
     * @param isSubscribed whether the user gets emails at all
     * @param channels the channels of each type that the user has set, in lower case
     */
    public record Choices(boolean isSubscribed, Map<String, List<String>> channels) {}

    /**
     * Limits the requests by links of emails that become commands in the log or reads of a user, because anyone with a link can send
     * them: a few per minute for each user, and in total as many as mail programs send after a mailing. Client addresses are not counted,
     * because behind a proxy they are all the same.
     *
     * @param perUser {@link #CHANGES} or {@link #VIEWS}
     */
    public static RateLimits.PerMinute<UserKey> limits(int perUser) {
        return limits(perUser, TimeMeter.SYSTEM_NANOTIME);
    }

    static RateLimits.PerMinute<UserKey> limits(int perUser, TimeMeter clock) {
        return new RateLimits.PerMinute<>(
                clock,
                perUser,
                Bandwidth.builder()
                        .capacity(TOTAL_BURST)
                        .refillGreedy(TOTAL_PER_SECOND, Duration.ofSeconds(1))
                        .build());
    }

    /** Answers with a message. */
    public void show(Context context, int status, Branding branding) {
        var values = values(branding);
        values.put("title", title);
        values.put("words", this == UNSUBSCRIBED ? words + from(branding) + "." : words);
        values.put("hasBack", this == STORED || this == LATER);
        values.put("isEnd", this == UNSUBSCRIBED);
        answer(context, status, values);
    }

    /**
     * Answers with the form.
     *
     * @param choices null: they cannot be read now, so that only everything can be turned off
     * @param isSaved whether a change has just been stored
     */
    public static void showForm(Context context, Branding branding, @Nullable Choices choices, boolean isSaved) {
        var values = values(branding);
        values.put("title", "Your notifications");
        values.put(
                "words",
                choices == null
                        ? "Your choices cannot be shown just now. You can turn everything off, or open this page again"
                                + " later."
                        : "Choose what you want to get" + from(branding) + ".");
        values.put("hasForm", true);
        values.put("hasTypes", choices != null);
        String saved = isSaved ? "Your change is saved." : null;
        values.put(
                "notice",
                choices == null || choices.isSubscribed()
                        ? saved
                        : (saved == null ? "" : saved + " ") + "You have unsubscribed from all emails" + from(branding)
                                + ", so none is sent whatever is chosen here.");
        values.put("types", choices == null ? List.of() : types(choices));
        answer(context, 200, values);
    }

    private static List<Map<String, Object>> types(Choices choices) {
        var types = new ArrayList<Map<String, Object>>();
        for (NotificationType type : NotificationType.values()) {
            String name = IssueList.word(type);
            List<String> chosen = choices.channels().get(name);
            var channels = new ArrayList<Map<String, Object>>();
            for (NotificationChannel channel : NotificationChannel.values()) {
                String word = IssueList.word(channel);
                boolean isOn =
                        chosen == null || chosen.contains(word); // a type that was never set is sent on every channel
                boolean isFixed = channel == NotificationChannel.EMAIL && !choices.isSubscribed();
                // Browsers do not send what is disabled, so the choice is sent beside.
                channels.add(Map.of(
                        "channel",
                        word,
                        "word",
                        word(channel),
                        "isOn",
                        isOn,
                        "isFixed",
                        isFixed,
                        "isKept",
                        isOn && isFixed));
            }
            types.add(Map.of("type", name, "label", label(type), "about", about(type), "channels", channels));
        }
        return types;
    }

    private static String word(NotificationChannel channel) {
        return switch (channel) {
            case EMAIL -> "Email";
            case PUSH -> "Push notification";
        };
    }

    private static String label(NotificationType type) {
        return switch (type) {
            case ACHIEVEMENT_COMPLETED -> "Achievements";
            case RECAP -> "Recaps";
            case REACTIVATION -> "Reminders to come back";
            case STREAK_REMINDER -> "Streak reminders";
        };
    }

    private static String about(NotificationType type) {
        return switch (type) {
            case ACHIEVEMENT_COMPLETED -> "When you have completed an achievement.";
            case RECAP -> "What you have done, at regular times.";
            case REACTIVATION -> "When you have not been active for some time.";
            case STREAK_REMINDER -> "Before your streak ends.";
        };
    }

    private static String from(Branding branding) {
        return branding.appName() == null ? "" : " from " + branding.appName();
    }

    /** What templates of pages and emails show of a branding. */
    public static Map<String, @Nullable Object> values(Branding branding) {
        var values = new HashMap<String, @Nullable Object>();
        values.put("appName", branding.appName());
        values.put("appUrl", branding.appUrl());
        values.put("logoUrl", branding.logoUrl());
        values.put("appIconUrl", branding.appIconUrl());
        values.put("color", branding.cssColor());
        values.put("font", branding.cssFonts());
        return values;
    }

    private static void answer(Context context, int status, Map<String, @Nullable Object> values) {
        protect(context);
        try {
            Answers.answerPage(
                    context, status, TextTemplate.html(PAGE, values, MAX_LENGTH).getBytes(UTF_8));
        } catch (UnrenderableException e) {
            throw new IllegalStateException("the page cannot be rendered", e);
        }
    }

    /** Sets the headers of a page, also for one that another node makes. */
    public static void protect(Context context) {
        hide(context);
        context.header("Content-Security-Policy", POLICY);
    }

    /** Keeps an address with a token out of caches, search engines and the requests that follow. */
    public static void hide(Context context) {
        context.header("Referrer-Policy", "no-referrer")
                .header("Cache-Control", "no-store")
                .header("X-Content-Type-Options", "nosniff")
                .header("X-Robots-Tag", "noindex");
    }
}
