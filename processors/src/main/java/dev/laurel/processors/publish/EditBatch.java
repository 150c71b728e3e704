package dev.laurel.processors.publish;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.admin.Editor;
import dev.laurel.schemas.audit.AuditRecord.Versions;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.edit.Edit.EditResult;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Ruleset.RulesetKey;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.wire.ErrorBody;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Edits that are published together. Each is applied to the result of the edits before it, and each that changes something makes a
 * version of its own. Nothing outside changes before the batch is published. One thread.
 */
final class EditBatch {

    private static final Logger LOG = LoggerFactory.getLogger(EditBatch.class);

    /** Leaves room for the key, the headers and the frame of the record. */
    static final int MAX_DOCUMENT_BYTES = Topics.MAX_RECORD_BYTES - 64 * 1024;

    /** Keeps transactions as short as milliseconds. */
    private static final int FULL_AT_BYTES = 4 * 1024 * 1024;

    /** A version to be published. */
    record Version(RulesetKey key, byte[] document) {}

    /**
     * The answer to a client that waits.
     *
     * @param counted the tenant whose users count for the achievements in the body; null if the body needs no counts
     * @param versions of the ruleset before and after the edit; null if it is no edit of a ruleset, or was dropped
     */
    record Answer(
            ReplyTo replyTo,
            int status,
            Object body,
            @Nullable TenantId counted,
            @Nullable Versions versions) {}

    private final Function<TenantId, Ruleset> current;
    private final Map<TenantId, Ruleset> newest = new LinkedHashMap<>();
    private final AccessIndex index;
    private final Supplier<byte[]> entropy;
    private final Map<String, @Nullable AccessRecord> access = new LinkedHashMap<>();
    private final List<Version> versions = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();
    private @Nullable ConsumerRecord<byte[], byte[]> last;
    private long bytes;

    /**
     * @param current finds the newest published version of a tenant
     * @param index keys and secrets before the batch. An {@link AccessEdit} and an {@link Edit.Patch} must be the first edit of a
     *        batch, since they do not see changes of keys and secrets by edits before them
     * @param entropy supplies 32 random bytes at each call
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
     * Adds an edit. If applying it throws, the edit changes nothing and its client receives an error. Otherwise this defect would stop
     * the writers of all nodes, one after the other.
     */
    void add(ConsumerRecord<byte[], byte[]> record, TenantId tenant, Edit edit, Instant at) {
        try {
            apply(record, tenant, edit, at);
            last = record;
        } catch (RuntimeException e) {
            drop(record, e);
        }
    }

    /** Adds an edit that cannot be read or applied: it changes nothing, and its client receives an error. */
    void drop(ConsumerRecord<byte[], byte[]> record, RuntimeException why) {
        LOG.error(
                "Dropped the edit at offset {} of {}: it could not be read or applied",
                record.offset(),
                record.topic(),
                why);
        last = record;
        answer(
                record,
                500,
                new ErrorBody("Internal error: the edit could not be judged. Nothing was changed."),
                null,
                null);
    }

    private void apply(ConsumerRecord<byte[], byte[]> record, TenantId tenant, Edit edit, Instant at) {
        switch (edit) {
            case Edit.OfRuleset ofRuleset -> apply(record, tenant, ofRuleset, at);
            case AccessEdit ofAccess -> {
                EditResult result = Editor.apply(
                        index,
                        tenant,
                        ofAccess,
                        at,
                        current.apply(TenantId.NONE).version() > 0);
                access.putAll(result.access());
                answer(record, result.status(), result.body(), null, null);
            }
        }
    }

    private void apply(ConsumerRecord<byte[], byte[]> record, TenantId tenant, Edit.OfRuleset edit, Instant at) {
        Ruleset changed = newest.get(tenant);
        Ruleset before = changed == null ? current.apply(tenant) : changed;
        EditResult result = Editor.apply(before, index, edit, at, entropy.get());
        // The author comes with the edit, so the writer of another node would make the same document.
        Ruleset next = result.ruleset() == null
                ? null
                : CompiledRuleset.noted(before, result.ruleset().by(ReplyHeaders.author(record.headers())));
        long version = before.version();
        if (next != null) {
            byte[] document = Topics.RULESETS.valueBytes(next);
            if (document.length > MAX_DOCUMENT_BYTES) {
                result = tooLarge(document.length);
            } else {
                bytes += document.length;
                versions.add(new Version(new RulesetKey(tenant, next.version()), document));
                newest.put(tenant, next);
                version = next.version();
            }
        }
        access.putAll(result.access());
        boolean isCounted = edit instanceof Edit.Update update && update.kind() == ObjectKind.ACHIEVEMENT;
        answer(
                record,
                result.status(),
                result.body(),
                isCounted ? tenant : null,
                new Versions(before.version(), version));
    }

    private void answer(
            ConsumerRecord<byte[], byte[]> record,
            int status,
            Object body,
            @Nullable TenantId counted,
            @Nullable Versions versions) {
        ReplyTo replyTo = ReplyHeaders.read(record.headers());
        if (replyTo != null) {
            answers.add(new Answer(replyTo, status, body, counted, versions));
        }
    }

    /**
     * The partitions of the log that get the marker of a version: those with users of the tenant, and the tenant's own partition, which
     * announces what concerns all its users. A partition that gets its first user later learns the version from the user's command, or
     * from its task. All partitions get the marker
     * <ul>
     * <li>of a version of {@link TenantId#NONE}, since a program that writes to the log itself may create a user in any of them without a
     * header;
     * <li>of a version in which a leaderboard is finished by hand, since its ranks are final once all partitions know that;
     * <li>while the users are not known.
     * </ul>
     *
     * @param former the newest version before those that are published together with {@code newest}
     * @param withUsers the partitions with users of the tenant; null: not known
     */
    static BitSet marked(Ruleset former, Ruleset newest, @Nullable BitSet withUsers, int partitions) {
        TenantId tenant = newest.tenant();
        var marked = new BitSet(partitions);
        if (withUsers == null || tenant.equals(TenantId.NONE) || isAnyFinished(former, newest)) {
            marked.set(0, partitions);
        } else {
            marked.or(withUsers);
            marked.set(new LogLayout(partitions).partitionOf(tenant.bytes()));
        }
        return marked;
    }

    private static boolean isAnyFinished(Ruleset former, Ruleset newest) {
        return newest.leaderboards().stream()
                .anyMatch(board -> board.status() == LeaderboardStatus.FINISHED
                        && former.leaderboards().stream()
                                .noneMatch(was ->
                                        was.number() == board.number() && was.status() == LeaderboardStatus.FINISHED));
    }

    /** Kafka would refuse the document: this edit would be tried again forever, and all later edits would wait. */
    private static EditResult tooLarge(int size) {
        return new EditResult(
                null,
                Map.of(),
                422,
                new ErrorBody("The ruleset would take " + size
                        + " bytes, ids and all that was ever taken out included; at most " + MAX_DOCUMENT_BYTES
                        + " are possible. Nothing was changed."));
    }

    /** The versions in their order. */
    List<Version> versions() {
        return versions;
    }

    /** The changes of keys and secrets, by record key; null: the record is deleted. */
    Map<String, @Nullable AccessRecord> access() {
        return access;
    }

    /** The newest version of each tenant for which the batch has one. */
    Map<TenantId, Ruleset> newest() {
        return newest;
    }

    /** The answers to clients that wait, in the order of the edits. */
    List<Answer> answers() {
        return answers;
    }

    /** The record that was added last. */
    ConsumerRecord<byte[], byte[]> last() {
        return requireNonNull(last, "the batch is empty");
    }
}
