package dev.laurel.deploy.tools.topics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.command.Command.EraseUser;
import dev.laurel.schemas.command.Command.IssueKey;
import dev.laurel.schemas.command.Command.RevokeOwnedKey;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.UserResourceIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SegmentTest {

    private static final BackupRecord RICH = new BackupRecord(
            3,
            1_700_000_000_000L,
            bytes("ida"),
            bytes("{}"),
            List.of(new RecordHeader("a", bytes("1")), new RecordHeader("a", null)));
    private static final BackupRecord BARE = new BackupRecord(7, 0, null, null, List.of());

    @TempDir
    private Path folder;

    @Test
    void shouldReadWhatWasWritten() throws IOException {
        Segment segment = write(3, 9, RICH, BARE);

        assertEquals("00000000000000000003-00000000000000000009.records.gz", segment.fileName());
        assertEquals(segment, Segment.parse(segment.fileName()));
        try (var reader = new Segment.Reader(folder, segment)) {
            BackupRecord rich = reader.next();
            assertTrue(rich.hasSameContentAs(RICH));
            assertEquals(3, rich.offset());
            assertTrue(reader.next().hasSameContentAs(BARE));
            assertNull(reader.next());
        }
    }

    @Test
    void shouldCompareContent() {
        assertFalse(
                RICH.hasSameContentAs(new BackupRecord(3, RICH.timestampMs(), RICH.key(), RICH.value(), List.of())));
        assertFalse(RICH.hasSameContentAs(
                new BackupRecord(3, RICH.timestampMs(), RICH.key(), bytes("{ }"), RICH.headers())));
        assertFalse(RICH.hasSameContentAs(new BackupRecord(3, 1, RICH.key(), RICH.value(), RICH.headers())));
        assertTrue(RICH.hasSameContentAs(
                new BackupRecord(4, RICH.timestampMs(), bytes("ida"), bytes("{}"), RICH.headers())));
    }

    @Test
    void shouldRefuseFileThatIsCutOrChanged() throws IOException {
        Segment segment = write(3, 9, RICH, BARE);
        Path file = folder.resolve(segment.fileName());
        byte[] whole = Files.readAllBytes(file);

        for (int length = 0; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThrows(CommandFailed.class, () -> readAll(segment), "cut to " + length);
        }
        for (int at = 10; at < whole.length - 4; at++) { // The gzip header contains nothing relevant.
            byte[] changed = whole.clone();
            changed[at] ^= 0x10;
            Files.write(file, changed);
            assertThrows(CommandFailed.class, () -> readAll(segment), "changed at " + at);
        }
    }

    @Test
    void shouldDeleteUnfinishedFile() throws IOException {
        try (var writer = new Segment.Writer(folder, 0)) {
            writer.write(RICH);
        }

        try (var files = Files.list(folder)) {
            assertEquals(List.of(), files.toList());
        }
    }

    @Test
    void shouldKeepOffsetsAndFillGaps() throws IOException {
        Segment segment = write(0, 9, RICH, BARE);

        List<BackupRecord> all = copy(segment, 9, false);

        assertEquals(
                List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L),
                all.stream().map(BackupRecord::offset).toList());
        assertTrue(all.get(3).hasSameContentAs(RICH));
        assertTrue(all.get(2).hasSameContentAs(BackupRecord.blank(2, RICH.timestampMs())));
        assertTrue(all.get(4).hasSameContentAs(BackupRecord.blank(4, RICH.timestampMs())));
    }

    @Test
    void shouldReplaceLeftOutRecordsByBlankOnes() throws IOException {
        Segment segment = write(0, 9, RICH, BARE);

        BackupRecord third = copy(segment, 9, true).get(3);

        assertTrue(third.hasSameContentAs(BackupRecord.blank(3, RICH.timestampMs())));
    }

    @Test
    void shouldForgetRecordsUpToLastErasure() {
        var erased = new RecordFilter.ErasedUsers(0, 1);
        erased.scan(record(5, "ida", "{\"type\":\"erase-user\",\"user\":{\"id\":\"ida\"}}"));
        erased.scan(
                record(6, "eve", "{\"type\":\"event\",\"metric\":\"\\\"erase-user\\\"\",\"user\":{\"id\":\"eve\"}}"));
        erased.scan(record(7, "eve", "{\"type\":\"erase-user\",\"user\":{\"id\":\"ida\"}}"));

        assertTrue(erased.isForgotten(record(1, "ida", "{}")));
        assertTrue(erased.isForgotten(record(5, "ida", "{}")));
        assertFalse(erased.isForgotten(record(6, "ida", "{}")), "a user who returns is a new one");
        assertFalse(erased.isForgotten(record(1, "eve", "{}")), "the ledger refused the erasure");
        assertFalse(erased.isForgotten(record(1, null, "{}")));
    }

    @Test
    void shouldKeepRecordsOfUserWhoseErasureWasRefusedForKeys() {
        var key = UserResourceIds.of(UserKey.of("ida"), UUID.fromString("00000000-0000-4000-8000-000000000001"));
        var other = UserResourceIds.of(UserKey.of("ida"), UUID.fromString("00000000-0000-4000-8000-000000000002"));
        var user = UserChange.mention(new UserId("ida"));
        var erased = new RecordFilter.ErasedUsers(0, 1);
        erased.scan(record(1, "ida", CommandJson.write(new IssueKey(user, key, Role.VIEWER, null))));
        erased.scan(record(2, "ida", CommandJson.write(new IssueKey(user, other, Role.SUPPORT, null))));
        erased.scan(record(3, null, CommandJson.write(new RevokeOwnedKey(TenantId.NONE, other))));
        erased.scan(record(4, "ida", CommandJson.write(new EraseUser(user))));
        assertFalse(erased.isForgotten(record(1, "ida", "{}")), "one key is left");

        erased.scan(record(5, "ida", CommandJson.write(new EraseUser(user, List.of(key)))));
        assertTrue(erased.isForgotten(record(4, "ida", "{}")));
        assertFalse(erased.isForgotten(record(6, "ida", "{}")));

        erased.scan(record(7, "ida", CommandJson.write(new EraseUser(user))));
        assertTrue(erased.isForgotten(record(6, "ida", "{}")), "the erasure took the keys");
    }

    @Test
    void shouldIgnoreErasureInWrongPartition() {
        var here = new RecordFilter.ErasedUsers(0, 2);
        var there = new RecordFilter.ErasedUsers(1, 2);
        BackupRecord erasure = record(5, "ida", "{\"type\":\"erase-user\",\"user\":{\"id\":\"ida\"}}");
        here.scan(erasure);
        there.scan(erasure);

        assertTrue(here.isForgotten(erasure) != there.isForgotten(erasure));
    }

    private static BackupRecord record(long offset, String key, String value) {
        return record(offset, key, bytes(value));
    }

    private static BackupRecord record(long offset, String key, byte[] value) {
        return new BackupRecord(offset, 1, key == null ? null : bytes(key), value, List.of());
    }

    private List<BackupRecord> copy(Segment segment, long end, boolean isLeftOut) {
        var all = new ArrayList<BackupRecord>();
        try (var copy = new RestoredLog(recordsOf(segment), end, _ -> isLeftOut)) {
            for (BackupRecord record = copy.next(); record != null; record = copy.next()) {
                all.add(record);
            }
        }
        return all;
    }

    private BackupFolder.Records recordsOf(Segment segment) {
        return new BackupFolder.Records(folder, List.of(segment));
    }

    private Segment write(long first, long next, BackupRecord... records) throws IOException {
        try (var writer = new Segment.Writer(folder, first)) {
            for (BackupRecord record : records) {
                writer.write(record);
            }
            return writer.finish(next);
        }
    }

    private void readAll(Segment segment) {
        try (var reader = new Segment.Reader(folder, segment)) {
            while (reader.next() != null) {
                // only checks that it can be read
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
