package dev.laurel.processors.simulation;

import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.simulation.SimulationModel.Happening;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.ResetStreak;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange.SignUp;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The state equals {@link SimulationModel}. Only for histories of {@link Workload.Kind#PLAIN}. */
final class ModelCheck implements Check {

    private static final String PROPERTY = "the model differs";

    private final Map<UserKey, SimulationModel> models = new HashMap<>();
    private long version;

    /** The rules of this version; null before the first. */
    private Ruleset formerRules;

    @Override
    public void after(World world, World.Turn turn) {
        Ruleset rules = world.rules().document();
        if (turn.step() instanceof Step.Send send) {
            UserKey user = UserKey.of(send.user());
            boolean isAccepted = follow(user, send, rules);
            boolean isRefused = turn.reply() != null ? turn.reply().status() >= 400 : !turn.rejections().isEmpty();
            Checks.equal(PROPERTY, isAccepted, !isRefused, "accepted: " + send.line());
            checkUser(world, user, rules);
            if (turn.reply() != null && turn.reply().status() == 201
                    && RepeatCheck.read(send) instanceof RecordEvent) {
                JsonNode streak = turn.reply().body().get("currentStreak");
                Checks.equal(PROPERTY, models.get(user).isExtended(), streak.get("extended").asBoolean(),
                        "extended by " + send.line());
            }
        } else if (turn.step() instanceof Step.Ticks(Instant at)) {
            if (!world.isHeld()) {
                models.values().forEach(model -> model.tick(at, rules));
            }
        } else if (rules.version() > version) {
            version = rules.version();
            Ruleset former = formerRules;
            models.values().forEach(model -> {
                if (former != null) {
                    model.pass(world.publishedAt(), former);
                }
                model.publish(rules);
            });
            formerRules = rules;
        }
    }

    @Override
    public void whole(World world) {
        models.forEach((user, model) -> {
            checkUser(world, user, world.rules().document());
            model.totals().keySet().forEach(metric -> checkDays(world, user, model, metric));
        });
    }

    /** @return whether the model accepts it */
    private boolean follow(UserKey user, Step.Send send, Ruleset rules) {
        SimulationModel model = models.get(user);
        SimulationModel next = model == null ? fresh(rules) : model.copy();
        UserCommand command = (UserCommand) RepeatCheck.read(send);
        ZoneId zone = command.user().tz() instanceof Change.Set<ZoneId>(ZoneId tz) ? tz : ZoneId.of("UTC");
        Change<SignUp> signUp = command.user().signUpDate();
        Map<String, Change<String>> attributes = command.user().attributes();
        boolean isAccepted = switch (command) {
            case RecordEvent e -> next.isUsed(e.metric(), e.idempotencyKey()) || next.event(
                    new Happening(send.at(), zone, e.metric(), e.value(), e.idempotencyKey(), signUp, attributes),
                    rules);
            case IdentifyUser _ ->
                next.identify(new Happening(send.at(), zone, null, null, null, signUp, attributes), rules);
            case CompleteAchievement complete ->
                next.complete(new Happening(send.at(), zone, null, null, null, signUp, attributes),
                        complete.achievement(), rules);
            case ResetStreak _ -> next.reset(send.at(), rules);
            default -> throw new IllegalArgumentException("the model does not know " + send.line());
        };
        if (isAccepted) {
            models.put(user, next);
        }
        return isAccepted;
    }

    private static SimulationModel fresh(Ruleset rules) {
        var model = new SimulationModel();
        model.publish(rules);
        return model;
    }

    private void checkUser(World world, UserKey user, Ruleset rules) {
        UserState stored = world.state(user);
        Checks.equal(PROPERTY, models.containsKey(user), stored != null, user + " exists");
        if (stored == null) {
            return;
        }
        SimulationModel model = models.get(user).copy();
        model.pass(world.now(), rules);
        UserState state = world.advance(user, stored, world.now()).state();
        for (var metric : rules.metrics()) {
            MetricState counted = state.metrics().get(metric.number());
            BigDecimal total = counted == null ? BigDecimal.ZERO : counted.total();
            Checks.that(PROPERTY, total.compareTo(model.totals().getOrDefault(metric.key(), BigDecimal.ZERO)) == 0,
                    () -> user + "'s " + metric.key() + ": expected " + model.totals() + ", was " + total);
        }
        for (var system : rules.pointsSystems()) {
            PointsState points = state.points().get(system.number());
            Checks.equal(PROPERTY, model.points(system.key()), points == null ? 0 : points.total(),
                    user + "'s " + system.key());
        }
        for (var achievement : rules.achievements()) {
            Checks.equal(PROPERTY, model.achievements().contains(achievement.key()),
                    state.completions().contains(achievement.number()), user + " has " + achievement.key());
        }
        Checks.equal(PROPERTY, model.lengthAt(world.now(), rules), state.streak().length(),
                user + "'s streak at " + world.now());
    }

    private static void checkDays(World world, UserKey user, SimulationModel model, String metric) {
        int number = world.rules().metric(metric).metric().number();
        MetricState counted = world.state(user).metrics().get(number);
        model.days(metric).forEach((day, sum) -> {
            BigDecimal change = world.ledger().change(user.user().value(), number, (int) day.toEpochDay(), counted);
            Checks.that(PROPERTY, sum.compareTo(change) == 0,
                    () -> user + "'s " + metric + " on " + day + ": expected " + sum + ", was " + change);
        });
    }
}
