package dev.laurel.processors.simulation;

import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.MetricState.RecentDays;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.PointsSystem;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Points equal the sums of their ledger, effects and days; totals of metrics equal the sums of their days. */
final class PointsCheck implements Check {

    private static final String PROPERTY = "points are not the sum of their ledger";

    /** The totals by the effects, by user and key of the system. */
    private final Map<String, Long> totals = new HashMap<>();

    @Override
    public void after(World world, World.Turn turn) {
        turn.effects().forEach(this::listen);
        if (World.userOf(turn.step()) instanceof UserKey user) {
            checkUser(world, user, PointsState.PAGE + 1);
        }
    }

    @Override
    public void whole(World world) {
        for (UserKey user : world.ledger().users()) {
            checkUser(world, user, Integer.MAX_VALUE);
            checkDays(user, world.state(user), world.history(user));
        }
    }

    private void listen(JsonNode effect) {
        String user = effect.get("user").asString();
        String type = effect.get("type").asString();
        if (type.equals("user.erased")) {
            totals.keySet().removeIf(key -> key.startsWith(user + " "));
        } else if (type.equals("points.changed")) {
            String key = user + " " + effect.get("systemKey").asString();
            long total = totals.getOrDefault(key, 0L);
            long added = 0;
            for (JsonNode award : effect.get("awards")) {
                added += award.get("awarded").asLong();
                Checks.equal(
                        "an effect does not add up",
                        total + added,
                        award.get("total").asLong(),
                        effect);
            }
            Checks.equal("an effect does not add up", added, effect.get("added").asLong(), effect);
            totals.put(key, total + added);
        }
    }

    /** @param newest the number of awards to check */
    private void checkUser(World world, UserKey user, int newest) {
        UserState state = world.state(user);
        if (state == null) {
            return;
        }
        for (PointsSystem system : world.rules().document().pointsSystems()) {
            PointsState points = state.points().get(system.number());
            long total = points == null ? 0 : points.total();
            String who = user + "'s " + system.key();
            Checks.equal(PROPERTY, totals.getOrDefault(user + " " + system.key(), 0L), total, who + " by effects");
            Checks.that(PROPERTY, total >= 0, () -> who + " is " + total);
            List<Award> awards = state.newestAwards(world.history(user), system.number(), newest);
            checkAwards(world, who, system, points, awards);
        }
    }

    private static void checkAwards(
            World world, String who, PointsSystem system, PointsState points, List<Award> awards) {
        int sequence = points == null ? 0 : points.awards();
        long total = points == null ? 0 : points.total();
        for (Award award : awards) {
            Checks.equal(PROPERTY, --sequence, award.sequence(), who + " in the order of " + award);
            Checks.equal(PROPERTY, total, award.total(), who + " after " + award);
            Checks.that(PROPERTY, award.awarded() != 0, () -> who + " with nothing awarded by " + award);
            total -= award.awarded();
            PointsSystem then =
                    world.ledger().rulesOfVersion(award.rulesetVersion()).pointsSystem(system.number());
            Checks.that(
                    "an award ends above the cap",
                    award.awarded() < 0 || then.maxPoints() == null || award.total() <= then.maxPoints(),
                    () -> who + " by " + award + " with a cap of " + then.maxPoints());
        }
        boolean isWhole = points == null || awards.size() == points.awards();
        boolean isCut = !awards.isEmpty() && sequence > 0;
        Checks.that(
                PROPERTY, isWhole || isCut, () -> who + ": " + awards.size() + " of " + points.awards() + " awards");
        if (isWhole) {
            Checks.equal(PROPERTY, 0L, total, who + " before the first award");
        }
    }

    private static void checkDays(UserKey user, UserState state, UserHistory history) {
        for (int i = 0; i < state.points().size(); i++) {
            PointsState points = state.points().valueAt(i);
            BigDecimal sum = sumOfDays(history, state.points().numberAt(i), points.day())
                    .add(BigDecimal.valueOf(points.dayChange()));
            Checks.that(
                    "points are not the sum of their days",
                    sum.compareTo(BigDecimal.valueOf(points.total())) == 0,
                    () -> user + ": " + sum + " of " + points);
        }
        for (int i = 0; i < state.metrics().size(); i++) {
            MetricState metric = state.metrics().valueAt(i);
            BigDecimal sum = sumOfDays(history, state.metrics().numberAt(i), metric.day())
                    .add(metric.bucket().change());
            Checks.that(
                    "a total is not the sum of its days",
                    sum.compareTo(metric.total()) == 0,
                    () -> user + ": " + sum + " of " + metric);
            var days = new ArrayList<>(history.days(state.metrics().numberAt(i), Integer.MIN_VALUE, metric.day()));
            days.add(new UserHistory.Day(metric.day(), metric.bucket()));
            RecentDays recent = RecentDays.NONE;
            for (UserHistory.Day day : days) {
                recent = recent.plus(day.day(), DayBucket.NONE, day.bucket(), metric.day());
            }
            Checks.that(
                    "counts of events are not those of their days",
                    metric.events()
                                    == days.stream()
                                            .mapToLong(day -> day.bucket().events())
                                            .sum()
                            && metric.recent().equals(recent),
                    () -> user + ": " + metric + " of " + days);
        }
    }

    private static BigDecimal sumOfDays(UserHistory history, int number, int newest) {
        BigDecimal sum = BigDecimal.ZERO;
        for (UserHistory.Day day : history.days(number, Integer.MIN_VALUE, Integer.MAX_VALUE)) {
            Checks.that("the newest day is stored twice", day.day() != newest, () -> number + " on " + day);
            sum = sum.add(day.bucket().change());
        }
        return sum;
    }
}
