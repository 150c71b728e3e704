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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The state equals {@link SimulationModel}. Only for histories of {@link Workload.Kind#PLAIN}. A version of the rules that was replaced
 * before anything happened to a user has not touched that user (docs/semantics.md §1 "Ruleset version"). A timer that is due settles the
 * user, too; where one may have been due, the state must equal one of two models.
 */
final class ModelCheck implements Check {

    private static final String PROPERTY = "the model differs";

    private final Map<UserKey, List<SimulationModel>> models = new HashMap<>();

    /** Those from before the newest version. */
    private final Map<UserKey, List<SimulationModel>> formerModels = new HashMap<>();

    private long version;

    /** The rules of this version; null before the first. */
    private Ruleset formerRules;

    @Override
    public void after(World world, World.Turn turn) {
        Ruleset rules = world.rules().document();
        if (turn.step() instanceof Step.Send send) {
            UserKey user = UserKey.of(send.user());
            boolean isRefused = turn.reply() != null
                    ? turn.reply().status() >= 400
                    : !turn.rejections().isEmpty();
            follow(user, send, rules, !isRefused);
            checkUser(world, user, rules);
            if (turn.reply() != null && turn.reply().status() == 201 && RepeatCheck.read(send) instanceof RecordEvent) {
                JsonNode streak = turn.reply().body().get("currentStreak");
                Checks.equal(
                        PROPERTY,
                        models.get(user).getFirst().isExtended(),
                        streak.get("extended").asBoolean(),
                        "extended by " + send.line());
            }
        } else if (turn.step() instanceof Step.Ticks(Instant at)) {
            if (!world.isHeld()) {
                models.values().forEach(each -> each.forEach(model -> model.tick(at, rules)));
            }
        } else if (rules.version() > version) {
            version = rules.version();
            Ruleset former = formerRules;
            models.replaceAll((user, each) -> {
                List<SimulationModel> before = former == null ? each : candidates(world, user, each, former);
                formerModels.put(
                        user, before.stream().map(SimulationModel::copy).toList());
                before.forEach(model -> model.publish(rules));
                return before;
            });
            formerRules = rules;
        }
    }

    /** The models of a user when a version is replaced: whether that version has touched the user. */
    private List<SimulationModel> candidates(World world, UserKey user, List<SimulationModel> touched, Ruleset former) {
        UserState stored = world.state(user);
        var all = new ArrayList<SimulationModel>();
        boolean isTouched = stored.rulesVersion() == former.version();
        boolean mayBeTouched = stored.wakeUpMs() != 0
                && stored.wakeUpMs() <= world.publishedAt().toEpochMilli();
        if (isTouched || mayBeTouched) {
            all.addAll(touched);
        }
        if (!isTouched) {
            all.addAll(formerModels.get(user));
        }
        all.forEach(model -> model.pass(world.publishedAt(), former));
        return all;
    }

    @Override
    public void whole(World world) {
        List.copyOf(models.keySet()).forEach(user -> {
            checkUser(world, user, world.rules().document());
            SimulationModel model = models.get(user).getFirst();
            model.totals().keySet().forEach(metric -> checkDays(world, user, model, metric));
        });
    }

    private void follow(UserKey user, Step.Send send, Ruleset rules, boolean isAccepted) {
        List<SimulationModel> before = models.get(user);
        var after = new ArrayList<SimulationModel>();
        for (SimulationModel model : before == null ? List.of(fresh(rules)) : before) {
            SimulationModel next = model.copy();
            if (apply(send, next, rules) == isAccepted) {
                after.add(isAccepted ? next : model);
            }
        }
        Checks.that(PROPERTY, !after.isEmpty(), () -> "expected " + !isAccepted + ": accepted: " + send.line());
        if (isAccepted) {
            models.put(user, after);
            formerModels.putIfAbsent(user, List.of());
        }
    }

    /** @return whether the model accepts it; if not, the model must be discarded */
    private static boolean apply(Step.Send send, SimulationModel model, Ruleset rules) {
        UserCommand command = (UserCommand) RepeatCheck.read(send);
        ZoneId zone = command.user().tz() instanceof Change.Set<ZoneId>(ZoneId tz) ? tz : ZoneId.of("UTC");
        Change<SignUp> signUp = command.user().signUpDate();
        Map<String, Change<String>> attributes = command.user().attributes();
        return switch (command) {
            case RecordEvent e ->
                model.isUsed(e.metric(), e.idempotencyKey())
                        || model.event(
                                new Happening(
                                        send.at(), zone, e.metric(), e.value(), e.idempotencyKey(), signUp, attributes),
                                rules);
            case IdentifyUser _ ->
                model.identify(new Happening(send.at(), zone, null, null, null, signUp, attributes), rules);
            case CompleteAchievement complete ->
                model.complete(
                        new Happening(send.at(), zone, null, null, null, signUp, attributes),
                        complete.achievement(),
                        rules);
            case ResetStreak _ -> model.reset(send.at(), rules);
            default -> throw new IllegalArgumentException("the model does not know " + send.line());
        };
    }

    private static SimulationModel fresh(Ruleset rules) {
        var model = new SimulationModel();
        model.publish(rules);
        return model;
    }

    /** Keeps the models that the state equals. */
    private void checkUser(World world, UserKey user, Ruleset rules) {
        UserState stored = world.state(user);
        Checks.equal(PROPERTY, models.containsKey(user), stored != null, user + " exists");
        if (stored == null) {
            return;
        }
        UserState state = world.advance(user, stored, world.now()).state();
        List<SimulationModel> equal = models.get(user).stream()
                .filter(model -> difference(world, user, model, state, rules) == null)
                .toList();
        Checks.that(
                PROPERTY,
                !equal.isEmpty(),
                () -> difference(world, user, models.get(user).getFirst(), state, rules));
        models.put(user, new ArrayList<>(equal));
    }

    private static @Nullable String difference(
            World world, UserKey user, SimulationModel former, UserState state, Ruleset rules) {
        SimulationModel model = former.copy();
        model.pass(world.now(), rules);
        for (var metric : rules.metrics()) {
            MetricState counted = state.metrics().get(metric.number());
            BigDecimal total = counted == null ? BigDecimal.ZERO : counted.total();
            if (total.compareTo(model.totals().getOrDefault(metric.key(), BigDecimal.ZERO)) != 0) {
                return user + "'s " + metric.key() + ": expected " + model.totals() + ", was " + total;
            }
        }
        for (var system : rules.pointsSystems()) {
            PointsState points = state.points().get(system.number());
            long total = points == null ? 0 : points.total();
            if (model.points(system.key()) != total) {
                return user + "'s " + system.key() + ": expected " + model.points(system.key()) + ", was " + total;
            }
        }
        for (var achievement : rules.achievements()) {
            boolean isExpected = model.achievements().contains(achievement.key());
            if (isExpected != state.completions().contains(achievement.number())) {
                return user + " has " + achievement.key() + ": expected " + isExpected;
            }
        }
        int length = model.lengthAt(world.now(), rules);
        return length == state.streak().length()
                ? null
                : user + "'s streak at " + world.now() + ": expected " + length + ", was "
                        + state.streak().length();
    }

    private static void checkDays(World world, UserKey user, SimulationModel model, String metric) {
        int number = world.rules().metric(metric).metric().number();
        MetricState counted = world.state(user).metrics().get(number);
        model.days(metric).forEach((day, sum) -> {
            BigDecimal change = world.ledger().change(user.user().value(), number, (int) day.toEpochDay(), counted);
            Checks.that(
                    PROPERTY,
                    sum.compareTo(change) == 0,
                    () -> user + "'s " + metric + " on " + day + ": expected " + sum + ", was " + change);
        });
    }
}
