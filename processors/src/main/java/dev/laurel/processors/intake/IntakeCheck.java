package dev.laurel.processors.intake;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.LogCommand;
import dev.laurel.schemas.command.Command.OwnedCommand;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.Rejection;
import dev.laurel.schemas.topic.Topics.DirectTopics;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Decides which records of direct producers enter the log, and with which key and value (docs/sending-events.md "Kafka"). What enters
 * is written anew by Laurel, so the log has nothing from these producers but fields that were read and checked. Changes nothing; for
 * any thread.
 *
 * @param access knows the tenants
 */
record IntakeCheck(AccessIndex access) {

    /** As large as the body of a request. */
    static final int MAX_VALUE_BYTES = 1024 * 1024;

    /** Brokers refuse a later record, and its whole batch. */
    static final Duration MAX_AHEAD = Duration.ofHours(1);

    private static final String TYPES = "event, identify, complete, preferences";

    /** What becomes of a record. */
    sealed interface Verdict {

        /** Enters the log. @param tenant of the user @param key of the user in the log */
        record Taken(TenantId tenant, byte[] key, byte[] value) implements Verdict {}

        /**
         * Does not enter the log.
         *
         * @param key see {@link Rejection}
         * @param lacksTenant whether the tenant is unknown or archived, as far as this process knows
         */
        record Refused(@Nullable String key, String reason, boolean lacksTenant) implements Verdict {}
    }

    /** @param nowMs present time */
    Verdict check(ConsumerRecord<byte[], byte[]> record, long nowMs) {
        if (!DirectTopics.isOfOneTenant(record.topic())) {
            return check(record, nowMs, null);
        }
        String customer = DirectTopics.customerOf(record.topic());
        return customer == null
                ? new Verdict.Refused(
                        null,
                        "the topic belongs to no tenant: 'laurel topics create --direct TENANT' "
                                + "says what that of a tenant is called",
                        false)
                : check(record, nowMs, customer);
    }

    /** @param owner customer id of the tenant whose topic this is; null: the topic is for all */
    private Verdict check(ConsumerRecord<byte[], byte[]> record, long nowMs, @Nullable String owner) {
        UserKey named;
        try {
            named = keyOf(record);
        } catch (IllegalArgumentException e) {
            return refused(record, owner, String.valueOf(e.getMessage()));
        }
        String customer = named.tenant().value();
        if (owner != null && !customer.isEmpty() && !customer.equals(owner)) {
            return refused(
                    record, owner, "the key names a user of '" + customer + "', in the topic of '" + owner + "'");
        }
        TenantId tenant = tenantOf(owner == null ? customer : owner);
        if (tenant == null) {
            return new Verdict.Refused(shownKey(record, owner), problemWith(owner == null ? customer : owner), true);
        }
        var user = new UserKey(tenant, named.user());
        String fault = faultOf(record, nowMs);
        if (fault != null) {
            return new Verdict.Refused(user.text(), fault, false);
        }
        try {
            UserCommand command = ofUser(CommandJson.read(record.value()));
            if (!command.user().id().equals(user.user())) {
                return new Verdict.Refused(
                        user.text(),
                        "the record's key does not name the same user as user.id; for '"
                                + command.user().id() + "' it is '"
                                + new UserKey(named.tenant(), command.user().id()) + "'",
                        false);
            }
            return new Verdict.Taken(
                    tenant, tenant.equals(named.tenant()) ? record.key() : user.bytes(), CommandJson.write(command));
        } catch (BadInputException e) {
            return new Verdict.Refused(user.text(), e.refusal().message(), false);
        }
    }

    private static UserKey keyOf(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null) {
            throw new IllegalArgumentException("the record has no key: it is the user's id");
        }
        return UserKey.parse(record.key());
    }

    /** @param customer empty: none is named @return null if users of this tenant cannot be changed */
    private @Nullable TenantId tenantOf(String customer) {
        if (!access.isMultiTenant()) {
            return customer.isEmpty() ? TenantId.NONE : null;
        }
        String named = customer.isEmpty() ? access.firstTenant() : customer;
        return named == null ? null : access.activeTenant(named);
    }

    private String problemWith(String customer) {
        if (!access.isMultiTenant()) {
            return "tenant '" + customer + "' is named, and this instance has no tenants";
        }
        return customer.isEmpty()
                ? "the key names no tenant: it is 'tenant/user'"
                : "there is no active tenant '" + customer + "'";
    }

    private static @Nullable String faultOf(ConsumerRecord<byte[], byte[]> record, long nowMs) {
        if (record.timestamp() <= 0) {
            return "the record has no timestamp: it is the time of the command";
        }
        if (record.timestamp() > nowMs + MAX_AHEAD.toMillis()) {
            return "the record's timestamp is more than " + MAX_AHEAD.toMinutes()
                    + " minutes in the future: it is in milliseconds since 1970";
        }
        if (record.value() == null) {
            return "the record has no value";
        }
        return record.value().length > MAX_VALUE_BYTES
                ? "the value has " + record.value().length + " bytes, must have at most " + MAX_VALUE_BYTES
                : null;
    }

    /** The commands that a user's actions and choices cause. All others are for operators, or for Laurel itself. */
    private static UserCommand ofUser(Command command) throws BadInputException {
        return switch (command) {
            case RecordEvent event -> event;
            case IdentifyUser identify -> identify;
            case CompleteAchievement completion -> completion;
            case SetPreferences preferences -> preferences;
            case UserCommand _, OwnedCommand _, LogCommand _ ->
                throw BadInputException.invalid(
                        "type is one that direct producers may not use, must be one of: " + TYPES + ".");
        };
    }

    private Verdict refused(ConsumerRecord<byte[], byte[]> record, @Nullable String owner, String reason) {
        return new Verdict.Refused(shownKey(record, owner), reason, false);
    }

    /** The key of the rejection. It decides who sees the rejection, so a producer of one tenant must not show it to another. */
    private @Nullable String shownKey(ConsumerRecord<byte[], byte[]> record, @Nullable String owner) {
        String key = Rejection.keyOf(record.key());
        return owner == null || key == null || key.isEmpty()
                ? key
                : new UserKey(access.idOf(owner), new UserId(UnicodeText.cut(key, UserId.MAX_LENGTH))).text();
    }
}
