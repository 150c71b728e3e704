package dev.laurel.processors.ledger;

import dev.laurel.processors.core.engine.CommandContext;
import dev.laurel.processors.core.engine.Notice;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.key.LogPlace;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.serde.Json;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Writes webhook events and messages to {@code laurel.outbox}. One task, one thread. */
final class OutboxWriter {

    /** Follows a tenant in names for ids; no text of a user's key ends like this. */
    private static final String NO_USER = "//";

    private final ProcessorContext<Object, Object> context;
    private final String outlet;

    OutboxWriter(ProcessorContext<Object, Object> context, String outlet) {
        this.context = context;
        this.outlet = outlet;
    }

    /** @param key of the user */
    void send(byte[] key, List<Notice> notices, CompiledRuleset rules, CommandContext at) {
        for (int i = 0; i < notices.size(); i++) {
            UUID id = idOf(at.first(), i, at.user().text());
            context.forward(new Record<>(key, outgoing(notices.get(i), id, at.user(), rules), at.atMs()), outlet);
        }
    }

    /** What is no single user's. @param at where the command stood first from which it follows; it names a tenant once at most */
    void send(TenantId tenant, List<Notice.ForWebhooks> notices, CompiledRuleset rules, LogPlace at, long atMs) {
        for (int i = 0; i < notices.size(); i++) {
            UUID id = idOf(at, i, tenant.value() + NO_USER);
            context.forward(new Record<>(tenant.bytes(), hookEvent(notices.get(i), id, tenant, rules), atMs), outlet);
        }
    }

    /** @param key of the erased user */
    void sendErased(byte[] key, CommandContext at) {
        var erased = new Outgoing.UserErased(idOf(at.first(), 0, at.user().text()),
                at.user().tenant(), Instant.ofEpochMilli(at.atMs()),
                at.user().user());
        context.forward(new Record<>(key, erased, at.atMs()), outlet);
    }

    private static Outgoing outgoing(Notice notice, UUID id, UserKey user, CompiledRuleset rules) {
        return switch (notice) {
            case Notice.ForWebhooks told -> hookEvent(told, id, user.tenant(), rules);
            case Notice.ForUser told -> new Outgoing.Message(id, user.tenant(), told.at(), told.rulesVersion(),
                    user.user(), told.type(), told.copies(), text(told.body()));
        };
    }

    private static Outgoing hookEvent(Notice.ForWebhooks told, UUID id, TenantId tenant, CompiledRuleset rules) {
        return new Outgoing.HookEvent(id, tenant, told.at(), told.event(), rules.hooks().wanting(told.event()),
                told.about(), text(told.payload()));
    }

    private static String text(Object body) {
        return new String(Json.write(body), UTF_8);
    }

    /**
     * An id derived from the position in the log, so that it is the same whenever the log or a copy of it is processed. A tick is one
     * position of many users.
     */
    private static UUID idOf(LogPlace place, int index, String whose) {
        String log = place.isOfFirstLog() ? "" : "g" + place.log() + "/";
        return UUID.nameUUIDFromBytes(("laurel-outbox/" + log + place.partition() + "/" + place.offset() + "/" + index
                + "/" + whose).getBytes(UTF_8));
    }
}
