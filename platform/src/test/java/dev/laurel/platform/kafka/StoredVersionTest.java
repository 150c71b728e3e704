package dev.laurel.platform.kafka;

import dev.laurel.platform.kafka.StoredVersion.Snapshot;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class StoredVersionTest {

    private static final Snapshot SNAPSHOT = new Snapshot(7, document(4_000, -1));

    /** A document of objects with random ids, of which one differs from the others' form. */
    private static byte[] document(int objects, int changed) {
        var random = new Random(1);
        var text = new StringBuilder("{\"objects\":[");
        for (int i = 0; i < objects; i++) {
            text.append("{\"id\":\"").append(Long.toHexString(random.nextLong()))
                    .append(Long.toHexString(random.nextLong())).append("\",\"name\":\"Swim ")
                    .append(i == changed ? "further" : "far").append("\"},");
        }
        return text.append("]}").toString().getBytes(UTF_8);
    }

    @Test
    void shouldRestoreTheSameBytes() {
        for (int changed : new int[]{-1, 0, 2_000, 3_999}) {
            byte[] document = document(4_000, changed);
            byte[] difference = StoredVersion.difference(document, SNAPSHOT);

            assertFalse(StoredVersion.isWhole(difference));
            assertEquals(7, StoredVersion.snapshotOf(difference));
            assertTrue(difference.length < 200, "takes " + difference.length + " bytes of " + document.length);
            assertArrayEquals(document, StoredVersion.restore(difference, SNAPSHOT));
        }
    }

    @Test
    void shouldRestoreDocumentsThatHaveNothingInCommon() {
        byte[] small = "{}".getBytes(UTF_8);
        byte[] large = new byte[4 * 1024 * 1024 - 64 * 1024];
        new Random(2).nextBytes(large);

        assertArrayEquals(large, StoredVersion.restore(StoredVersion.difference(large, new Snapshot(1, small)),
                new Snapshot(1, small)));
        assertArrayEquals(small, StoredVersion.restore(StoredVersion.difference(small, new Snapshot(1, large)),
                new Snapshot(1, large)));
    }

    @Test
    void shouldFindChangesAnywhereInTheLargestDocuments() {
        var snapshot = new Snapshot(1, document(60_000, -1));
        assertTrue(snapshot.document().length > 3_000_000);
        byte[] document = document(60_000, 30_000);
        byte[] difference = StoredVersion.difference(document, snapshot);

        assertTrue(difference.length < 3_000, "takes " + difference.length + " bytes");
        assertArrayEquals(document, StoredVersion.restore(difference, snapshot));
    }

    @Test
    void shouldNotRestoreFromAnotherSnapshot() {
        byte[] difference = StoredVersion.difference(document(4_000, 3), SNAPSHOT);

        assertThrows(IllegalStateException.class,
                () -> StoredVersion.restore(difference, new Snapshot(8, SNAPSHOT.document())));
        assertThrows(IllegalStateException.class,
                () -> StoredVersion.restore(difference, new Snapshot(7, document(4_000, 9))));
    }

    @Test
    void shouldTellWholeDocumentsFromUnknownForms() {
        assertTrue(StoredVersion.isWhole(SNAPSHOT.document()));
        byte[] unknown = {2, 0};
        assertFalse(StoredVersion.isWhole(unknown));
        assertEquals("a ruleset version is stored in a form that this version of Laurel does not know; it begins with"
                + " byte 2",
                assertThrows(IllegalStateException.class, () -> StoredVersion.snapshotOf(unknown))
                        .getMessage());
    }
}
