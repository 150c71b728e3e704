package dev.laurel.processors.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.audit.AuditRecord.Versions;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.wire.ErrorBody;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EditBatchTest {

    private static final TenantId CLUB = new TenantId("club");

    private final EditBatch batch = new EditBatch(Ruleset::empty, InMemoryAccessStore.index(), () -> new byte[32]);
    private long offset;

    @Test
    void shouldApplyEachEditToTheResultOfThoseBefore() {
        add(CLUB, metric("laps"));
        add(TenantId.NONE, metric("laps"));
        add(CLUB, metric("laps"));
        add(CLUB, metric("rows"));

        assertEquals(
                List.of("club@1", "@1", "club@2"),
                batch.versions().stream()
                        .map(version -> version.key().tenant().value() + "@"
                                + version.key().version())
                        .toList());
        assertEquals(
                List.of("laps", "rows"),
                batch.newest().get(CLUB).metrics().stream().map(Metric::key).toList());
        assertEquals(
                List.of(201, 201, 200, 201),
                batch.answers().stream().map(EditBatch.Answer::status).toList());
        assertEquals(3, batch.last().offset());
    }

    @Test
    void shouldWriteVersionsThatCanBeReadBack() {
        add(CLUB, metric("laps"));
        add(CLUB, metric("rows"));

        var read = Topics.RULESETS
                .value()
                .deserializer()
                .deserialize(Topics.RULESETS.name(), batch.versions().getLast().document());
        assertEquals(batch.newest().get(CLUB), read);
    }

    @Test
    void shouldAnswerOnlyWaitingClients() {
        batch.add(record(), CLUB, metric("laps"), Instant.EPOCH);

        assertEquals(List.of(), batch.answers());
        assertEquals(1, batch.versions().size());
    }

    @Test
    void shouldRefuseARulesetThatIsTooLargeAndContinue() {
        String body = "{\"metrics\": {" + many("{}") + "}, \"attributes\": {\"user\": {" + many("{}")
                + "}, \"event\": {" + many("{}") + "}}, \"achievements\": {" + many("{\"trigger\": \"api\"}") + "}}";
        assertTrue(body.length() < 1024 * 1024, "a body that a gateway takes");

        add(CLUB, new Edit.Replace(TestRulesets.source(body), null));
        add(CLUB, metric("laps"));

        EditBatch.Answer refused = batch.answers().getFirst();
        assertEquals(422, refused.status());
        String message = ((ErrorBody) refused.body()).error();
        assertTrue(message.contains("at most " + EditBatch.MAX_DOCUMENT_BYTES), message);
        assertEquals(1, batch.newest().get(CLUB).metrics().size());
        assertFalse(batch.isFull());
    }

    @Test
    void shouldDropAnEditThatCannotBeAppliedAndContinue() {
        add(CLUB, metric("laps"));
        add(CLUB, new Edit.Delete(null, null, List.of("7")));
        add(CLUB, null);
        add(CLUB, metric("rows"));

        assertEquals(
                List.of(201, 500, 500, 201),
                batch.answers().stream().map(EditBatch.Answer::status).toList());
        assertEquals(2, batch.versions().size());
        assertEquals(3, batch.last().offset());
    }

    /** The author comes with the edit; an edit that changes nothing makes no version, whoever sends it. */
    @Test
    void shouldNameTheAuthorAndTheVersionsOfEachEdit() {
        var ida = new Author(Author.Type.KEY, "7", "Ida");
        add(CLUB, new Edit.Replace(TestRulesets.source("{\"metrics\": {\"laps\": {}}}"), null), ida);
        add(
                CLUB,
                new Edit.Replace(TestRulesets.source("{\"metrics\": {\"laps\": {}}}"), null),
                new Author(Author.Type.PERSON, "8", "Bo"));
        add(CLUB, metric("rows"));

        assertEquals(
                Arrays.asList(ida, null),
                batch.versions().stream()
                        .map(version -> Topics.RULESETS
                                .value()
                                .deserializer()
                                .deserialize(Topics.RULESETS.name(), version.document())
                                .author())
                        .toList());
        assertEquals(
                List.of(new Versions(0, 1), new Versions(1, 1), new Versions(1, 2)),
                batch.answers().stream().map(EditBatch.Answer::versions).toList());
    }

    private void add(TenantId tenant, Edit edit) {
        add(tenant, edit, null);
    }

    private void add(TenantId tenant, Edit edit, @Nullable Author author) {
        ConsumerRecord<byte[], byte[]> record = record();
        ReplyHeaders.writeAuthor(record.headers(), author);
        ReplyHeaders.write(record.headers(), new ReplyTo(0, new UUID(7, record.offset())));
        batch.add(record, tenant, edit, Instant.EPOCH);
    }

    private ConsumerRecord<byte[], byte[]> record() {
        return new ConsumerRecord<>(Topics.RULESET_EDITS.name(), 0, offset++, null, null);
    }

    private static Edit metric(String key) {
        return new Edit.Create(
                ObjectKind.METRIC, null, List.of(new Edit.NewItem(UUID.randomUUID(), Map.of("name", key, "key", key))));
    }

    private static String many(String object) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> "\"k" + i + "\": " + object)
                .collect(Collectors.joining(", "));
    }
}
