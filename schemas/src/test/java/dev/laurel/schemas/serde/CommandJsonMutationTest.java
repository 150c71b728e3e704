package dev.laurel.schemas.serde;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.GrantBoost;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.SetPreferences.StreakChange;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange.SignUp;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Zones;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Boost.Rounding;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Checks that random commands read back equal, and that readers either accept or refuse mutated bytes. The seed is
 * fixed; a failure names its round and, for mutated bytes, the bytes.
 */
class CommandJsonMutationTest {

    private static final long SEED = 20260304;
    private static final int ROUNDS = 60_000;
    private static final List<String> ALPHABET = List.of(
            "a", "Z", "0", " ", "/", "%", "\"", "\\", "\n", "\u0000", "\u007f", "é", "\u2028", "\ufeff", "☃", "🚀",
            "👩‍🚀", "null", "{}");
    private static final List<byte[]> FRAGMENTS = List.of(
                    "null",
                    "{",
                    "}",
                    "[",
                    "]",
                    "\"",
                    "\\ud83d",
                    "\\u0000",
                    "1e999999999999",
                    "-",
                    ".5",
                    "e",
                    "NaN",
                    ",",
                    ":",
                    "\"id\":",
                    "\"user\":",
                    "\"value\":1e-2147483648",
                    "\"attributes\":{",
                    "\ufeff",
                    "\u0000",
                    "[[[[[[[[")
            .stream()
            .map(s -> s.getBytes(UTF_8))
            .toList();

    private final Random random = new Random(SEED);

    @Test
    void shouldReadBackRandomCommands() throws BadInputException {
        for (int round = 0; round < 5_000; round++) {
            Command command = command();
            assertEquals(command, CommandJson.read(CommandJson.write(command)), "seed " + SEED + ", round " + round);
        }
    }

    @Test
    void shouldAcceptOrRefuseMutatedBytes() {
        var seeds = new ArrayList<byte[]>();
        Examples.commands().values().forEach(command -> seeds.add(CommandJson.write(command)));
        int accepted = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = mutated(seeds.get(random.nextInt(seeds.size())));
            try {
                accepted += read(bytes);
            } catch (Throwable thrown) {
                fail(
                        "seed " + SEED + ", round " + round + ", bytes "
                                + Base64.getEncoder().encodeToString(bytes),
                        thrown);
            }
        }
        assertTrue(accepted > ROUNDS / 20, "mutations are too wild to test acceptance: " + accepted);
        assertTrue(accepted < ROUNDS, "mutations are too tame to test refusal: " + accepted);
    }

    /** Reads with all readers; each accepted command must read back equal. @return 1 if the bytes are a record, else 0 */
    private static int read(byte[] bytes) throws BadInputException {
        Command command = orNull(() -> CommandJson.read(bytes));
        Command event = orNull(() -> CommandJson.readEventBody(bytes, "m", null, new UUID(1, 2)));
        Command user = orNull(() -> CommandJson.readUserBody(bytes, null, false));
        Command completion = orNull(() -> CommandJson.readCompletionBody(bytes, "a"));
        Command preferences = orNull(() -> CommandJson.readPreferencesBody(bytes, new UserId("u")));
        for (Command read : Arrays.asList(command, event, user, completion, preferences)) {
            if (read != null) {
                assertEquals(read, CommandJson.read(CommandJson.write(read)));
            }
        }
        return command == null ? 0 : 1;
    }

    private static Command orNull(Reader reader) {
        try {
            return reader.read();
        } catch (BadInputException e) {
            assertTrue(e.refusal().message().length() > 0);
            return null;
        }
    }

    private byte[] mutated(byte[] original) {
        byte[] bytes = original;
        for (int times = random.nextInt(3) + 1; times > 0; times--) {
            int at = random.nextInt(bytes.length + 1);
            int until = Math.min(bytes.length, at + random.nextInt(8));
            bytes = switch (random.nextInt(5)) {
                case 0 -> spliced(bytes, at, FRAGMENTS.get(random.nextInt(FRAGMENTS.size())), at);
                case 1 -> spliced(bytes, at, new byte[0], until);
                case 2 -> spliced(bytes, at, new byte[] {(byte) random.nextInt(256)}, Math.min(bytes.length, at + 1));
                case 3 -> spliced(bytes, at, Arrays.copyOfRange(bytes, random.nextInt(at + 1), at), until);
                default -> random.nextInt(10) == 0 ? Arrays.copyOf(bytes, at) : bytes;
            };
        }
        return bytes;
    }

    private static byte[] spliced(byte[] bytes, int from, byte[] inserted, int to) {
        var out = new ByteArrayOutputStream();
        out.write(bytes, 0, from);
        out.writeBytes(inserted);
        out.write(bytes, to, bytes.length - to);
        return out.toByteArray();
    }

    private Command command() {
        return switch (random.nextInt(6)) {
            case 0 -> new IdentifyUser(user(), random.nextBoolean());
            case 1 -> new CompleteAchievement(user(), text(20));
            case 2 -> preferences();
            case 3 -> boost();
            default -> event();
        };
    }

    private SetPreferences preferences() {
        var notifications = new HashMap<NotificationType, Change<Set<NotificationChannel>>>();
        for (NotificationType type : NotificationType.values()) {
            switch (random.nextInt(3)) {
                case 0 -> notifications.put(type, Change.clear());
                case 1 ->
                    notifications.put(
                            type,
                            Change.set(
                                    random.nextBoolean()
                                            ? Set.of()
                                            : Set.of(NotificationChannel.EMAIL, NotificationChannel.PUSH)));
                default -> {
                    // not given
                }
            }
        }
        var conditions = new ArrayList<SetPreferences.Condition>();
        for (int n = random.nextInt(4); n > 0; n--) {
            conditions.add(
                    new SetPreferences.Condition(n + text(10), new BigDecimal("0.1").multiply(BigDecimal.valueOf(n))));
        }
        return new SetPreferences(
                UserChange.mention(new UserId(text(20))),
                notifications,
                new StreakChange(
                        keepOr(Change.set(random.nextBoolean())),
                        keepOr(random.nextBoolean() ? Change.clear() : Change.set(EvaluationMode.OR)),
                        keepOr(random.nextBoolean() ? Change.clear() : Change.set(conditions)),
                        keepOr(random.nextBoolean() ? Change.clear() : Change.set(List.of(0, 1 + random.nextInt(6))))),
                SetPreferences.LeaderboardsChange.NONE);
    }

    private GrantBoost boost() {
        LocalDate start = LocalDate.ofEpochDay(random.nextInt(40_000));
        return new GrantBoost(
                UserChange.mention(new UserId(text(20))),
                new UUID(random.nextLong(), 7),
                text(20),
                text(20),
                start,
                random.nextBoolean() ? null : start.plusDays(random.nextInt(3)),
                Amounts.canonical(BigDecimal.valueOf(random.nextInt(2, 1000), 1).add(new BigDecimal("0.05"))),
                Rounding.values()[random.nextInt(3)]);
    }

    private RecordEvent event() {
        var value = new BigDecimal(random.nextLong(-1_000_000_000_000L, 1_000_000_000_001L))
                .movePointLeft(random.nextInt(10));
        var attributes = new HashMap<String, String>();
        for (int n = random.nextInt(4); n > 0; n--) {
            attributes.put(text(8), text(8));
        }
        return new RecordEvent(
                user(),
                text(20),
                Amounts.canonical(value),
                attributes,
                random.nextBoolean() ? null : text(20),
                random.nextBoolean() ? null : new UUID(random.nextLong(), 7));
    }

    private UserChange user() {
        Map<String, Change<String>> attributes = new HashMap<>();
        for (int n = random.nextInt(4); n > 0; n--) {
            attributes.put(text(8), random.nextBoolean() ? Change.clear() : Change.set(text(8)));
        }
        // The id of a user who may be new has no U+0000.
        return new UserChange(
                new UserId(text(20).replace('\0', 'o')),
                keepOr(Change.set(text(5) + "@" + text(5))),
                keepOr(Change.set(text(20))),
                keepOr(random.nextBoolean() ? Change.clear() : Change.set(Zones.byName("Asia/Tokyo"))),
                keepOr(random.nextBoolean() ? Change.clear() : Change.set(List.of(text(3), text(3)))),
                keepOr(Change.set(random.nextBoolean())),
                keepOr(random.nextBoolean() ? Change.clear() : signUp()),
                attributes);
    }

    private Change<SignUp> signUp() {
        return Change.set(
                random.nextBoolean()
                        ? new SignUp.OnDate(LocalDate.of(2024, 2, 29))
                        : new SignUp.AtTime(Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000))));
    }

    private <T> Change<T> keepOr(Change<T> change) {
        return random.nextInt(3) == 0 ? Change.keep() : change;
    }

    private String text(int maxPieces) {
        var text = new StringBuilder();
        for (int n = random.nextInt(maxPieces) + 1; n > 0; n--) {
            text.append(ALPHABET.get(random.nextInt(ALPHABET.size())));
        }
        return text.toString();
    }

    private interface Reader {
        Command read() throws BadInputException;
    }
}
