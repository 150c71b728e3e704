package dev.laurel.processors.ledger;

import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.Notice;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.schemas.key.LogPosition;
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

    /** Follows the tenant in the owner of an id; no text of a user's key ends like this. */
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
            UUID id = Notice.idOf(at.first(), i, at.user().text());
            context.forward(new Record<>(key, outgoing(notices.get(i), id, at.user(), rules), at.atMs()), outlet);
        }
    }

    /** Sends notices that concern no single user. @param at original position of their record, which causes such notices only once */
    void send(TenantId tenant, List<Notice.ForWebhooks> notices, CompiledRuleset rules, LogPosition at, long atMs) {
        for (int i = 0; i < notices.size(); i++) {
            UUID id = Notice.idOf(at, i, tenant.value() + NO_USER);
            context.forward(new Record<>(tenant.bytes(), hookEvent(notices.get(i), id, tenant, rules), atMs), outlet);
        }
    }

    /** @param key of the erased user */
    void sendErased(byte[] key, CommandContext at) {
        var erased = new Outgoing.UserErased(Notice.idOf(at.first(), 0, at.user().text()),
                at.user().tenant(), Instant.ofEpochMilli(at.atMs()),
                at.user().user());
        context.forward(new Record<>(key, erased, at.atMs()), outlet);
    }

    private static Outgoing outgoing(Notice notice, UUID id, UserKey user, CompiledRuleset rules) {
        return switch (notice) {
            case Notice.ForWebhooks event -> hookEvent(event, id, user.tenant(), rules);
            case Notice.ForUser message -> new Outgoing.Message(id, user.tenant(), message.at(),
                    message.rulesVersion(), user.user(), message.type(), message.copies(), text(message.body()));
        };
    }

    private static Outgoing hookEvent(Notice.ForWebhooks notice, UUID id, TenantId tenant, CompiledRuleset rules) {
        return new Outgoing.HookEvent(id, tenant, notice.at(), notice.event(), rules.hooks().wanting(notice.event()),
                notice.about(), text(notice.payload()));
    }

    private static String text(Object body) {
        return new String(Json.write(body), UTF_8);
    }
}
