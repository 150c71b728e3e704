package dev.laurel.processors.simulation;

import dev.laurel.core.user.UserState;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** No achievement is completed twice or lost, and the statistics equal a recount. */
final class CompletionCheck implements Check {

    private final Set<String> told = new HashSet<>();
    private final Map<UserKey, Map<Integer, Long>> kept = new HashMap<>();

    @Override
    public void after(World world, World.Turn turn) {
        turn.effects().forEach(this::listen);
        List<UserKey> users = world.ledger().users();
        kept.keySet().retainAll(users);
        for (UserKey user : users) {
            checkUser(user, world.state(user));
        }
        recount(world, users);
    }

    private void listen(JsonNode effect) {
        String user = effect.get("user").asString();
        switch (effect.get("type").asString()) {
            case "achievement.completed" ->
                Checks.that(
                        "an achievement is completed twice",
                        told.add(user + " " + effect.get("achievementKey").asString()),
                        () -> effect);
            case "user.erased" -> {
                told.removeIf(key -> key.startsWith(user + " "));
                kept.remove(UserKey.of(user));
            }
            default -> {
                // others are not about achievements
            }
        }
    }

    private void checkUser(UserKey user, UserState state) {
        Map<Integer, Long> completed = kept.computeIfAbsent(user, _ -> new HashMap<>());
        var now = new HashMap<Integer, Long>();
        for (int i = 0; i < state.completions().size(); i++) {
            now.put(state.completions().numberAt(i), state.completions().valueAt(i));
        }
        Checks.that(
                "a completion is lost or changed",
                now.entrySet().containsAll(completed.entrySet()),
                () -> user + " had " + completed + " and has " + now);
        kept.put(user, now);
    }

    private void recount(World world, List<UserKey> users) {
        var completions = new HashMap<Integer, Long>();
        kept.values().forEach(of -> of.keySet().forEach(number -> completions.merge(number, 1L, Long::sum)));
        LedgerDriver ledger = world.ledger();
        Checks.equal("statistics differ from a recount", (long) users.size(), ledger.userCount(TenantId.NONE), "users");
        for (int number = 1; number < world.rules().document().nextNumber(); number++) {
            Checks.equal(
                    "statistics differ from a recount",
                    completions.getOrDefault(number, 0L),
                    ledger.completionCount(TenantId.NONE, number),
                    "completions of achievement " + number);
        }
    }

    /** Completions in effects are in the state. */
    @Override
    public void whole(World world) {
        for (String completion : told) {
            String[] words = completion.split(" ");
            var achievement = world.rules().achievement(words[1]);
            Checks.that(
                    "a completion is lost or changed",
                    achievement == null
                            || world.state(UserKey.of(words[0])).completions().contains(achievement.number()),
                    () -> completion);
        }
    }
}
