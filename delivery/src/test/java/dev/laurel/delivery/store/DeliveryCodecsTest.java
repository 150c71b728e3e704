package dev.laurel.delivery.store;

import dev.laurel.core.sending.MessageDelivery.Ended;
import dev.laurel.core.sending.MessageDelivery.Ending;
import dev.laurel.core.sending.MessageDelivery.State;
import dev.laurel.core.sending.MessageDelivery.Waiting;
import dev.laurel.core.sending.MessageDelivery;
import dev.laurel.core.throttle.GroupNotices;
import dev.laurel.core.throttle.RankDiff.FormerRank;
import dev.laurel.core.throttle.RankDiff.Move;
import dev.laurel.delivery.store.EndpointLanes.Lane;
import dev.laurel.delivery.store.ThrottleStore.PointsWindow;
import dev.laurel.delivery.store.WebhookDelivery.Attempt;
import dev.laurel.delivery.store.WebhookDelivery.InLane;
import dev.laurel.delivery.store.WebhookDelivery.Later;
import dev.laurel.delivery.store.WebhookDelivery.Status;
import dev.laurel.processors.store.Codec.StoredFormatException;
import dev.laurel.processors.store.Codec;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/**
 * The stored values of delivery keep their form. The approved bytes are files in {@code stored/}; a new form needs a new version, which
 * gets new files. They contain every constant of the enums that are stored by ordinal.
 */
class DeliveryCodecsTest {

    private static final Path FOLDER = Path.of("src/test/resources/stored");
    private static final UUID ID = new UUID(0x0102030405060708L, 0x1112131415161718L);
    private static final UUID OTHER = new UUID(0x2122232425262728L, 0x3132333435363738L);
    private static final Instant AT = Instant.parse("2026-03-04T09:15:00.25Z");
    private static final HookEvent EVENT = new HookEvent(ID, new TenantId("acme"), AT, WebhookEvent.POINTS_CHANGED,
            List.of(OTHER), "gems", "{\"type\":\"points.changed\"}");

    /** A value of one of the codecs. */
    private record Example<T>(String file, Codec<T> codec, T value) {

        byte[] encoded() {
            return codec.encode(value);
        }

        T decoded(byte[] bytes) {
            return codec.decode(bytes);
        }

        void assertIs(T other) {
            if (value instanceof byte[] bytes) {
                assertArrayEquals(bytes, (byte[]) other);
            } else if (value instanceof WebhookStore.Body(byte[] owner, byte[] bytes)) {
                assertArrayEquals(owner, ((WebhookStore.Body) other).owner());
                assertArrayEquals(bytes, ((WebhookStore.Body) other).bytes());
            } else {
                assertEquals(value, other);
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldWriteTheApprovedBytes() {
        return each(example -> assertEquals(HexFormat.of().formatHex(approved(example)),
                HexFormat.of().formatHex(example.encoded()),
                "the stored form has changed: it needs a new version"));
    }

    @TestFactory
    Stream<DynamicTest> shouldReadTheApprovedBytes() {
        return each(DeliveryCodecsTest::readApproved);
    }

    private static <T> void readApproved(Example<T> example) throws IOException {
        example.assertIs(example.decoded(approved(example)));
    }

    @TestFactory
    Stream<DynamicTest> shouldRefuseOtherVersions() {
        return each(example -> {
            byte[] stored = approved(example);
            for (int version : new int[]{example.codec().version() + 1, 127, 0, -1}) {
                stored[0] = (byte) version;
                assertThrows(StoredFormatException.class, () -> example.decoded(stored), "version " + version);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> shouldRefuseTruncatedAndExtraBytes() {
        return each(example -> {
            byte[] stored = approved(example);
            for (int length = 0; length <= stored.length + 1; length++) {
                byte[] changed = Arrays.copyOf(stored, length);
                if (length != stored.length) {
                    assertThrows(StoredFormatException.class, () -> example.decoded(changed), length + " bytes");
                }
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> shouldRefuseDamagedBytesOrReadThemAsAnotherValue() {
        return each(example -> {
            byte[] stored = approved(example);
            var random = new Random(7);
            for (int i = 0; i < 2_000; i++) {
                byte[] damaged = stored.clone();
                for (int hits = random.nextInt(4); hits >= 0; hits--) {
                    damaged[1 + random.nextInt(damaged.length - 1)] = (byte) random.nextInt();
                }
                try {
                    example.decoded(damaged);
                } catch (StoredFormatException _) {
                    // Expected for most damages; any other exception fails the test.
                }
            }
        });
    }

    /** Checks one example. */
    private interface Check {

        void check(Example<?> example) throws IOException;
    }

    private static Stream<DynamicTest> each(Check check) {
        return examples().stream()
                .map(example -> DynamicTest.dynamicTest(example.file(), () -> check.check(example)));
    }

    private static List<Example<?>> examples() {
        var all = new ArrayList<Example<?>>();
        for (Status status : Status.values()) {
            all.add(new Example<>("webhook-delivery-v2-" + lower(status), WebhookStore.DELIVERY,
                    hookDelivery(status)));
        }
        all.add(new Example<>("webhook-lane-v2", EndpointLanes.LANE, new Lane(ID, 7, 300, 12)));
        all.add(new Example<>("webhook-id-v1", EndpointLanes.ID, ID));
        all.add(new Example<>("webhook-body-v1", EndpointLanes.KEY, "{\"type\":\"streak.lost\"}".getBytes(UTF_8)));
        all.add(new Example<>("webhook-owned-body-v1", WebhookStore.BODY,
                new WebhookStore.Body("acme/ann".getBytes(UTF_8), "{}".getBytes(UTF_8))));
        all.add(new Example<>("webhook-ids-v1", WebhookStore.IDS, List.of(ID, OTHER)));
        all.add(new Example<>("message-v2-waiting", MessageStore.DELIVERY,
                message(0, new Waiting(2, 1_772_618_460_000L))));
        for (int i = 0; i < Math.max(Ending.values().length, NotificationType.values().length); i++) {
            Ending how = Ending.values()[i % Ending.values().length];
            State ended = new Ended(how, how == Ending.SENT ? null : "because", 1_772_618_520_000L);
            all.add(new Example<>("message-v2-" + lower(how), MessageStore.DELIVERY, message(i, ended)));
        }
        all.add(new Example<>("message-mark-v1", MessageStore.LIFE, OTHER));
        all.add(new Example<>("throttled-points-v2", ThrottleStore.POINTS,
                new PointsWindow(1_772_618_460_000L, 8_841, PointsWindow.NO_OFFSET, true, EVENT)));
        all.add(new Example<>("throttled-points-v2-nothing", ThrottleStore.POINTS,
                new PointsWindow(1_772_618_460_000L, 8_841, 8_840, false, null)));
        all.add(new Example<>("throttled-group-v2", ThrottleStore.GROUP,
                new GroupNotices(6, LocalDate.parse("2026-03-01"), LocalDate.parse("2026-03-07"), true,
                        1_772_618_400_000L,
                        List.of(new Move(new UserId("swimmer-77"), 4, new BigDecimal("42.5"), true),
                                new Move(new UserId("swimmer-12"), 0, null, false)),
                        1_772_618_460_000L, 1_772_618_470_000L)));
        all.add(new Example<>("throttled-group-v2-perpetual", ThrottleStore.GROUP,
                GroupNotices.none(6, LocalDate.parse("1969-12-30"), null)));
        all.add(new Example<>("throttled-rank-v2", ThrottleStore.RANK,
                new FormerRank(3, new BigDecimal("-12.5"), 1_772_618_400_000L, true)));
        all.add(new Example<>("throttled-rank-v2-left", ThrottleStore.RANK,
                new FormerRank(0, null, FormerRank.NEVER, false)));
        return all;
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** A delivery with a distinct value in every field. */
    private static WebhookDelivery hookDelivery(Status status) {
        return new WebhookDelivery(ID, OTHER, WebhookEvent.LEADERBOARD_RANK_CHANGED, AT, status,
                List.of(new Attempt(AT.plusSeconds(1), 503, null, 250),
                        new Attempt(AT.plusSeconds(61), null, "no answer", 10_000)),
                5, 2, true,
                switch (status) {
                    case PENDING -> new InLane(Bytes.wrap("acme/swimmer-77".getBytes(UTF_8)), 300);
                    case SUCCEEDED -> null;
                    case FAILED -> new Later(1_772_618_460_000L, true);
                });
    }

    private static MessageDelivery message(int number, State state) {
        NotificationType[] types = NotificationType.values();
        NotificationChannel[] channels = NotificationChannel.values();
        var copy = new MessageCopy(channels[number % channels.length], OTHER, 3);
        return new MessageDelivery(ID, new UserKey(new TenantId("acme"), new UserId("swimmer-77")), AT, 6,
                types[number % types.length], copy, state instanceof Waiting ? "{\"streak\":5}" : null,
                1_772_618_400_000L, state,
                List.of(new MessageDelivery.Attempt(1_772_618_401_000L, "busy"),
                        new MessageDelivery.Attempt(1_772_618_402_000L, null)));
    }

    private static byte[] approved(Example<?> example) throws IOException {
        Path file = FOLDER.resolve(example.file() + ".hex");
        if (Boolean.getBoolean("laurel.approve")) {
            Files.writeString(file, HexFormat.of().formatHex(example.encoded()).replaceAll(".{64}", "$0\n") + "\n");
        }
        return HexFormat.of().parseHex(Files.readString(file).replaceAll("\\s", ""));
    }
}
