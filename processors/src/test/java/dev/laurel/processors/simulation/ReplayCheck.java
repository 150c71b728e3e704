package dev.laurel.processors.simulation;

import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.schemas.key.UserKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;

/**
 * A replay of the log leads to the same stores, effects, messages and answers, byte for byte, except for the offsets of
 * leaderboard values and the ids of messages, which have offsets: those of a test driver start again with each restart.
 */
final class ReplayCheck implements Check {

    private static final String PROPERTY = "a replay differs";

    @Override
    public void whole(World world) {
        try (World again = world.refolded()) {
            Checks.equal(PROPERTY, contents(world), contents(again), "stores");
            Checks.equal(PROPERTY, world.effects(), again.effects(), "effects");
            Checks.equal(PROPERTY, world.outgoing(), again.outgoing(), "what leaves the instance");
            Checks.equal(PROPERTY, world.ledger().answered(), again.ledger().answered(), "answers");
            Checks.equal(PROPERTY, world.rejections(), again.rejections(), "rejections");
        }
    }

    private static Map<String, Map<String, String>> contents(World world) {
        Map<String, Map<String, String>> contents = world.ledger().contents();
        contents.get(StoreNames.USERS).replaceAll((key, _) -> {
            UserState state = world.state(UserKey.parse(HexFormat.of().parseHex(key)));
            return state.toString()
                    .replace(
                            state.boards().toString(),
                            SimulationLeaderboards.withoutOffsets(state.boards())
                                    .toString())
                    .replaceAll("SentMessage\\[id=-?[0-9]+", "SentMessage[");
        });
        contents.get(StoreNames.METRIC_DAYS).replaceAll((key, value) -> day(world, key, value));
        return contents;
    }

    /** The user's key after its length, a number, and the day or run. */
    private static String day(World world, String key, String value) {
        byte[] bytes = HexFormat.of().parseHex(key);
        var user = UserKey.parse(Arrays.copyOfRange(bytes, 2, bytes.length - 8));
        int number = ByteBuffer.wrap(bytes).getInt(bytes.length - 8) ^ Integer.MIN_VALUE;
        int run = ByteBuffer.wrap(bytes).getInt(bytes.length - 4) ^ Integer.MIN_VALUE;
        LeaderboardState state = number < SimulationLeaderboards.FIRST
                ? null
                : world.history(user).boardRun(number, run);
        return state == null
                ? value
                : SimulationLeaderboards.withoutOffset(state).toString();
    }
}
