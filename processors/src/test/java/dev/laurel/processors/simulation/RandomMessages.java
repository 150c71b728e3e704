package dev.laurel.processors.simulation;

import dev.laurel.schemas.ruleset.WebhookEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Makes the messages and webhooks of random rulesets. Parts change at random. */
final class RandomMessages {

    private static final List<String> TYPES =
            List.of("achievement_completed", "recap", "reactivation", "streak_reminder");

    private final Dice dice;
    private final Map<String, Map<String, Object>> templates = new LinkedHashMap<>();
    private Map<String, Object> timing = Map.of();
    private List<String> events = List.of();

    RandomMessages(Dice dice) {
        this.dice = dice;
    }

    void change(boolean isFirst) {
        for (String type : TYPES) {
            for (String channel : List.of("email", "push")) {
                if (dice.percent(isFirst ? 60 : 15)) {
                    templates.put(type.replace('_', '-') + "-" + channel, template(type, channel));
                }
            }
        }
        if (dice.percent(isFirst ? 80 : 25)) {
            timing = timing();
        }
        if (dice.percent(isFirst ? 60 : 15)) {
            events = WebhookEvent.types().stream().filter(_ -> dice.percent(30)).toList();
        }
    }

    Map<String, Object> notifications() {
        return Map.of("templates", templates, "settings", timing);
    }

    Map<String, Object> webhooks() {
        return events.isEmpty()
                ? Map.of()
                : Map.of("crm", Map.of("name", "CRM", "url", "https://crm.example", "events", events));
    }

    private Map<String, Object> template(String type, String channel) {
        String heading = channel.equals("email") ? "subject" : "title";
        var template = new TreeMap<String, Object>(Map.of(
                "name", type, "type", type, "channel", channel, heading, "{{user.name}}", "body", "{{timestamp}}"));
        template.put("status", dice.pick("active", "active", "inactive"));
        if (dice.percent(30)) {
            template.put("userAttributes", Map.of("city", dice.pick(RandomRules.VALUES)));
        }
        if (dice.percent(30)) {
            template.put("variations", List.of(Map.of(heading, "v", "body", "v")));
        }
        return template;
    }

    private Map<String, Object> timing() {
        var days = new TreeSet<Integer>();
        for (int i = dice.below(6); i > 0; i--) {
            days.add(1 + dice.below(20));
        }
        int from = dice.below(20);
        return Map.of(
                "recapPeriod",
                dice.pick("daily", "weekly", "monthly", "yearly"),
                "reactivationDays",
                new ArrayList<>(days),
                "streakReminder",
                Map.of(
                        "dailyHoursBefore",
                        1 + dice.below(23),
                        "weeklyDay",
                        dice.pick("sunday", "monday", "friday"),
                        "weeklyTime",
                        time(dice.below(24)),
                        "monthlyDay",
                        1 + dice.below(31),
                        "monthlyTime",
                        time(dice.below(24))),
                "achievementWindow",
                Map.of("from", time(from), "to", time(from + 1 + dice.below(4))),
                "enabled",
                Map.of(dice.pick(TYPES), dice.percent(50)));
    }

    private static String time(int hour) {
        return "%02d:00".formatted(Math.min(hour, 23));
    }
}
