package dev.laurel.processors.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.DeletePause;
import dev.laurel.schemas.command.Command.EraseUser;
import dev.laurel.schemas.command.Command.GrantBoost;
import dev.laurel.schemas.command.Command.GrantFreeze;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.PlanPause;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.ResetStreak;
import dev.laurel.schemas.command.Command.RestoreStreak;
import dev.laurel.schemas.command.Command.RevokeBoost;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.SetPreferences.StreakChange;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange.SignUp;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Boost.Rounding;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import dev.laurel.schemas.serde.CommandJson;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Makes random histories, the same for the same seed, independently of their results. */
final class Workload {

    /** The features of a history. */
    enum Kind {
        /** All features. */
        RICH,
        /**
         * The features of {@link SimulationModel}: no filters but those of achievements on users, freezes, pauses, boosts or moves between
         * zones.
         */
        PLAIN
    }

    /** Ordinary zones, and zones with half hours, at the date line or with unusual clock changes. */
    static final List<String> ZONES = List.of(
            "UTC",
            "Europe/London",
            "Europe/Helsinki",
            "America/New_York",
            "America/Sao_Paulo",
            "Asia/Kolkata",
            "Asia/Beirut",
            "Australia/Lord_Howe",
            "Pacific/Auckland",
            "Pacific/Apia",
            "Pacific/Honolulu",
            "Pacific/Kiritimati",
            "Pacific/Pago_Pago",
            "Africa/Casablanca");

    /** Soon after these, clocks change, a day is skipped, or February has 29 days. */
    private static final List<String> BEGINNINGS = List.of(
            "2011-12-20T00:00:00Z",
            "2018-10-20T00:00:00Z",
            "2024-02-20T00:00:00Z",
            "2024-10-10T00:00:00Z",
            "2025-03-15T00:00:00Z");

    private static final List<String> AMOUNTS =
            List.of("1", "1", "1", "2", "3", "7", "0.1", "0.25", "-1", "-3", "0", "25", "0.000000001");
    private static final int USERS = 6;
    private static final int RECENT = 40;

    private final Dice dice;
    private final Kind kind;
    private final RandomRules rules;
    private final List<Step> steps = new ArrayList<>();
    private final List<Step.Send> sent = new ArrayList<>();
    private final Map<String, String> homes = new HashMap<>();
    private Instant now;
    private int events;

    private Workload(Kind kind, long seed) {
        this.dice = new Dice(seed);
        this.kind = kind;
        this.rules = new RandomRules(dice, kind);
        this.now = Instant.parse(dice.pick(BEGINNINGS));
    }

    static List<Step> of(Kind kind, long seed, int steps) {
        return new Workload(kind, seed).make(steps);
    }

    private List<Step> make(int count) {
        publish();
        while (steps.size() < count - 3) {
            goOn();
            if (dice.percent(7)) {
                tick();
            } else if (dice.percent(2)) {
                publish();
            } else if (dice.percent(2)) {
                steps.add(
                        dice.percent(45)
                                ? new Step.Hold(now, dice.pick("x", "y"))
                                : new Step.Release(now, dice.pick("x", "y")));
            } else if (dice.percent(5) && !sent.isEmpty()) {
                steps.add(sent.get(Math.max(0, sent.size() - 1 - dice.below(RECENT))));
            } else if (dice.below(150) == 0) {
                steps.add(new Step.Restart(now));
            } else if (kind == Kind.RICH) {
                rich();
            } else {
                plain();
            }
        }
        steps.add(new Step.Release(now, "x"));
        steps.add(new Step.Release(now, "y"));
        steps.add(new Step.Ticks(now));
        return steps;
    }

    /** Mostly some hours, sometimes days or weeks, sometimes nothing. */
    private void goOn() {
        int roll = dice.below(1000);
        if (roll < 900) {
            now = now.plusSeconds(dice.below(3 * 3600));
        } else if (roll < 915) {
            now = now.plusSeconds(dice.below(3 * 86_400));
        } else if (roll < 919) {
            now = now.plus(Duration.ofDays(dice.below(50)));
        }
    }

    private void tick() {
        boolean isLate = dice.percent(5);
        steps.add(new Step.Ticks(isLate ? now.minusSeconds(dice.below(86_400)) : now));
    }

    private void publish() {
        steps.add(new Step.Publish(now, rules.next(now)));
    }

    /** Mostly now, sometimes late by minutes to months. */
    private Instant time() {
        if (!dice.percent(15)) {
            return now;
        }
        return now.minusSeconds(dice.below(dice.pick(3600, 86_400, 5 * 86_400, 100 * 86_400)) + 1);
    }

    private void rich() {
        int roll = dice.below(100);
        UserId user = user();
        var mention = UserChange.mention(user);
        if (roll < 66) {
            send(user, event(user, dice.percent(12) ? change(user) : mention));
        } else if (roll < 72) {
            send(user, new IdentifyUser(change(user), dice.percent(20)));
        } else if (roll < 77) {
            send(
                    user,
                    new CompleteAchievement(
                            dice.percent(10) ? change(user) : mention, "a" + dice.pick(5, 5, 6, 6, 0, 99)));
        } else if (roll < 81) {
            send(user, preferences(mention));
        } else if (roll < 84) {
            send(user, new GrantFreeze(mention));
        } else if (roll < 88) {
            send(user, pause(mention));
        } else if (roll < 90) {
            send(user, new DeletePause(mention, uuid()));
        } else if (roll < 92) {
            send(user, new RestoreStreak(mention));
        } else if (roll < 93) {
            send(user, new ResetStreak(mention));
        } else if (roll < 97) {
            send(user, boost(mention));
        } else if (roll < 99 || dice.percent(60)) {
            send(user, new RevokeBoost(mention, uuid(), null));
        } else {
            send(user, new EraseUser(mention));
        }
    }

    private void plain() {
        int roll = dice.below(100);
        UserId user = user();
        // The first command sets the zone, which does not change later.
        String home = homes.computeIfAbsent(user.value(), _ -> dice.pick(ZONES));
        var here = inCity(UserChange.mention(user).withTz(ZoneId.of(home)));
        if (dice.percent(6)) {
            // Neither late nor repeated: what timers that already fired have completed stays.
            var signedUp = new UserChange(
                    user,
                    Change.keep(),
                    Change.keep(),
                    here.tz(),
                    Change.keep(),
                    Change.keep(),
                    signUpDate(),
                    here.attributes());
            steps.add(step(now, user, dice.percent(50) ? event(user, signedUp) : new IdentifyUser(signedUp, false)));
        } else if (roll < 85) {
            send(user, event(user, here));
        } else if (roll < 93) {
            send(user, new IdentifyUser(here, false));
        } else if (roll < 95) {
            send(user, new ResetStreak(UserChange.mention(user)));
        } else {
            send(user, new CompleteAchievement(here, "a" + dice.pick(5, 6)));
        }
    }

    /** Now and then with another attribute. */
    private UserChange inCity(UserChange change) {
        if (dice.percent(70)) {
            return change;
        }
        Change<String> city = dice.percent(20) ? Change.clear() : Change.set(dice.pick(RandomRules.VALUES));
        return new UserChange(
                change.id(),
                change.email(),
                change.name(),
                change.tz(),
                change.deviceTokens(),
                change.subscribeToEmails(),
                change.signUpDate(),
                Map.of("city", city));
    }

    private void send(UserId user, Command command) {
        var send = step(time(), user, command);
        steps.add(send);
        sent.add(send);
    }

    private Step.Send step(Instant at, UserId user, Command command) {
        boolean asks = dice.percent(80) || !(command instanceof RecordEvent);
        return new Step.Send(at, user.value(), new String(CommandJson.write(command), UTF_8), asks);
    }

    /** Some users are more active than others. */
    private UserId user() {
        return new UserId("user-" + Math.min(dice.below(USERS), dice.below(USERS)));
    }

    /** Every event has an id, as from a gateway: an id derived from the offset would change with a restart. */
    private RecordEvent event(UserId user, UserChange change) {
        String metric = dice.percent(1) ? "unheard-of" : dice.pick(RandomRules.METRICS);
        Map<String, String> attributes = kind == Kind.PLAIN || dice.percent(50)
                ? Map.of()
                : Map.of(dice.percent(2) ? "unheard-of" : "pool", dice.pick(RandomRules.VALUES));
        String key = dice.percent(25) ? "key-" + dice.below(30) : null;
        return new RecordEvent(
                change,
                metric,
                new BigDecimal(dice.pick(AMOUNTS)),
                attributes,
                key,
                UUID.nameUUIDFromBytes(("event " + events++ + user).getBytes(UTF_8)));
    }

    private UserChange change(UserId user) {
        var mention = UserChange.mention(user);
        Change<ZoneId> tz = dice.percent(50)
                ? Change.keep()
                : dice.percent(10) ? Change.clear() : Change.set(ZoneId.of(dice.pick(ZONES)));
        Map<String, Change<String>> attributes = dice.percent(40)
                ? Map.of()
                : Map.of(
                        dice.percent(3) ? "unheard-of" : "city",
                        dice.percent(20) ? Change.clear() : Change.set(dice.pick(RandomRules.VALUES)));
        return new UserChange(
                user,
                dice.percent(85) ? Change.keep() : Change.set("swimmer@example.net"),
                dice.percent(85) ? Change.keep() : Change.set("Ida " + dice.below(3)),
                tz,
                dice.percent(90) ? mention.deviceTokens() : Change.set(List.of("token-" + dice.below(3))),
                dice.percent(90) ? Change.keep() : Change.set(dice.percent(50)),
                dice.percent(75) ? Change.keep() : signUpDate(),
                attributes);
    }

    /** Mostly a date whose anniversaries are near, or a time on it, sometimes one in the future. */
    private Change<SignUp> signUpDate() {
        if (dice.percent(15)) {
            return Change.clear();
        }
        LocalDate today = now.atZone(ZoneOffset.UTC).toLocalDate();
        LocalDate near = today.plusDays(dice.below(30) - 10L).minusYears(dice.below(4));
        LocalDate date = dice.percent(10) ? LocalDate.of(2008, 2, 29) : near;
        return Change.set(
                dice.percent(70)
                        ? new SignUp.OnDate(date)
                        : new SignUp.AtTime(
                                date.atStartOfDay(ZoneOffset.UTC).toInstant().plusSeconds(dice.below(86_400))));
    }

    private SetPreferences preferences(UserChange mention) {
        Change<EvaluationMode> mode = dice.percent(50)
                ? Change.keep()
                : dice.percent(20) ? Change.clear() : Change.set(dice.pick(EvaluationMode.AND, EvaluationMode.OR));
        Change<List<SetPreferences.Condition>> metrics =
                dice.percent(30) ? Change.keep() : dice.percent(20) ? Change.clear() : Change.set(conditions());
        Change<Boolean> enabled =
                dice.percent(75) ? Change.keep() : dice.percent(40) ? Change.clear() : Change.set(dice.percent(50));
        Change<List<Integer>> daysOff =
                dice.percent(60) ? Change.keep() : dice.percent(30) ? Change.clear() : Change.set(rules.daysOff());
        return new SetPreferences(
                mention,
                dice.percent(70)
                        ? Map.of()
                        : Map.of(NotificationType.RECAP, Change.set(Set.of(NotificationChannel.PUSH))),
                new StreakChange(enabled, mode, metrics, daysOff),
                new SetPreferences.LeaderboardsChange(
                        dice.percent(70)
                                ? Change.keep()
                                : dice.percent(30) ? Change.clear() : Change.set(dice.pick(Visibility.values()))));
    }

    private List<SetPreferences.Condition> conditions() {
        return RandomRules.METRICS.stream()
                .filter(_ -> dice.percent(40))
                .map(metric -> new SetPreferences.Condition(metric, new BigDecimal(dice.pick("0.1", "1", "2", "5"))))
                .toList();
    }

    private PlanPause pause(UserChange mention) {
        LocalDate start = today().plusDays(dice.below(8) - 1);
        return new PlanPause(mention, uuid(), start, start.plusDays(dice.below(dice.pick(2, 5, 40))));
    }

    private GrantBoost boost(UserChange mention) {
        LocalDate start = today().plusDays(dice.below(7) - 3);
        return new GrantBoost(
                mention,
                uuid(),
                dice.percent(5) ? "unheard-of" : dice.pick(RandomRules.SYSTEMS),
                "Boost",
                start,
                dice.percent(40) ? null : start.plusDays(dice.below(6)),
                new BigDecimal(dice.pick("0.5", "1.5", "2", "7.77")),
                dice.pick(Rounding.DOWN, Rounding.UP, Rounding.NEAREST));
    }

    /** Selects one of few keys, so that some are repeated. */
    private UUID uuid() {
        return new UUID(7, dice.below(4));
    }

    private LocalDate today() {
        return now.atZone(ZoneOffset.UTC).toLocalDate();
    }
}
