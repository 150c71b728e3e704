package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.Command.BoostChange;
import dev.laurel.schemas.command.Command.ChangeBoost;
import dev.laurel.schemas.command.Command.ChangeOwnedBoost;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.DeleteOwnedPause;
import dev.laurel.schemas.command.Command.DeletePause;
import dev.laurel.schemas.command.Command.DropDeviceTokens;
import dev.laurel.schemas.command.Command.EraseUser;
import dev.laurel.schemas.command.Command.GenerationPromoted;
import dev.laurel.schemas.command.Command.GrantBoost;
import dev.laurel.schemas.command.Command.GrantFreeze;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.IssueKey;
import dev.laurel.schemas.command.Command.NoteKeyUse;
import dev.laurel.schemas.command.Command.OwnedCommand;
import dev.laurel.schemas.command.Command.PlanPause;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.RecordReaction;
import dev.laurel.schemas.command.Command.ResetStreak;
import dev.laurel.schemas.command.Command.RestoreStreak;
import dev.laurel.schemas.command.Command.RevokeBoost;
import dev.laurel.schemas.command.Command.RevokeKey;
import dev.laurel.schemas.command.Command.RevokeOwnedBoost;
import dev.laurel.schemas.command.Command.RevokeOwnedKey;
import dev.laurel.schemas.command.Command.RulesetPublished;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.TestMessage;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.command.Command.TimersHeld;
import dev.laurel.schemas.command.Command.TimersReleased;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.ruleset.Boost.Rounding;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JsonGenerator;

/** Writes the fields of commands, the type first. Equal commands have equal bytes. */
final class CommandWriter {

    private CommandWriter() {}

    static void write(JsonGenerator json, Command command) {
        switch (command) {
            case RecordEvent event -> write(json, event);
            case IdentifyUser identify -> write(json, identify);
            case CompleteAchievement completion -> write(json, completion);
            case SetPreferences preferences -> write(json, preferences);
            case GrantFreeze grant -> mention(json, "grant-freeze", grant);
            case PlanPause pause -> write(json, pause);
            case DeletePause deletion -> {
                mention(json, "delete-pause", deletion);
                json.writeStringProperty("pauseId", deletion.pauseId().toString());
            }
            case RestoreStreak restore -> mention(json, "restore-streak", restore);
            case ResetStreak reset -> mention(json, "reset-streak", reset);
            case GrantBoost boost -> write(json, boost);
            case RevokeBoost revocation -> {
                mention(json, "revoke-boost", revocation);
                json.writeStringProperty("boostId", revocation.boostId().toString());
                if (revocation.system() != null) {
                    json.writeStringProperty("system", revocation.system());
                }
            }
            case ChangeBoost change -> {
                mention(json, "change-boost", change);
                json.writeStringProperty("boostId", change.boostId().toString());
                write(json, change.system(), change.change());
            }
            case TestMessage test -> {
                mention(json, "test-message", test);
                json.writeStringProperty("template", test.template().toString());
            }
            case DropDeviceTokens drop -> {
                mention(json, "drop-device-tokens", drop);
                json.writeArrayPropertyStart("tokens");
                drop.tokens().forEach(json::writeString);
                json.writeEndArray();
            }
            case RecordReaction reaction -> {
                mention(json, "record-reaction", reaction);
                json.writeStringProperty("email", reaction.email().toString());
                json.writeStringProperty("reaction", reaction.reaction().name().toLowerCase(Locale.ROOT));
            }
            case EraseUser erasure -> {
                mention(json, "erase-user", erasure);
                if (!erasure.revokedKeys().isEmpty()) {
                    json.writeArrayPropertyStart("revokedKeys");
                    erasure.revokedKeys().forEach(id -> json.writeString(id.toString()));
                    json.writeEndArray();
                }
            }
            case IssueKey issue -> {
                mention(json, "issue-key", issue);
                json.writeStringProperty("keyId", issue.keyId().toString());
                json.writeStringProperty("role", issue.role().word());
                if (issue.expires() != null) {
                    json.writeStringProperty("expires", issue.expires().toString());
                }
            }
            case RevokeKey revocation -> {
                mention(json, "revoke-key", revocation);
                json.writeStringProperty("keyId", revocation.keyId().toString());
            }
            case NoteKeyUse use -> {
                mention(json, "note-key-use", use);
                json.writeStringProperty("keyId", use.keyId().toString());
            }
            case RevokeOwnedKey revocation -> owned(json, "revoke-owned-key", revocation);
            case DeleteOwnedPause deletion -> owned(json, "delete-owned-pause", deletion);
            case ChangeOwnedBoost change -> {
                owned(json, "change-owned-boost", change);
                write(json, change.system(), change.change());
            }
            case RevokeOwnedBoost revocation -> {
                owned(json, "revoke-owned-boost", revocation);
                if (revocation.system() != null) {
                    json.writeStringProperty("system", revocation.system());
                }
            }
            case RulesetPublished published -> write(json, published);
            case Tick _ -> json.writeStringProperty("type", "tick");
            case TimersHeld(String hold) -> {
                json.writeStringProperty("type", "timers-held");
                json.writeStringProperty("hold", hold);
            }
            case TimersReleased(String hold) -> {
                json.writeStringProperty("type", "timers-released");
                json.writeStringProperty("hold", hold);
            }
            case GenerationPromoted(int generation) -> {
                json.writeStringProperty("type", "generation-promoted");
                json.writeNumberProperty("generation", generation);
            }
        }
    }

    private static void write(JsonGenerator json, RecordEvent event) {
        json.writeStringProperty("type", "event");
        json.writeStringProperty("metric", event.metric());
        json.writeName("value");
        json.writeNumber(Json.plain(event.value()));
        json.writeName("user");
        UserChangeJson.write(json, event.user());
        if (!event.attributes().isEmpty()) {
            json.writeObjectPropertyStart("attributes");
            UserChangeJson.sorted(event.attributes()).forEach(json::writeStringProperty);
            json.writeEndObject();
        }
        if (event.idempotencyKey() != null) {
            json.writeStringProperty("idempotencyKey", event.idempotencyKey());
        }
        if (event.eventId() != null) {
            json.writeStringProperty("eventId", event.eventId().toString());
        }
    }

    private static void write(JsonGenerator json, IdentifyUser identify) {
        json.writeStringProperty("type", "identify");
        json.writeName("user");
        UserChangeJson.write(json, identify.user());
        if (identify.mustExist()) {
            json.writeBooleanProperty("mustExist", true);
        }
    }

    private static void write(JsonGenerator json, CompleteAchievement completion) {
        json.writeStringProperty("type", "complete");
        json.writeStringProperty("achievement", completion.achievement());
        json.writeName("user");
        UserChangeJson.write(json, completion.user());
    }

    /** Writes the head of a command that only mentions its user. */
    private static void mention(JsonGenerator json, String type, UserCommand command) {
        json.writeStringProperty("type", type);
        json.writeObjectPropertyStart("user");
        json.writeStringProperty("id", command.user().id().value());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, PlanPause pause) {
        mention(json, "plan-pause", pause);
        json.writeStringProperty("pauseId", pause.pauseId().toString());
        json.writeStringProperty("start", pause.start().toString());
        json.writeStringProperty("end", pause.end().toString());
    }

    private static void write(JsonGenerator json, GrantBoost boost) {
        mention(json, "grant-boost", boost);
        json.writeStringProperty("boostId", boost.boostId().toString());
        json.writeStringProperty("system", boost.system());
        json.writeStringProperty("name", boost.name());
        json.writeStringProperty("start", boost.start().toString());
        if (boost.end() != null) {
            json.writeStringProperty("end", boost.end().toString());
        }
        json.writeName("multiplier");
        json.writeNumber(Json.plain(boost.multiplier()));
        json.writeStringProperty("rounding", WireNames.of(boost.rounding()));
    }

    /** Writes the head of a command about an object of a user. */
    private static void owned(JsonGenerator json, String type, OwnedCommand command) {
        json.writeStringProperty("type", type);
        if (!command.tenant().value().isEmpty()) {
            json.writeStringProperty("tenant", command.tenant().value());
        }
        json.writeStringProperty("id", command.id().toString());
    }

    private static void write(JsonGenerator json, String system, BoostChange change) {
        json.writeStringProperty("system", system);
        json.writeObjectPropertyStart("change");
        if (change.name() instanceof Change.Set<String>(String name)) {
            json.writeStringProperty("name", name);
        }
        if (change.start() instanceof Change.Set<LocalDate>(LocalDate start)) {
            json.writeStringProperty("start", start.toString());
        }
        switch (change.end()) {
            case Change.Keep<LocalDate> _ -> {
            }
            case Change.Clear<LocalDate> _ -> json.writeNullProperty("end");
            case Change.Set<LocalDate>(LocalDate end) -> json.writeStringProperty("end", end.toString());
        }
        if (change.multiplier() instanceof Change.Set<BigDecimal>(BigDecimal multiplier)) {
            json.writeName("multiplier");
            json.writeNumber(Json.plain(multiplier));
        }
        if (change.rounding() instanceof Change.Set<Rounding>(Rounding rounding)) {
            json.writeStringProperty("rounding", WireNames.of(rounding));
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, SetPreferences preferences) {
        mention(json, "preferences", preferences);
        if (!preferences.notifications().isEmpty()) {
            json.writeObjectPropertyStart("notifications");
            writeNotifications(json, preferences.notifications());
            json.writeEndObject();
        }
        if (preferences.streakEnabled().isGiven() || preferences.streakMode().isGiven()
                || preferences.streakMetrics().isGiven() || preferences.streakDaysOff().isGiven()) {
            json.writeObjectPropertyStart("streak");
            writeStreak(json, preferences);
            json.writeEndObject();
        }
    }

    private static void writeNotifications(JsonGenerator json,
            Map<NotificationType, Change<Set<NotificationChannel>>> notifications) {
        UserChangeJson.sorted(notifications).forEach((type, change) -> {
            switch (change) {
                case Change.Keep<Set<NotificationChannel>> _ -> {
                }
                case Change.Clear<Set<NotificationChannel>> _ -> json.writeNullProperty(WireNames.of(type));
                case Change.Set<Set<NotificationChannel>>(Set<NotificationChannel> channels) -> {
                    json.writeArrayPropertyStart(WireNames.of(type));
                    new TreeSet<>(channels).forEach(channel -> json.writeString(WireNames.of(channel)));
                    json.writeEndArray();
                }
            }
        });
    }

    private static void writeStreak(JsonGenerator json, SetPreferences preferences) {
        switch (preferences.streakEnabled()) {
            case Change.Keep<Boolean> _ -> {
            }
            case Change.Clear<Boolean> _ -> json.writeNullProperty("enabled");
            case Change.Set<Boolean>(Boolean isEnabled) -> json.writeBooleanProperty("enabled", isEnabled);
        }
        switch (preferences.streakMode()) {
            case Change.Keep<EvaluationMode> _ -> {
            }
            case Change.Clear<EvaluationMode> _ -> json.writeNullProperty("evaluationMode");
            case Change.Set<EvaluationMode>(EvaluationMode mode) ->
                json.writeStringProperty("evaluationMode", mode.name());
        }
        switch (preferences.streakMetrics()) {
            case Change.Keep<List<SetPreferences.Condition>> _ -> {
            }
            case Change.Clear<List<SetPreferences.Condition>> _ -> json.writeNullProperty("metrics");
            case Change.Set<List<SetPreferences.Condition>>(List<SetPreferences.Condition> conditions) -> {
                json.writeArrayPropertyStart("metrics");
                conditions.forEach(condition -> write(json, condition));
                json.writeEndArray();
            }
        }
        switch (preferences.streakDaysOff()) {
            case Change.Keep<List<Integer>> _ -> {
            }
            case Change.Clear<List<Integer>> _ -> json.writeNullProperty("daysOff");
            case Change.Set<List<Integer>>(List<Integer> days) -> {
                json.writeArrayPropertyStart("daysOff");
                days.forEach(json::writeNumber);
                json.writeEndArray();
            }
        }
    }

    private static void write(JsonGenerator json, SetPreferences.Condition condition) {
        json.writeStartObject();
        json.writeStringProperty("key", condition.metric());
        json.writeName("threshold");
        json.writeNumber(Json.plain(condition.threshold()));
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, RulesetPublished published) {
        json.writeStringProperty("type", "ruleset-published");
        if (!published.tenant().value().isEmpty()) {
            json.writeStringProperty("tenant", published.tenant().value());
        }
        json.writeNumberProperty("version", published.version());
    }
}
