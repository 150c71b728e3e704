package dev.laurel.producer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.producer.UserCommand.EvaluationMode;
import dev.laurel.producer.UserCommand.NotificationChannel;
import dev.laurel.producer.UserCommand.NotificationType;
import dev.laurel.producer.UserCommand.Visibility;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.SetPreferences.StreakChange;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange.SignUp;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.serde.CommandJson;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that Laurel reads what is written here, and that what it would refuse is refused here with the same message. */
class UserCommandTest {

    private static final UUID ID = UUID.fromString("6f0d7a8e-0000-4000-8000-000000000001");

    private static Command read(UserCommand command) throws BadInputException {
        return CommandJson.read(command.json());
    }

    @Test
    void shouldWriteAnEvent() throws Exception {
        UserCommand event = UserCommand.event(
                        User.of("ida/1").name("Ida \"\\\n\u0001 ü 🏊"), "laps", new BigDecimal("12.50"))
                .attribute("pool", "indoor")
                .attribute("lane", "")
                .idempotencyKey("k")
                .eventId(ID)
                .time(Instant.parse("2011-05-06T07:08:09.123Z"))
                .build();

        assertEquals(
                new RecordEvent(
                        UserChange.mention(new UserId("ida/1")).withName("Ida \"\\\n\u0001 ü 🏊"),
                        "laps",
                        new BigDecimal("12.5"),
                        Map.of("pool", "indoor", "lane", ""),
                        "k",
                        ID),
                read(event));
        assertEquals("ida/1", event.user());
        assertEquals(Instant.parse("2011-05-06T07:08:09.123Z"), event.time());
    }

    @Test
    void shouldWriteAnIdentificationWithAllProperties() throws Exception {
        UserCommand identify = UserCommand.identify(User.of("ida")
                        .email("ida@example.org")
                        .name("Ida")
                        .tz(ZoneId.of("Europe/Paris"))
                        .deviceTokens(List.of("t1", "t2"))
                        .subscribeToEmails(false)
                        .signUpDate(LocalDate.of(2026, 3, 4))
                        .attribute("level", "pro")
                        .removeAttribute("old"))
                .build();

        assertEquals(
                new IdentifyUser(
                        new UserChange(
                                new UserId("ida"),
                                Change.set("ida@example.org"),
                                Change.set("Ida"),
                                Change.set(ZoneId.of("Europe/Paris")),
                                Change.set(List.of("t1", "t2")),
                                Change.set(false),
                                Change.set(new SignUp.OnDate(LocalDate.of(2026, 3, 4))),
                                Map.of("level", Change.set("pro"), "old", Change.clear())),
                        false),
                read(identify));
        assertNull(identify.time());
    }

    @Test
    void shouldWriteTheTimeOfASignUp() throws Exception {
        Instant time = Instant.parse("2026-03-04T04:30:00.250Z");

        assertEquals(
                Change.set(new SignUp.AtTime(time)),
                ((IdentifyUser) read(UserCommand.identify(User.of("ida").signUpDate(time))
                                .build()))
                        .user()
                        .signUpDate());
    }

    @Test
    void shouldWriteClearedProperties() throws Exception {
        UserCommand identify = UserCommand.identify(
                        User.of("ida").clearTz().clearDeviceTokens().clearSignUpDate())
                .mustExist()
                .build();

        assertEquals(
                new IdentifyUser(
                        new UserChange(
                                new UserId("ida"),
                                Change.keep(),
                                Change.keep(),
                                Change.clear(),
                                Change.clear(),
                                Change.keep(),
                                Change.clear(),
                                Map.of()),
                        true),
                read(identify));
    }

    @Test
    void shouldWriteACompletion() throws Exception {
        assertEquals(
                new CompleteAchievement(UserChange.mention(new UserId("ida")), "first"),
                read(UserCommand.complete(User.of("ida"), "first").build()));
    }

    @Test
    void shouldWritePreferences() throws Exception {
        UserCommand preferences = UserCommand.preferences("ida")
                .notifications(NotificationType.RECAP, List.of(NotificationChannel.PUSH, NotificationChannel.EMAIL))
                .notifications(NotificationType.REACTIVATION, List.of())
                .clearNotifications(NotificationType.STREAK_REMINDER)
                .streakEnabled(true)
                .streakMode(EvaluationMode.OR)
                .streakMetrics(Map.of("laps", new BigDecimal("2.0"), "dives", BigDecimal.ONE))
                .streakDaysOff(List.of(6, 0))
                .build();

        assertEquals(
                new SetPreferences(
                        UserChange.mention(new UserId("ida")),
                        Map.of(
                                Notifications.NotificationType.RECAP,
                                Change.set(Set.of(
                                        Notifications.NotificationChannel.EMAIL,
                                        Notifications.NotificationChannel.PUSH)),
                                Notifications.NotificationType.REACTIVATION,
                                Change.set(Set.of()),
                                Notifications.NotificationType.STREAK_REMINDER,
                                Change.clear()),
                        new StreakChange(
                                Change.set(true),
                                Change.set(StreakSettings.EvaluationMode.OR),
                                Change.set(List.of(
                                        new SetPreferences.Condition("dives", BigDecimal.ONE),
                                        new SetPreferences.Condition("laps", new BigDecimal("2")))),
                                Change.set(List.of(0, 6))),
                        SetPreferences.LeaderboardsChange.NONE),
                read(preferences));
        assertEquals(
                new SetPreferences(
                        UserChange.mention(new UserId("ida")),
                        Map.of(),
                        new StreakChange(Change.clear(), Change.clear(), Change.clear(), Change.clear()),
                        SetPreferences.LeaderboardsChange.NONE),
                read(UserCommand.preferences("ida")
                        .clearStreakEnabled()
                        .clearStreakMode()
                        .clearStreakMetrics()
                        .clearStreakDaysOff()
                        .build()));
        assertEquals(
                ofVisibility(Change.set(Leaderboard.Visibility.HIDDEN)),
                read(UserCommand.preferences("ida")
                        .clearVisibility()
                        .visibility(Visibility.HIDDEN)
                        .build()));
        assertEquals(
                ofVisibility(Change.clear()),
                read(UserCommand.preferences("ida").clearVisibility().build()));
    }

    private static SetPreferences ofVisibility(Change<Leaderboard.Visibility> visibility) {
        return new SetPreferences(
                UserChange.mention(new UserId("ida")),
                Map.of(),
                StreakChange.NONE,
                new SetPreferences.LeaderboardsChange(visibility));
    }

    @Test
    void shouldKnowTheSameTypesAndChannels() {
        assertEquals(namesOf(Leaderboard.Visibility.values()), namesOf(Visibility.values()));
        assertEquals(namesOf(Notifications.NotificationType.values()), namesOf(NotificationType.values()));
        assertEquals(namesOf(Notifications.NotificationChannel.values()), namesOf(NotificationChannel.values()));
        assertEquals(namesOf(StreakSettings.EvaluationMode.values()), namesOf(EvaluationMode.values()));
    }

    private static List<String> namesOf(Enum<?>[] constants) {
        return Arrays.stream(constants).map(Enum::name).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1e12, 1000000000000",
        "-1e12, -1000000000000",
        "0.123456789000, 0.123456789",
        "1e3, 1000",
        "0e-2000000000, 0",
        "-0.50, -0.5"
    })
    void shouldWriteValuesExactly(String value, String read) throws Exception {
        UserCommand event =
                UserCommand.event(User.of("ida"), "laps", new BigDecimal(value)).build();

        assertEquals(new BigDecimal(read), ((RecordEvent) read(event)).value());
    }

    @ParameterizedTest
    @CsvSource({"1000000000000.1", "-1e13", "1e2000000000", "0.1234567891", "1e-2000000000"})
    void shouldRefuseTheSameValues(String value) {
        expectSameMessage(
                "{\"type\":\"event\",\"metric\":\"laps\",\"value\":" + value + ",\"user\":{\"id\":\"ida\"}}",
                () -> UserCommand.event(User.of("ida"), "laps", new BigDecimal(value)));
    }

    @Test
    void shouldRefuseTheSameUsers() {
        String tooLong = "x".repeat(256);
        expectSameMessage(user("\"id\":\"\""), () -> User.of(""));
        expectSameMessage(user("\"id\":\"" + tooLong + "\""), () -> User.of(tooLong));
        expectSameMessage(user("\"id\":\"\\ud800\""), () -> User.of("\ud800"));
        expectSameMessage(user("\"id\":\"a\\u0000\""), () -> User.of("a\0"));
        expectSameMessage(user("\"id\":\".\""), () -> User.of("."));
        expectSameMessage(user("\"id\":\"..\""), () -> User.of(".."));
        expectSameMessage(
                user("\"id\":\"ida\",\"email\":\"ida\""), () -> User.of("ida").email("ida"));
        expectSameMessage(
                user("\"id\":\"ida\",\"email\":\"" + "x".repeat(321) + "\""),
                () -> User.of("ida").email("x".repeat(321)));
        expectSameMessage(
                user("\"id\":\"ida\",\"name\":\"" + tooLong + "\""),
                () -> User.of("ida").name(tooLong));
        expectSameMessage(
                user("\"id\":\"ida\",\"tz\":\"+02:00\""), () -> User.of("ida").tz(ZoneOffset.ofHours(2)));
        expectSameMessage(
                user("\"id\":\"ida\",\"signUpDate\":\"+10000-01-01\""),
                () -> User.of("ida").signUpDate(LocalDate.of(10_000, 1, 1)));
        expectSameMessage(
                user("\"id\":\"ida\",\"signUpDate\":\"0000-01-01T23:59:59Z\""),
                () -> User.of("ida").signUpDate(Instant.parse("0000-01-01T23:59:59Z")));
        expectSameMessage(
                user("\"id\":\"ida\",\"signUpDate\":\"9999-12-31T00:00:00Z\""),
                () -> User.of("ida").signUpDate(Instant.parse("9999-12-31T00:00:00Z")));
        expectSameMessage(
                user("\"id\":\"ida\",\"deviceTokens\":[\"a\",\"" + "x".repeat(4001) + "\"]"),
                () -> User.of("ida").deviceTokens(List.of("a", "x".repeat(4001))));
        expectSameMessage(
                user("\"id\":\"ida\",\"deviceTokens\":[" + String.join(",", Collections.nCopies(101, "\"a\"")) + "]"),
                () -> User.of("ida").deviceTokens(Collections.nCopies(101, "a")));
        expectSameMessage(
                user("\"id\":\"ida\",\"attributes\":{\"a\":\"" + "x".repeat(4001) + "\"}"),
                () -> User.of("ida").attribute("a", "x".repeat(4001)));
        expectSameMessage(
                user("\"id\":\"ida\",\"attributes\":{"
                        + IntStream.rangeClosed(0, 200)
                                .mapToObj(number -> "\"a" + number + "\":null")
                                .collect(Collectors.joining(","))
                        + "}"),
                () -> IntStream.rangeClosed(0, 200).forEach(new UserWithAttributes(User.of("ida"))::remove));
    }

    private record UserWithAttributes(User user) {

        void remove(int number) {
            user.removeAttribute("a" + number);
        }
    }

    @Test
    void shouldRefuseTheSameEvents() {
        String tooLong = "x".repeat(256);
        expectSameMessage(
                event("\"metric\":\"" + tooLong + "\",\"value\":1"),
                () -> UserCommand.event(User.of("ida"), tooLong, BigDecimal.ONE));
        expectSameMessage(
                event("\"metric\":\"laps\",\"value\":1,\"idempotencyKey\":\"" + tooLong + "\""),
                () -> UserCommand.event(User.of("ida"), "laps", BigDecimal.ONE).idempotencyKey(tooLong));
        expectSameMessage(
                event("\"metric\":\"laps\",\"value\":1,\"attributes\":{\"a\":\"" + "x".repeat(4001) + "\"}"),
                () -> UserCommand.event(User.of("ida"), "laps", BigDecimal.ONE).attribute("a", "x".repeat(4001)));
        expectSameMessage(
                "{\"type\":\"complete\",\"achievement\":\"" + tooLong + "\",\"user\":{\"id\":\"ida\"}}",
                () -> UserCommand.complete(User.of("ida"), tooLong));
    }

    @Test
    void shouldRefuseTheSamePreferences() {
        expectSameMessage(streak("\"daysOff\":[7]"), () -> preferences().streakDaysOff(List.of(7)));
        expectSameMessage(streak("\"daysOff\":[1,1]"), () -> preferences().streakDaysOff(List.of(1, 1)));
        expectSameMessage(
                streak("\"daysOff\":[0,1,2,3,4,5,6]"), () -> preferences().streakDaysOff(List.of(0, 1, 2, 3, 4, 5, 6)));
        expectSameMessage(
                streak("\"metrics\":[{\"key\":\"laps\",\"threshold\":0}]"),
                () -> preferences().streakMetrics(Map.of("laps", BigDecimal.ZERO)));
        expectSameMessage(
                streak("\"metrics\":[{\"key\":\"laps\",\"threshold\":0.1234567891}]"),
                () -> preferences().streakMetrics(Map.of("laps", new BigDecimal("0.1234567891"))));
    }

    @Test
    void shouldRefuseTimesThatRecordsCannotHave() {
        assertEquals(
                "time must be after 1970 and before 10000.",
                assertThrows(IllegalArgumentException.class, () -> preferences().time(Instant.EPOCH))
                        .getMessage());
        assertThrows(IllegalArgumentException.class, () -> preferences().time(Instant.parse("+10000-01-01T00:00:00Z")));
    }

    @Test
    void shouldRefuseACommandThatIsTooLarge() {
        User user = User.of("ida");
        IntStream.range(0, 200).forEach(number -> user.attribute("a" + number, "ü".repeat(4000)));

        assertEquals(
                "The command has 1601944 bytes, must have at most 1048576.",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> UserCommand.identify(user).build())
                        .getMessage());
    }

    private static UserCommand.Preferences preferences() {
        return UserCommand.preferences("ida");
    }

    private static String user(String fields) {
        return "{\"type\":\"identify\",\"user\":{" + fields + "}}";
    }

    private static String event(String fields) {
        return "{\"type\":\"event\"," + fields + ",\"user\":{\"id\":\"ida\"}}";
    }

    private static String streak(String fields) {
        return "{\"type\":\"preferences\",\"user\":{\"id\":\"ida\"},\"streak\":{" + fields + "}}";
    }

    /** @param json what Laurel refuses @param here the same, by a builder */
    private static void expectSameMessage(String json, Executable here) {
        assertEquals(
                assertThrows(BadInputException.class, () -> CommandJson.read(json.getBytes(UTF_8)))
                        .getMessage(),
                assertThrows(IllegalArgumentException.class, here).getMessage());
    }
}
