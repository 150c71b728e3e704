package dev.laurel.delivery.throttle;

import dev.laurel.delivery.StoredForms;
import dev.laurel.delivery.throttle.RankDiff.FormerRank;
import dev.laurel.delivery.throttle.RankDiff.Move;
import dev.laurel.delivery.throttle.ThrottleStore.PointsWindow;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The stored values of what is throttled. */
class ThrottleCodecsTest extends StoredForms {

    private static final UUID ID = new UUID(0x0102030405060708L, 0x1112131415161718L);
    private static final UUID OTHER = new UUID(0x2122232425262728L, 0x3132333435363738L);
    private static final Instant AT = Instant.parse("2026-03-04T09:15:00.25Z");
    private static final HookEvent EVENT = new HookEvent(
            ID,
            new TenantId("acme"),
            AT,
            WebhookEvent.POINTS_CHANGED,
            List.of(OTHER),
            "gems",
            "{\"type\":\"points.changed\"}");

    @Override
    protected List<Example<?>> examples() {
        var all = new ArrayList<Example<?>>();
        all.add(new Example<>(
                "throttled-points-v2",
                ThrottleStore.POINTS,
                new PointsWindow(1_772_618_460_000L, 8_841, PointsWindow.NO_OFFSET, true, EVENT)));
        all.add(new Example<>(
                "throttled-points-v2-nothing",
                ThrottleStore.POINTS,
                new PointsWindow(1_772_618_460_000L, 8_841, 8_840, false, null)));
        all.add(new Example<>(
                "throttled-group-v2",
                ThrottleStore.GROUP,
                new GroupNotices(
                        6,
                        LocalDate.parse("2026-03-01"),
                        LocalDate.parse("2026-03-07"),
                        true,
                        1_772_618_400_000L,
                        List.of(
                                new Move(new UserId("swimmer-77"), 4, new BigDecimal("42.5"), true),
                                new Move(new UserId("swimmer-12"), 0, null, false)),
                        1_772_618_460_000L,
                        1_772_618_470_000L)));
        all.add(new Example<>(
                "throttled-group-v2-perpetual",
                ThrottleStore.GROUP,
                GroupNotices.none(6, LocalDate.parse("1969-12-30"), null)));
        all.add(new Example<>(
                "throttled-rank-v2",
                ThrottleStore.RANK,
                new FormerRank(3, new BigDecimal("-12.5"), 1_772_618_400_000L, true)));
        all.add(new Example<>(
                "throttled-rank-v2-left", ThrottleStore.RANK, new FormerRank(0, null, FormerRank.NEVER, false)));
        return all;
    }
}
