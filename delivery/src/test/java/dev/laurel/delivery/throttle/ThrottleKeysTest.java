package dev.laurel.delivery.throttle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.delivery.throttle.ThrottleStore.ThrottleKeys;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

/** Checks the keys of what is throttled: the approved keys are in the file {@code stored/throttle-keys.txt}. */
class ThrottleKeysTest {

    private static final Path FILE = Path.of("src/test/resources/stored/throttle-keys.txt");
    private static final UUID OTHER = new UUID(0x2122232425262728L, 0x3132333435363738L);
    private static final TenantId ACME = new TenantId("acme");
    private static final UserId ANN = new UserId("ann");
    private static final LeaderboardGroup GROUP = new LeaderboardGroup(ACME, 7, 20_000, List.of("Fr"));
    private static final byte[] OUTBOX_KEY = "acme/ann".getBytes(UTF_8);
    private static final long AT_MS = 1_772_618_400_000L;

    private static Map<String, Bytes> keys() {
        var keys = new LinkedHashMap<String, Bytes>();
        keys.put("throttled points", ThrottleKeys.points(OTHER, OUTBOX_KEY));
        keys.put("throttled group", ThrottleKeys.group(GROUP));
        keys.put("throttled rank", ThrottleKeys.rank(GROUP, ANN));
        keys.put("throttled due-points", ThrottleKeys.due(AT_MS, ThrottleKeys.points(OTHER, OUTBOX_KEY)));
        return keys;
    }

    @Test
    void shouldBeTheApprovedKeys() throws IOException {
        String keys = keys().entrySet().stream()
                .map(key -> key.getKey() + " "
                        + HexFormat.of().formatHex(key.getValue().get()) + "\n")
                .collect(Collectors.joining());
        if (Boolean.getBoolean("laurel.approve")) {
            Files.writeString(FILE, keys);
        }

        assertEquals(
                Files.readString(FILE), keys, "keys are durable data: entries under former keys would not be found");
    }

    @Test
    void shouldReadTheApprovedKeysBack() throws IOException {
        Map<String, Bytes> keys = approved();

        assertEquals(OTHER, StoreKeys.idAtEndOf(keys.get("throttled points")));
        assertArrayEquals(OUTBOX_KEY, ThrottleKeys.outboxKeyOf(keys.get("throttled points")));
        assertEquals(ANN, ThrottleKeys.userOf(keys.get("throttled rank"), ThrottleKeys.ranksOf(GROUP).length));
        Bytes due = keys.get("throttled due-points");
        assertEquals(AT_MS, ThrottleKeys.timeOf(due));
        assertEquals(keys.get("throttled points"), ThrottleKeys.subjectOf(due));
        assertEquals(ThrottleKeys.POINTS, ThrottleKeys.kindOf(ThrottleKeys.subjectOf(due)));
    }

    private static Map<String, Bytes> approved() throws IOException {
        return Files.readAllLines(FILE).stream()
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.lastIndexOf(' ')),
                        line -> Bytes.wrap(HexFormat.of().parseHex(line.substring(line.lastIndexOf(' ') + 1)))));
    }
}
