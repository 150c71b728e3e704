package dev.laurel.processors.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.serde.CommandJson;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Repeated commands and refused commands change nothing. */
final class RepeatCheck implements Check {

    private static final String REPEATED = "a repeated command changed something";
    private static final String REFUSED = "a refused command changed something";

    /** Idempotency keys of accepted events, by user. */
    private final Set<String> used = new HashSet<>();

    private boolean isRepeat;
    private UserState userBefore;
    private Map<String, Map<String, String>> storesBefore;

    @Override
    public void before(World world, Step step) {
        if (step instanceof Step.Send send) {
            userBefore = world.state(UserKey.of(send.user()));
            isRepeat = isRepeat(world, send, read(send));
            storesBefore = isRepeat ? world.ledger().contents() : null;
        }
    }

    private boolean isRepeat(World world, Step.Send send, Command command) {
        return switch (command) {
            case RecordEvent event -> used.contains(keyOf(send, event));
            case CompleteAchievement complete -> {
                var achievement = world.rules().achievement(complete.achievement());
                yield achievement != null
                        && achievement.trigger() instanceof AchievementTrigger.Api
                        && userBefore != null
                        && userBefore.completions().contains(achievement.number());
            }
            default -> false;
        };
    }

    private static String keyOf(Step.Send send, RecordEvent event) {
        return send.user() + " " + event.metric() + " " + event.idempotencyKey();
    }

    static Command read(Step.Send send) {
        try {
            return CommandJson.read(send.json().getBytes(UTF_8));
        } catch (BadInputException e) {
            throw new IllegalArgumentException("no command: " + send.line(), e);
        }
    }

    @Override
    public void after(World world, World.Turn turn) {
        if (!(turn.step() instanceof Step.Send send)) {
            return;
        }
        boolean isRefused = turn.reply() != null
                ? turn.reply().status() >= 400
                : !turn.rejections().isEmpty();
        if (isRefused) {
            Checks.equal(REFUSED, List.of(), turn.effects(), send.line());
            Checks.equal(REFUSED, userBefore, world.state(UserKey.of(send.user())), send.line());
        }
        if (isRepeat) {
            Checks.equal(REPEATED, List.of(), turn.effects(), send.line());
            Checks.equal(REPEATED, storesBefore, world.ledger().contents(), send.line());
            Checks.that("a repeated command is refused", !isRefused, send::line);
        }
        if (turn.reply() != null && !isRefused) {
            checkAnswer(send, turn);
        }
        remember(send, isRefused);
        if (turn.effects().stream().anyMatch(e -> e.get("type").asString().equals("user.erased"))) {
            used.removeIf(key -> key.startsWith(send.user() + " "));
        }
    }

    private void checkAnswer(Step.Send send, World.Turn turn) {
        Command command = read(send);
        if (command instanceof RecordEvent || command instanceof CompleteAchievement) {
            Checks.equal(
                    "a repeated command is answered as another",
                    isRepeat ? 202 : 201,
                    turn.reply().status(),
                    send.line());
        }
        if (command instanceof RecordEvent event && event.idempotencyKey() != null) {
            Checks.equal(
                    "a repeated command is answered as another",
                    isRepeat,
                    turn.reply().body().get("idempotentReplayed").asBoolean(),
                    send.line());
        }
    }

    private void remember(Step.Send send, boolean isRefused) {
        if (!isRefused && read(send) instanceof RecordEvent event && event.idempotencyKey() != null) {
            used.add(keyOf(send, event));
        }
    }
}
