package dev.laurel.processors.publish;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.admin.AccessEditor;
import dev.laurel.schemas.admin.AccessResult;
import dev.laurel.schemas.admin.EditResult;
import dev.laurel.schemas.admin.Editor;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetKey;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.wire.ErrorBody;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Edits that are published together, each judged by what the ones before it made. Each that changes something is a version of
 * its own, as if it had come alone. Nothing outside changes before the batch is published; one thread.
 */
final class EditBatch {

    private static final Logger LOG = LoggerFactory.getLogger(EditBatch.class);

    /** Leaves room for key, headers and the frame of the record. */
    static final int MAX_DOCUMENT_BYTES = Topics.MAX_RECORD_BYTES - 64 * 1024;

    /** A transaction is to take milliseconds. */
    private static final int FULL_AT_BYTES = 4 * 1024 * 1024;

    /** A version that is to be published. */
    record Version(RulesetKey key, byte[] document) {}

    /** What a client who waits is to be told. */
    record Answer(ReplyTo replyTo, int status, Object body) {}

    private final Function<TenantId, Ruleset> current;
    private final Map<TenantId, Ruleset> newest = new LinkedHashMap<>();
    private final AccessIndex index;
    private final Supplier<byte[]> entropy;
    private final Map<String, AccessRecord> access = new LinkedHashMap<>();
    private final List<Version> versions = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();
    private ConsumerRecord<byte[], byte[]> last;
    private long bytes;

    /**
     * @param current the newest published version of a tenant
     * @param index who may call, and secrets, as before the batch: an {@link AccessEdit} and an {@link Edit.Patch} must be its
     *        first edit, since no edit sees what one before it in the batch changes there
     * @param entropy 32 random bytes each time
     */
    EditBatch(Function<TenantId, Ruleset> current, AccessIndex index, Supplier<byte[]> entropy) {
        this.current = current;
        this.index = index;
        this.entropy = entropy;
    }

    boolean isEmpty() {
        return last == null;
    }

    /** Whether the next edit belongs to another batch. */
    boolean isFull() {
        return bytes >= FULL_AT_BYTES;
    }

    /**
     * Judges an edit. If it cannot be, that is a defect of ours, but one that must not end the writers of all nodes one after
     * the other: nothing comes of the edit, and its client is told so.
     */
    void add(ConsumerRecord<byte[], byte[]> record, TenantId tenant, Edit edit, Instant at) {
        try {
            judge(record, tenant, edit, at);
            last = record;
        } catch (RuntimeException e) {
            drop(record, e);
        }
    }

    /** Leaves out an edit of which nothing can come. */
    void drop(ConsumerRecord<byte[], byte[]> record, RuntimeException why) {
        LOG.error("nothing comes of the edit at offset {} of {}", record.offset(), record.topic(), why);
        last = record;
        answer(record, 500, new ErrorBody("Internal error: the edit could not be judged. Nothing was changed."));
    }

    private void judge(ConsumerRecord<byte[], byte[]> record, TenantId tenant, Edit edit, Instant at) {
        switch (edit) {
            case Edit.OfRuleset ofRuleset -> add(record, tenant, ofRuleset, at);
            case AccessEdit ofAccess -> {
                AccessResult result = AccessEditor.apply(index, tenant, ofAccess, at);
                access.putAll(result.changes());
                answer(record, result.status(), result.body());
            }
        }
    }

    private void add(ConsumerRecord<byte[], byte[]> record, TenantId tenant, Edit.OfRuleset edit, Instant at) {
        Ruleset before = newest.containsKey(tenant) ? newest.get(tenant) : current.apply(tenant);
        EditResult result = Editor.apply(before, index, edit, at, entropy.get());
        Ruleset next = result.ruleset();
        if (next != null) {
            byte[] document = Topics.RULESETS.value().serializer().serialize(Topics.RULESETS.name(), next);
            if (document.length > MAX_DOCUMENT_BYTES) {
                result = tooLarge(document.length);
            } else {
                bytes += document.length;
                versions.add(new Version(new RulesetKey(tenant, next.version()), document));
                newest.put(tenant, next);
            }
        }
        access.putAll(result.access());
        answer(record, result.status(), result.body());
    }

    private void answer(ConsumerRecord<byte[], byte[]> record, int status, Object body) {
        ReplyTo replyTo = ReplyHeaders.read(record.headers());
        if (replyTo != null) {
            answers.add(new Answer(replyTo, status, body));
        }
    }

    /** Kafka would not take it: this edit would be tried again for ever, and all edits behind it would wait. */
    private static EditResult tooLarge(int size) {
        return new EditResult(null, 422, new ErrorBody("The ruleset would take " + size
                + " bytes, ids and all that was ever taken out included; at most " + MAX_DOCUMENT_BYTES
                + " are possible. Nothing was changed."));
    }

    /** In their order. */
    List<Version> versions() {
        return versions;
    }

    /** What changes of keys and secrets, by record key; null for what is deleted. */
    Map<String, AccessRecord> access() {
        return access;
    }

    /** Of the tenants for which there is a new version. */
    Map<TenantId, Ruleset> newest() {
        return newest;
    }

    /** In the order of the edits; those of edits for which nobody waits are not here. */
    List<Answer> answers() {
        return answers;
    }

    /** The last record that was added. */
    ConsumerRecord<byte[], byte[]> last() {
        return last;
    }
}
