package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.Command.NoteKeyUse;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.Role;
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
import dev.laurel.schemas.command.Command.PlanPause;
import dev.laurel.schemas.command.Command.RecordReaction;
import dev.laurel.schemas.command.Command.RecordReaction.Reaction;
import dev.laurel.schemas.command.Command.ResetStreak;
import dev.laurel.schemas.command.Command.RestoreStreak;
import dev.laurel.schemas.command.Command.RevokeBoost;
import dev.laurel.schemas.command.Command.RevokeKey;
import dev.laurel.schemas.command.Command.RevokeOwnedBoost;
import dev.laurel.schemas.command.Command.RevokeOwnedKey;
import dev.laurel.schemas.command.Command.RulesetPublished;
import dev.laurel.schemas.command.Command.TestMessage;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.command.Command.TimersHeld;
import dev.laurel.schemas.command.Command.TimersReleased;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Boost.Rounding;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Describes a type of command that is not on the hot path: the reader of each field, and how the command is made of the values.
 * Events and preferences have drafts of their own. Immutable.
 */
final class CommandForm<C extends Command> {

    private static final int MAX_KEY_LENGTH = 255;
    private static final int MAX_BOOST_NAME_LENGTH = 255;
    private static final int MAX_HOLD_LENGTH = 100;
    private static final int MAX_KEY_IDS = 100;
    private static final BigDecimal MULTIPLIER_LIMIT = BigDecimal.valueOf(100);
    private static final WireNames<Rounding> ROUNDINGS = new WireNames<>(Rounding.class);
    private static final WireNames<Reaction> REACTIONS = new WireNames<>(Reaction.class);

    /** Ten years, including leap days. */
    private static final int MAX_PAUSE_DAYS = 3_660;

    private static final String UUID_FORM = "and must be a UUID";
    private static final String SYSTEM_FORM = "and must be the key of a points system";

    /** The properties of a boost; the ranges are those of docs/admin-api.md A4 "boosts". */
    private static final Map<String, FieldReader> BOOST = Map.of("name", CommandForm::boostName, "start", Fields::date,
            "end", Fields::date, "multiplier", CommandForm::multiplier, "rounding", ROUNDINGS::read);

    /** The forms of the records of the log, by type. */
    private static final Map<String, CommandForm<?>> BY_TYPE = Map.ofEntries(
            Map.entry("identify", upserts(v -> new IdentifyUser(v.user(), v.get("mustExist", false)))
                    .with("mustExist", Fields::bool)),
            Map.entry("complete", upserts(v -> new CompleteAchievement(v.user(),
                    v.required("achievement", "and must be a string"))).with("achievement", CommandForm::key)),
            Map.entry("grant-freeze", mentions(v -> new GrantFreeze(v.user()))),
            Map.entry("plan-pause", mentions(CommandForm::pause).with("pauseId", Fields::uuid)
                    .with("start", Fields::date).with("end", Fields::date)),
            Map.entry("delete-pause", mentions("pauseId", DeletePause::new)),
            Map.entry("restore-streak", mentions(v -> new RestoreStreak(v.user()))),
            Map.entry("reset-streak", mentions(v -> new ResetStreak(v.user()))),
            Map.entry("grant-boost", aboutBoost(CommandForm::boost).with(BOOST)),
            Map.entry("change-boost", aboutBoost(v -> new ChangeBoost(v.user(), v.id("boostId"),
                    v.required("system", SYSTEM_FORM), v.change())).with("change", CommandForm::boostChange)),
            Map.entry("revoke-boost", aboutBoost(v -> new RevokeBoost(v.user(), v.id("boostId"), v.find("system")))),
            Map.entry("test-message", mentions("template", TestMessage::new)),
            Map.entry("drop-device-tokens", mentions(v -> new DropDeviceTokens(v.user(),
                    v.<List<String>>required("tokens", "and must be an array of strings")))
                    .with("tokens", UserChangeJson::tokens)),
            Map.entry("record-reaction", mentions(v -> new RecordReaction(v.user(), v.id("email"),
                    v.required("reaction", "and must be opened or clicked"))).with("email", Fields::uuid)
                    .with("reaction", REACTIONS::read)),
            Map.entry("erase-user", mentions(v -> new EraseUser(v.user(), v.get("revokedKeys", List.of())))
                    .with("revokedKeys", CommandForm::keyIds)),
            Map.entry("issue-key", mentions(v -> new IssueKey(v.user(), v.id("keyId"), v.get("role", Role.SUPPORT),
                    v.find("expires"))).with("keyId", Fields::uuid).with("role", CommandForm::keyRole)
                    .with("expires", (json, field) -> Times.parse(Fields.text(json, field), field))),
            Map.entry("revoke-key", mentions("keyId", RevokeKey::new)),
            Map.entry("note-key-use", mentions("keyId", NoteKeyUse::new)),
            Map.entry("revoke-owned-key", owned(v -> new RevokeOwnedKey(v.tenant(), v.id("id")))),
            Map.entry("delete-owned-pause", owned(v -> new DeleteOwnedPause(v.tenant(), v.id("id")))),
            Map.entry("change-owned-boost", owned(v -> new ChangeOwnedBoost(v.tenant(), v.id("id"),
                    v.required("system", SYSTEM_FORM), v.change())).with("system", CommandForm::key)
                    .with("change", CommandForm::boostChange)),
            Map.entry("revoke-owned-boost", owned(v -> new RevokeOwnedBoost(v.tenant(), v.id("id"), v.find("system")))
                    .with("system", CommandForm::key)),
            Map.entry("ruleset-published", new CommandForm<>(Map.of(),
                    v -> new RulesetPublished(v.tenant(), v.<Long>required("version", "")))
                    .with("tenant", CommandForm::tenant).with("version", (json, field) -> Fields.integer(json, field, 1,
                            Long.MAX_VALUE))),
            Map.entry("tick", new CommandForm<>(Map.of(), _ -> new Tick())),
            Map.entry("timers-held", hold(TimersHeld::new)), Map.entry("timers-released", hold(TimersReleased::new)),
            Map.entry("generation-promoted", new CommandForm<>(Map.of(),
                    v -> new GenerationPromoted((int) (long) v.<Long>required("generation", "")))
                    .with("generation", (json, field) -> Fields.integer(json, field, 2, Integer.MAX_VALUE))));

    private final Map<String, FieldReader> readers;
    private final Builder<C> builder;

    private CommandForm(Map<String, FieldReader> readers, Builder<C> builder) {
        this.readers = readers;
        this.builder = builder;
    }

    /** Reads a value, which is not null, whose first token is the current one; its last is the current one afterwards. */
    private interface FieldReader {
        Object read(JsonParser json, String field) throws BadInputException;
    }

    private interface Builder<C> {
        C build(Values values) throws BadInputException;
    }

    /** A draft of a record of the log; null if no form has this type. */
    static @Nullable CommandDraft<?> draft(String type) {
        CommandForm<?> form = BY_TYPE.get(type);
        return form == null ? null : form.draft();
    }

    /**
     * A draft of the body that completes an achievement.
     *
     * @param achievement its key, from the path
     */
    static CommandDraft<CompleteAchievement> completionOf(String achievement) {
        return upserts(values -> {
            if (achievement.length() > MAX_KEY_LENGTH || !UnicodeText.isWellFormed(achievement)) {
                // No key has this form, and the log would refuse it.
                throw new BadInputException(Refusal.unknownAchievement(achievement));
            }
            return new CompleteAchievement(values.user(), achievement);
        }).draft();
    }

    private CommandDraft<C> draft() {
        var values = new HashMap<String, Object>();
        return new CommandDraft<>() {

            @Override
            public boolean take(String field, JsonParser json) throws BadInputException {
                FieldReader reader = readers.get(field);
                if (reader == null) {
                    return false;
                }
                values.put(field, reader.read(json, field));
                return true;
            }

            @Override
            public C toCommand() throws BadInputException {
                return builder.build(new Values(values));
            }
        };
    }

    private CommandForm<C> with(String field, FieldReader reader) {
        return with(Map.of(field, reader));
    }

    private CommandForm<C> with(Map<String, FieldReader> further) {
        var all = new HashMap<>(readers);
        all.putAll(further);
        return new CommandForm<>(Map.copyOf(all), builder);
    }

    /** A command that updates its user and, unless {@code mustExist}, creates it. */
    private static <C extends Command> CommandForm<C> upserts(Builder<C> builder) {
        return new CommandForm<>(Map.of("user", UserChangeJson::readUser), values -> {
            if (!values.get("mustExist", false)) {
                UserChangeJson.expectNew(values.user(), "user.");
            }
            return builder.build(values);
        });
    }

    /** A command that only mentions its user. */
    private static <C extends Command> CommandForm<C> mentions(Builder<C> builder) {
        return new CommandForm<>(Map.of("user", UserChangeJson::readMention), builder);
    }

    /** @param idField name of the required id of an object of the user */
    private static <C extends Command> CommandForm<C> mentions(String idField,
            BiFunction<UserChange, UUID, C> command) {
        return mentions(values -> command.apply(values.user(), values.id(idField))).with(idField, Fields::uuid);
    }

    private static <C extends Command> CommandForm<C> aboutBoost(Builder<C> builder) {
        return mentions(builder).with("boostId", Fields::uuid).with("system", CommandForm::key);
    }

    /** A command about an object of a user that it names only by id. */
    private static <C extends Command> CommandForm<C> owned(Builder<C> builder) {
        return new CommandForm<>(Map.of("tenant", CommandForm::tenant, "id", Fields::uuid), builder);
    }

    private static <C extends Command> CommandForm<C> hold(Function<String, C> marker) {
        return new CommandForm<>(Map.of("hold", Fields::text), values -> {
            String hold = values.get("hold", "");
            if (hold.isEmpty() || hold.length() > MAX_HOLD_LENGTH) {
                throw BadInputException.invalid("hold", "is required, 1 to " + MAX_HOLD_LENGTH + " characters");
            }
            return marker.apply(hold);
        });
    }

    private static PlanPause pause(Values values) throws BadInputException {
        LocalDate start = values.required("start", Fields.DATE_FORM);
        LocalDate end = values.required("end", Fields.DATE_FORM);
        Fields.expectOrder(start, end);
        if (ChronoUnit.DAYS.between(start, end) >= MAX_PAUSE_DAYS) {
            throw BadInputException.invalid("end", "must make a pause of at most " + MAX_PAUSE_DAYS + " days");
        }
        return new PlanPause(values.user(), values.id("pauseId"), start, end);
    }

    private static GrantBoost boost(Values values) throws BadInputException {
        LocalDate start = values.required("start", Fields.DATE_FORM);
        LocalDate end = values.find("end");
        if (end != null) {
            Fields.expectOrder(start, end);
        }
        return new GrantBoost(values.user(), values.id("boostId"), values.required("system", SYSTEM_FORM),
                values.required("name", "and must be a string"), start, end,
                values.required("multiplier", "and must be a number"), values.get("rounding", Rounding.DOWN));
    }

    /** Reads the object of changes. Null removes the end of the boost and otherwise counts as absent. */
    private static BoostChange boostChange(JsonParser json, String field) throws BadInputException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw BadInputException.invalid(field, "must be an object");
        }
        var given = new HashMap<String, Change<?>>();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String changed = json.currentName();
            boolean isNull = json.nextToken() == JsonToken.VALUE_NULL;
            FieldReader reader = BOOST.get(changed);
            if (isNull && changed.equals("end")) {
                given.put(changed, Change.clear());
            } else if (!isNull && reader != null) {
                given.put(changed, Change.set(reader.read(json, changed)));
            } else if (!isNull) {
                json.skipChildren();
            }
        }
        return new BoostChange(change(given, "name"), change(given, "start"), change(given, "end"),
                change(given, "multiplier"), change(given, "rounding"));
    }

    @SuppressWarnings("unchecked") // the reader of the field made the value
    private static <T> Change<T> change(Map<String, Change<?>> given, String field) {
        return (Change<T>) given.getOrDefault(field, Change.keep());
    }

    private static Role keyRole(JsonParser json, String field) throws BadInputException {
        String word = Fields.text(json, field);
        for (Role role : ApplicationKey.ROLES) {
            if (role.word().equals(word)) {
                return role;
            }
        }
        throw BadInputException.invalid(field, "must be viewer or support");
    }

    private static List<UUID> keyIds(JsonParser json, String field) throws BadInputException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw BadInputException.invalid(field, "must be an array of UUIDs");
        }
        var ids = new ArrayList<UUID>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            ids.add(Fields.uuid(json, field));
            Fields.expectAtMost(ids.size(), MAX_KEY_IDS, field);
        }
        return ids;
    }

    private static String key(JsonParser json, String field) throws BadInputException {
        return Fields.text(json, field, MAX_KEY_LENGTH);
    }

    private static TenantId tenant(JsonParser json, String field) throws BadInputException {
        return new TenantId(Fields.text(json, field, TenantId.MAX_LENGTH));
    }

    private static String boostName(JsonParser json, String field) throws BadInputException {
        String name = Fields.text(json, field, MAX_BOOST_NAME_LENGTH);
        if (name.isEmpty()) {
            throw BadInputException.invalid(field, "must not be empty");
        }
        return name;
    }

    private static BigDecimal multiplier(JsonParser json, String field) throws BadInputException {
        BigDecimal number = Fields.number(json, field);
        if (number.signum() <= 0 || number.compareTo(MULTIPLIER_LIMIT) >= 0 || number.compareTo(BigDecimal.ONE) == 0) {
            throw BadInputException.invalid(field, "must be above 0, below 100 and not 1");
        }
        return Fields.amount(number, field);
    }

    /** The values of the present fields. A value has the type that the reader of its field returns. */
    private record Values(Map<String, Object> byField) {

        @SuppressWarnings("unchecked") // the reader of the field made the value
        <T> @Nullable T find(String field) {
            return (T) byField.get(field);
        }

        <T> T get(String field, T otherwise) {
            T value = find(field);
            return value == null ? otherwise : value;
        }

        /** @param form the form of the field for the message; may be empty */
        <T> T required(String field, String form) throws BadInputException {
            return Fields.required(find(field), field, form);
        }

        UserChange user() throws BadInputException {
            return required("user", UserChangeJson.FORM);
        }

        UUID id(String field) throws BadInputException {
            return required(field, UUID_FORM);
        }

        TenantId tenant() {
            return get("tenant", TenantId.NONE);
        }

        BoostChange change() {
            return get("change", new BoostChange(Change.keep(), Change.keep(), Change.keep(), Change.keep(),
                    Change.keep()));
        }
    }
}
