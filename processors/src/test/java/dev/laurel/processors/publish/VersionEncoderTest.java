package dev.laurel.processors.publish;

import dev.laurel.platform.kafka.StoredVersion.Snapshot;
import dev.laurel.processors.TestRulesets;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.ObjectKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetKey;
import dev.laurel.schemas.topic.Topics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class VersionEncoderTest {

    private static final TenantId CLUB = new TenantId("club");
    private static final byte[] BODY = ("{\"a\": \"" + "text that stays ".repeat(50) + "\", \"version\": ")
            .getBytes(UTF_8);

    private @Nullable Snapshot published;

    private static byte[] document(long version) {
        return (new String(BODY, UTF_8) + version + "}").getBytes(UTF_8);
    }

    /** Returns the numbers of the versions that are stored whole. */
    private List<Long> whole(VersionEncoder encoder, long from, long to) {
        var whole = new ArrayList<Long>();
        for (long version = from; version <= to; version++) {
            byte[] stored = encoder.encode(new RulesetKey(CLUB, version), document(version));
            if (stored[0] == '{') {
                whole.add(version);
            }
        }
        return whole;
    }

    private VersionEncoder encoder(int every) {
        return new VersionEncoder(every, _ -> published);
    }

    @Test
    void shouldStoreEveryFewVersionsWhole() {
        assertEquals(List.of(1L, 5L, 9L), whole(encoder(4), 1, 10));
        assertEquals(List.of(1L, 2L, 3L), whole(encoder(1), 1, 3));
    }

    @Test
    void shouldContinueAfterTheSnapshotThatIsPublished() {
        published = new Snapshot(5, document(5));
        assertEquals(List.of(9L), whole(encoder(4), 7, 10));

        published = new Snapshot(1, document(1));
        assertEquals(List.of(7L), whole(encoder(4), 7, 8));
    }

    @Test
    void shouldForgetItsSnapshotWhenAnotherWroteMeanwhile() {
        VersionEncoder encoder = encoder(4);
        whole(encoder, 1, 2);
        published = new Snapshot(5, document(5));
        encoder.clear();

        assertEquals(List.of(9L), whole(encoder, 6, 9));
    }

    @Test
    void shouldStoreADocumentWholeThatHasLittleInCommonWithItsSnapshot() {
        VersionEncoder encoder = encoder(4);
        whole(encoder, 1, 2);
        byte[] other = "{\"x\": 12345678}".getBytes(UTF_8);

        assertEquals(other, encoder.encode(new RulesetKey(CLUB, 3), other));
        assertEquals(List.of(7L), whole(encoder, 4, 8), "4 versions after the other document");
    }

    /** Edits objects of a tenant, and prints what their versions take; {@code -Dlaurel.edits=1000 -Dlaurel.objects=2000}. */
    @Test
    void shouldTakeAFractionOfTheWholeDocuments() {
        int edits = Integer.getInteger("laurel.edits", 200);
        int objects = Integer.getInteger("laurel.objects", 200);
        Ruleset current = TestRulesets.next(Ruleset.empty(CLUB), "metrics: {laps: {}}\nachievements: {"
                + IntStream.range(0, objects - 1)
                        .mapToObj(i -> "swim-" + i + ": {trigger: metric, metric: laps, value: "
                                + (i + 1) + "}")
                        .collect(Collectors.joining(", "))
                + "}", Instant.EPOCH);
        VersionEncoder encoder = encoder(64);
        long whole = 0;
        long stored = 0;
        long encodingNs = 0;
        for (int i = 0; i < edits; i++) {
            String id = current.achievements().get(i * 7 % current.achievements().size()).id().toString();
            var batch = new EditBatch(Map.of(CLUB, current)::get, new AccessIndex(), () -> new byte[32]);
            batch.add(new ConsumerRecord<>(Topics.RULESET_EDITS.name(), 0, i, null, null), CLUB,
                    new Edit.Update(ObjectKind.ACHIEVEMENT, null, List.of(Map.of("id", id, "name", "Name " + i))),
                    Instant.ofEpochSecond(i));
            current = batch.newest().get(CLUB);
            EditBatch.Version version = batch.versions().getFirst();
            whole += version.document().length;
            long startedNs = System.nanoTime();
            stored += encoder.encode(version.key(), version.document()).length;
            encodingNs += System.nanoTime() - startedNs;
        }
        System.out.printf(
                "%d edits of %d objects: %,d bytes as whole documents, %,d as differences; %.2f ms to encode one%n",
                edits, objects, whole, stored, encodingNs / 1e6 / edits);
        assertTrue(stored < whole / 10, stored + " of " + whole + " bytes");
    }
}
