package dev.laurel.schemas.serde;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_32;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.EraseUser;
import dev.laurel.schemas.command.Command.GrantBoost;
import dev.laurel.schemas.command.Command.GrantFreeze;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.RestoreStreak;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.SetPreferences.StreakChange;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange.SignUp;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.input.Refusal.Kind;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Boost.Rounding;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandJsonTest {

    private static final UUID EVENT_ID = UUID.fromString("3f0c8f1e-7c1b-4d5a-9a39-0d0f6b1c2a10");

    static List<Command> everyCommand() {
        return List.copyOf(Examples.commands().values());
    }

    @ParameterizedTest
    @MethodSource("everyCommand")
    void shouldReadBackEveryCommand(Command command) throws BadInputException {
        assertEquals(command, CommandJson.read(CommandJson.write(command)));
    }

    @Test
    void shouldWriteAttributesInSortedOrder() {
        Map<String, String> oneOrder = Map.of("a", "1", "b", "2", "c", "3", "d", "4");
        String json = text(CommandJson.write(
                new RecordEvent(UserChange.mention(new UserId("u")), "m", BigDecimal.ONE, oneOrder, null, null)));

        assertTrue(json.contains("{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\",\"d\":\"4\"}"), json);
    }

    // Refusals.

    @ParameterizedTest
    @ValueSource(strings = {"{\"type\":\"tick\"", "{\"type\":\"event\",\"value\":NaN}", "{\"user\":{\"id\":\"u\"}"})
    void shouldNotExposeTheParserInMessages(String broken) {
        String message = assertThrows(BadInputException.class, () -> CommandJson.read(broken.getBytes(UTF_8)))
                .getMessage();

        assertTrue(message.startsWith("Not valid JSON: "), message);
        assertTrue(message.matches("[^`#\\[\\]]*"), message);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "CommandJsonTest.shouldNameTheReasonAndKindOfARefusal.csv",
            delimiter = '|',
            quoteCharacter = '^')
    void shouldNameTheReasonAndKindOfARefusal(String json, Kind kind, String words) {
        Refusal refusal = refusalOf(json.replace('`', '"'));

        assertEquals(kind, refusal.kind(), refusal.message());
        assertTrue(refusal.message().contains(words), refusal.message());
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "CommandJsonTest.shouldNameTheInvalidFieldOfAPause.csv",
            delimiter = '|',
            quoteCharacter = '^')
    void shouldNameTheInvalidFieldOfAPause(String changed, String words) {
        assertRefusedWithout(
                changed,
                words,
                "{`type`:`plan-pause`,`user`:{`id`:`u`},"
                        + "`pauseId`:`3f0c8f1e-7c1b-4d5a-9a39-0d0f6b1c2a10`,`start`:`2026-07-05`,`end`:`2026-07-18`}");
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "CommandJsonTest.shouldNameTheInvalidFieldOfABoost.csv",
            delimiter = '|',
            quoteCharacter = '^')
    void shouldNameTheInvalidFieldOfABoost(String changed, String words) {
        assertRefusedWithout(
                changed,
                words,
                "{`type`:`grant-boost`,`user`:{`id`:`u`},`boostId`:`3f0c8f1e-7c1b-4d5a-9a39-0d0f6b1c2a10`,"
                        + "`system`:`gems`,`name`:`n`,`start`:`2026-03-04`,`end`:`2026-03-04`,`multiplier`:2,"
                        + "`rounding`:`up`}");
    }

    /** @param changed one field with another value */
    private static void assertRefusedWithout(String changed, String words, String whole) {
        String field = changed.substring(0, changed.indexOf(':'));
        String json = whole.replaceAll(field + ":(`[^`]*`|[^,}]*)", changed);
        assertNotEquals(whole, json);
        Refusal refusal = refusalOf(json.replace('`', '"'));

        assertEquals(Kind.INVALID, refusal.kind());
        assertTrue(refusal.message().contains(words), refusal.message());
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "CommandJsonTest.shouldNameTheInvalidFieldOfPreferences.csv",
            delimiter = '|',
            quoteCharacter = '^')
    void shouldNameTheInvalidFieldOfPreferences(String preferences, String words) {
        Refusal inRecord = refusalOf(preferences(preferences));
        String body = "{" + preferences.replace('`', '"') + "}";
        var inBody = assertThrows(
                BadInputException.class, () -> CommandJson.readPreferencesBody(utf8(body), new UserId("u")));

        assertEquals(Kind.INVALID, inRecord.kind());
        assertTrue(inRecord.message().contains(words), inRecord.message());
        assertEquals(inRecord, inBody.refusal());
    }

    @Test
    void shouldRefuseTooManyStreakMetrics() {
        String metrics = IntStream.rangeClosed(0, 100)
                .mapToObj(i -> "{`key`:`m" + i + "`,`threshold`:1}")
                .collect(Collectors.joining(","));

        assertTooMuch("streak.metrics", preferences("`streak`:{`metrics`:[" + metrics + "]}"));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "CommandJsonTest.shouldRefuseInvalidAmounts.csv", delimiter = '|', quoteCharacter = '^')
    void shouldRefuseInvalidAmounts(String value, Kind kind, String words) {
        Refusal refusal = refusalOf(event("\"value\":" + value.replace('`', '"')));

        assertEquals(kind, refusal.kind(), refusal.message());
        assertTrue(refusal.message().contains(words), refusal.message());
    }

    @ParameterizedTest
    @CsvSource({
        "1e12, 1000000000000",
        "-1E+12, -1000000000000",
        "12.0, 12",
        "0.1234567890, 0.123456789",
        "0e999, 0",
        "-0.0, 0",
        "5e-9, 0.000000005"
    })
    void shouldReadExactValues(String written, String value) throws BadInputException {
        var read = (RecordEvent) CommandJson.read(event("\"value\":" + written).getBytes(UTF_8));

        assertEquals(new BigDecimal(value), read.value());
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "CommandJsonTest.shouldNameTheInvalidPropertyOfAUser.csv",
            delimiter = '|',
            quoteCharacter = '^')
    void shouldNameTheInvalidPropertyOfAUser(String properties, String words) {
        String user = "{" + properties.replace('`', '"') + "}";
        Refusal inEvent = refusalOf(event("\"value\":1").replace("{\"id\":\"u\"}", user));
        var inUserBody = assertThrows(BadInputException.class, () -> CommandJson.readUserBody(utf8(user), null, false));

        assertEquals(Kind.INVALID, inEvent.kind());
        assertTrue(inEvent.message().startsWith("user." + words), inEvent.message());
        assertTrue(inUserBody.refusal().message().startsWith(words), inUserBody.getMessage());
    }

    @Test
    void shouldRefuseFieldsBeyondTheirLimits() {
        assertTooMuch("user.id", userWith("\"id\":\"" + "x".repeat(256) + "\""));
        assertTooMuch("user.name", userWith("\"id\":\"u\",\"name\":\"" + "x".repeat(256) + "\""));
        assertTooMuch("user.email", userWith("\"id\":\"u\",\"email\":\"@" + "x".repeat(320) + "\""));
        assertTooMuch(
                "user.deviceTokens",
                userWith("\"id\":\"u\",\"deviceTokens\":["
                        + String.join(",", java.util.Collections.nCopies(101, "\"t\"")) + "]"));
        assertTooMuch("user.attributes", userWith("\"id\":\"u\",\"attributes\":{" + attributes(201) + "}"));
        assertTooMuch(
                "user.attributes.a", userWith("\"id\":\"u\",\"attributes\":{\"a\":\"" + "x".repeat(4001) + "\"}"));
        assertTooMuch("attributes", event("\"value\":1,\"attributes\":{" + attributes(201) + "}"));
        assertTooMuch("The idempotency key", event("\"value\":1,\"idempotencyKey\":\"" + "x".repeat(256) + "\""));
        assertTooMuch("metric", event("\"value\":1").replace("\"m\"", "\"" + "m".repeat(256) + "\""));
        assertTooMuch(
                "achievement",
                "{\"type\":\"complete\",\"achievement\":\"" + "a".repeat(256) + "\",\"user\":{\"id\":\"u\"}}");
        assertTooMuch("name", "{\"type\":\"grant-boost\",\"name\":\"" + "n".repeat(256) + "\"}");
        assertTooMuch("system", "{\"type\":\"grant-boost\",\"system\":\"" + "s".repeat(256) + "\"}");
        assertTooMuch(
                "tenant", "{\"type\":\"ruleset-published\",\"version\":1,\"tenant\":\"" + "t".repeat(256) + "\"}");
    }

    @Test
    void shouldRefuseUnpairedSurrogatesInEveryText() {
        for (String json : List.of(
                event("\"value\":1,\"idempotencyKey\":\"\\ud83d\""),
                event("\"value\":1").replace("\"m\"", "\"\\ude80\""),
                "{\"type\":\"ruleset-published\",\"version\":1,\"tenant\":\"\\ud83d\"}",
                "{\"type\":\"timers-held\",\"hold\":\"\\ud83d\"}")) {
            assertTrue(
                    refusalOf(json).message().contains("must be valid Unicode text"),
                    refusalOf(json).message());
        }
    }

    // Hostile and malformed input.

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%s",
                "{\"x\":%s",
                "{\"type\":\"tick\",\"user\":{\"id\":\"u\",\"x\":%s",
                "{\"type\":\"event\",\"attributes\":{\"a\":%s",
                "{\"user\":{\"id\":\"u\",\"deviceTokens\":%s"
            })
    void shouldNotOverflowOnDeepNesting(String frame) {
        for (String opening : List.of("[", "{\"a\":")) {
            String json = frame.formatted(opening.repeat(100_000));
            Refusal refusal = refusalOf(json);
            boolean isTypeError = refusal.message().contains("must be");

            assertEquals(isTypeError ? Kind.INVALID : Kind.UNREADABLE, refusal.kind(), refusal.message());
        }
    }

    @Test
    void shouldRefuseADeepArrayAsUnreadable() {
        assertEquals(400, refusalOf("[".repeat(100_000)).kind().status());
        assertEquals(400, refusalOf("{\"x\":" + "[".repeat(100_000)).kind().status());
    }

    @Test
    void shouldRefuseBytesThatAreNotUtf8() {
        for (String odd : List.of("\u00ff", "\u00c3", "\u00ed\u00a0\u0080", "\u00f5\u0080\u0080\u0080")) {
            byte[] json =
                    event("\"value\":1").replace("\"u\"", "\"" + odd + "\"").getBytes(ISO_8859_1);
            assertThrows(BadInputException.class, () -> CommandJson.read(json), odd);
        }
    }

    @Test
    void shouldSkipAByteOrderMark() throws BadInputException {
        assertEquals(
                CommandJson.read(utf8("{\"type\":\"tick\"}")), CommandJson.read(utf8("\ufeff{\"type\":\"tick\"}")));
    }

    @Test
    void shouldRefuseEmptyInput() {
        assertEquals(Kind.UNREADABLE, refusalOf("").kind());
        assertEquals(Kind.UNREADABLE, refusalOf("  \n").kind());
        assertEquals(
                Kind.UNREADABLE,
                assertThrows(BadInputException.class, () -> CommandJson.readUserBody(new byte[0], null, false))
                        .refusal()
                        .kind());
    }

    /** Kafka allows records with a null value. Such a record asks for nothing: it is unreadable, but not a fault. */
    @Test
    void shouldRefuseATombstone() {
        var refusal = assertThrows(BadInputException.class, () -> CommandJson.read(null))
                .refusal();

        assertEquals(Kind.UNREADABLE, refusal.kind());
    }

    // Null and absent fields.

    @Test
    void shouldClearZoneTokensAndSignUpDateByNull() throws BadInputException {
        UserChange user = CommandJson.readUserBody(
                        utf8("{\"id\":\"u\",\"tz\":null,\"deviceTokens\":null,\"signUpDate\":null}"), null, false)
                .user();

        assertEquals(Change.clear(), user.tz());
        assertEquals(Change.clear(), user.deviceTokens());
        assertEquals(Change.clear(), user.signUpDate());
    }

    @ParameterizedTest
    @CsvSource({"2024-02-29", "0000-01-01", "9999-12-31"})
    void shouldReadADateOfSignUp(LocalDate date) throws BadInputException {
        assertEquals(Change.set(new SignUp.OnDate(date)), signUpDate(date.toString()));
    }

    /** The zone of the user is known where the command is applied, so that a time is not cut before. */
    @ParameterizedTest
    @CsvSource({
        "2024-03-04T00:00:00Z, 2024-03-04T00:00:00Z",
        "2024-03-04T23:59:59.999999Z, 2024-03-04T23:59:59.999999Z",
        "2024-03-04T23:30:00-05:00, 2024-03-05T04:30:00Z",
        "2024-03-04T00:30:00+05:30, 2024-03-03T19:00:00Z",
        "0000-01-02T00:00:00Z, 0000-01-02T00:00:00Z",
        "9999-12-30T23:59:59Z, 9999-12-30T23:59:59Z"
    })
    void shouldReadATimeOfSignUp(String written, Instant time) throws BadInputException {
        assertEquals(Change.set(new SignUp.AtTime(time)), signUpDate(written));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0000-01-01T23:59:59Z",
                "9999-12-31T00:00:00Z",
                "2024-03-04T09:15:00",
                "2024-03-04 09:15",
                "2024-02-30",
                "+12024-03-04T00:00:00Z",
                "-0001-12-30T00:00:00Z"
            })
    void shouldRefuseOtherSignUps(String written) {
        assertThrows(BadInputException.class, () -> signUpDate(written));
    }

    private static Change<SignUp> signUpDate(String written) throws BadInputException {
        return CommandJson.readUserBody(utf8("{\"id\":\"u\",\"signUpDate\":\"" + written + "\"}"), null, false)
                .user()
                .signUpDate();
    }

    @Test
    void shouldTreatNullAsAbsentElsewhere() throws BadInputException {
        UserChange user = CommandJson.readUserBody(
                        utf8(
                                "{\"id\":\"u\",\"email\":null,\"name\":null,\"subscribeToEmails\":null,\"attributes\":null}"),
                        null,
                        false)
                .user();

        assertEquals(UserChange.mention(new UserId("u")), user);
    }

    @Test
    void shouldReadAttributeValuesAsText() throws BadInputException {
        UserChange user = CommandJson.readUserBody(
                        utf8(
                                "{\"id\":\"u\",\"attributes\":{\"s\":\"x\",\"n\":1.50,\"b\":true,\"gone\":null,\"empty\":\"\"}}"),
                        null,
                        false)
                .user();

        assertEquals(
                Map.of(
                        "s",
                        Change.set("x"),
                        "n",
                        Change.set("1.5"),
                        "b",
                        Change.set("true"),
                        "gone",
                        Change.clear(),
                        "empty",
                        Change.set("")),
                user.attributes());
    }

    @ParameterizedTest
    @CsvSource({
        "5,5",
        "5.0,5",
        "5e0,5",
        "0.5E1,5",
        "500e-2,5",
        "-0,0",
        "-0.0,0",
        "0e9,0",
        "4.20,4.2",
        "1e3,1000",
        "-1.50e-3,-0.0015",
        "12345678901234567890,12345678901234567890",
        "'\"5.0\"',5.0",
        "'\"\"',''",
        "true,true"
    })
    void shouldReadEqualNumbersAsEqualTextInAttributesOfUsersAndEvents(String json, String text)
            throws BadInputException {
        String attributes = "\"attributes\":{\"a\":" + json + "}";

        var read = (RecordEvent) CommandJson.read(utf8("{\"type\":\"event\",\"user\":{\"id\":\"u\"," + attributes
                + "},\"metric\":\"laps\",\"value\":1," + attributes + "}"));

        assertEquals(Map.of("a", text), read.attributes());
        assertEquals(Map.of("a", Change.set(text)), read.user().attributes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0e4001", "-1.0e-4001", "1.0e999999999", "1.0e-999999999"})
    void shouldRefuseNumbersAsAttributesWhoseTextIsTooLong(String json) {
        assertTooMuch("attributes.a", event("\"value\":1,\"attributes\":{\"a\":" + json + "}"));
    }

    @Test
    void shouldLeaveOutNullAttributesOfAnEvent() throws BadInputException {
        var read = (RecordEvent) CommandJson.read(utf8(event("\"value\":1,\"attributes\":{\"a\":null,\"b\":7}")));

        assertEquals(Map.of("b", "7"), read.attributes());
    }

    @Test
    void shouldReadEveryPropertyOfAUser() throws BadInputException {
        UserChange user = CommandJson.readUserBody(utf8("""
            {"id":"u","email":"a@b","name":"","tz":"Europe/Helsinki","deviceTokens":["t"],"subscribeToEmails":false,
             "signUpDate":"2024-02-29","attributes":{}}\
            """), null, false).user();

        assertEquals(
                new UserChange(
                        new UserId("u"),
                        Change.set("a@b"),
                        Change.set(""),
                        Change.set(ZoneId.of("Europe/Helsinki")),
                        Change.set(List.of("t")),
                        Change.set(false),
                        Change.set(new SignUp.OnDate(LocalDate.of(2024, 2, 29))),
                        Map.of()),
                user);
    }

    @Test
    void shouldIgnoreUnknownFields() throws BadInputException {
        String json = event("\"value\":1,\"x\":{\"value\":\"no\",\"y\":[1,{}]},\"time\":\"2026-01-01T00:00:00Z\"")
                .replace("{\"id\":\"u\"}", "{\"created\":[[]],\"id\":\"u\",\"control\":{}}");

        assertEquals(CommandJson.read(utf8(event("\"value\":1"))), CommandJson.read(utf8(json)));
    }

    /** A field that a type of command does not use may have any form, even if another type uses it. */
    @Test
    void shouldIgnoreFieldsOfOtherTypes() throws BadInputException {
        String others = "\"name\":5,\"start\":[],\"streak\":1,\"version\":\"x\",\"mustExist\":{},\"pauseId\":0,";

        assertEquals(
                CommandJson.read(utf8(event("\"value\":1"))), CommandJson.read(utf8(event(others + "\"value\":1"))));
        assertEquals(
                new GrantFreeze(UserChange.mention(new UserId("u"))),
                CommandJson.read(
                        utf8("{\"type\":\"grant-freeze\"," + others + "\"value\":\"x\",\"user\":{\"id\":\"u\"}}")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{`user`:{`id`:`u`},`value`:1,`metric`:`m`,`type`:`event`}",
                "{`name`:{`type`:`tick`},`value`:1,`type`:`event`,`user`:{`id`:`u`},`metric`:`m`}"
            })
    void shouldReadTheTypeAtAnyPosition(String json) throws BadInputException {
        assertEquals(CommandJson.read(utf8(event("\"value\":1"))), CommandJson.read(utf8(json.replace('`', '"'))));
    }

    /** A command that only mentions a user ignores all other properties of the user, valid or not. */
    @Test
    void shouldOnlyReadTheIdOfAMentionedUser() throws BadInputException {
        String user = "{\"name\":[5],\"id\":\"u\",\"tz\":\"Europe/Atlantis\",\"attributes\":{\"a\":{\"id\":\"x\"}}}";

        assertEquals(
                new RestoreStreak(UserChange.mention(new UserId("u"))),
                CommandJson.read(utf8("{\"type\":\"restore-streak\",\"user\":" + user + "}")));
    }

    @Test
    void shouldReadOnlyGivenPreferences() throws BadInputException {
        SetPreferences read = (SetPreferences) CommandJson.read(utf8(preferences(
                "`notifications`:{`recap`:[`push`,`push`],`streak_reminder`:null},`streak`:{`evaluationMode`:`ALL`,"
                        + "`metrics`:null,`x`:[{}]}")));

        assertEquals(
                Map.of(
                        NotificationType.RECAP,
                        Change.set(Set.of(NotificationChannel.PUSH)),
                        NotificationType.STREAK_REMINDER,
                        Change.clear()),
                read.notifications());
        assertEquals(Change.keep(), read.streak().enabled());
        assertEquals(Change.set(EvaluationMode.AND), read.streak().evaluationMode());
        assertEquals(Change.clear(), read.streak().metrics());
    }

    @Test
    void shouldTreatNullPreferencesAsAbsent() throws BadInputException {
        assertEquals(
                CommandJson.read(utf8(preferences("`x`:1"))),
                CommandJson.read(utf8(preferences("`notifications`:null,`streak`:null"))));
    }

    @Test
    void shouldDefaultBoostsToNoEndAndRoundingDown() throws BadInputException {
        GrantBoost boost = (GrantBoost) CommandJson.read(utf8("""
            {"type":"grant-boost","user":{"id":"u"},"boostId":"3f0c8f1e-7c1b-4d5a-9a39-0d0f6b1c2a10","system":"gems",
             "name":"n","start":"2026-03-04","end":null,"multiplier":99.990,"rounding":null}\
            """));

        assertEquals(
                new GrantBoost(
                        UserChange.mention(new UserId("u")),
                        EVENT_ID,
                        "gems",
                        "n",
                        LocalDate.parse("2026-03-04"),
                        null,
                        new BigDecimal("99.99"),
                        Rounding.DOWN),
                boost);
    }

    // HTTP bodies.

    @Test
    void shouldReadACompletionBodyForTheAchievementOfThePath() throws BadInputException {
        CompleteAchievement completion = CommandJson.readCompletionBody(
                utf8("{\"achievement\":{\"x\":[1]},\"type\":5,\"user\":{\"id\":\"u\",\"name\":\"Ida\"}}"),
                "first-dive");

        assertEquals(
                new CompleteAchievement(UserChange.mention(new UserId("u")).withName("Ida"), "first-dive"), completion);
    }

    @ParameterizedTest
    @MethodSource("impossibleKeys")
    void shouldReportAnImpossibleAchievementKeyAsUnknown(String key) {
        var refused = assertThrows(
                BadInputException.class, () -> CommandJson.readCompletionBody(utf8("{\"user\":{\"id\":\"u\"}}"), key));

        assertEquals(Refusal.unknown("achievement", key), refused.refusal());
    }

    static List<String> impossibleKeys() {
        return List.of("a".repeat(256), "\ud83d");
    }

    @Test
    void shouldReadAPreferencesBodyForTheUserOfThePath() throws BadInputException {
        SetPreferences preferences = CommandJson.readPreferencesBody(
                utf8("{\"user\":{\"id\":\"other\"},\"type\":5,\"streak\":{\"enabled\":false}}"), new UserId("u"));

        assertEquals(
                new SetPreferences(
                        UserChange.mention(new UserId("u")),
                        Map.of(),
                        new StreakChange(Change.set(false), Change.keep(), Change.keep(), Change.keep()),
                        SetPreferences.LeaderboardsChange.NONE),
                preferences);
    }

    @Test
    void shouldCheckTheJsonBeforeTheIdempotencyKey() {
        var refused = assertThrows(
                BadInputException.class, () -> CommandJson.readEventBody(utf8("{"), "laps", "k".repeat(256), EVENT_ID));

        assertEquals(Kind.UNREADABLE, refused.refusal().kind());
    }

    @Test
    void shouldIgnoreFieldsOfTheLogInBodies() throws BadInputException {
        byte[] body = utf8("""
            {"type":5,"metric":{"a":[]},"eventId":"x","idempotencyKey":7,"mustExist":"no","tenant":1,"version":"v",
             "hold":[],"user":{"id":"u"},"value":2}\
            """);
        RecordEvent event = CommandJson.readEventBody(body, "laps", "key-1", EVENT_ID);

        assertEquals(
                new RecordEvent(
                        UserChange.mention(new UserId("u")), "laps", new BigDecimal(2), Map.of(), "key-1", EVENT_ID),
                event);
    }

    @Test
    void shouldTreatAnEmptyIdempotencyKeyAsAbsent() throws BadInputException {
        byte[] body = utf8("{\"user\":{\"id\":\"u\"},\"value\":2}");

        assertNull(CommandJson.readEventBody(body, "laps", "", EVENT_ID).idempotencyKey());
        assertNull(CommandJson.readEventBody(body, "laps", null, EVENT_ID).idempotencyKey());
        assertEquals(
                255,
                CommandJson.readEventBody(body, "laps", "k".repeat(255), EVENT_ID)
                        .idempotencyKey()
                        .length());
    }

    @Test
    void shouldRefuseAnIdempotencyKeyThatIsTooLong() {
        var refused = assertThrows(
                BadInputException.class,
                () -> CommandJson.readEventBody(
                        utf8("{\"user\":{\"id\":\"u\"},\"value\":2}"), "laps", "k".repeat(256), EVENT_ID));

        assertEquals(Kind.INVALID, refused.refusal().kind());
    }

    @Test
    void shouldPreferTheIdOfThePath() throws BadInputException {
        var pathId = new UserId("path");

        for (String body : List.of("{}", "{\"id\":\"other\"}", "{\"id\":null}", "{\"id\":{\"x\":[1]}}")) {
            assertEquals(
                    new IdentifyUser(UserChange.mention(pathId), true),
                    CommandJson.readUserBody(utf8(body), pathId, true));
        }
    }

    @Test
    void shouldRequireAnIdInTheBodyWithoutOneInThePath() {
        var refused = assertThrows(BadInputException.class, () -> CommandJson.readUserBody(utf8("{}"), null, false));

        assertEquals("id is required.", refused.getMessage());
    }

    @Test
    void shouldRefuseBodiesThatAreNotOneObject() {
        for (String body : List.of("[]", "\"u\"", "{} {}", "{", "UTF")) {
            var refused = assertThrows(
                    BadInputException.class, () -> CommandJson.readUserBody(utf8(body), new UserId("u"), false));
            assertEquals(Kind.UNREADABLE, refused.refusal().kind(), body);
        }
    }

    /** Overlong forms, surrogates, code points beyond U+10FFFF, truncated sequences, and bytes that begin none. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "C0 AF",
                "C1 BF",
                "E0 80 AF",
                "E0 9F BF",
                "F0 80 80 AF",
                "F0 8F BF BF",
                "ED A0 80",
                "ED A0 BD ED B8 80",
                "ED BF BF",
                "F4 90 80 80",
                "F5 80 80 80",
                "F8 88 80 80 80",
                "FF",
                "FE",
                "80",
                "C3",
                "E4 BD",
                "F0 9F 98",
                "C3 28",
                "E4 28 A0",
                "F0 9F 28 80",
                "00"
            })
    void shouldRefuseInvalidUtf8(String sequence) {
        byte[] broken = HexFormat.ofDelimiter(" ").parseHex(sequence);
        for (String before : List.of("", "1", "1234567", "ä2345678901")) {
            for (String[] json : new String[][] {
                {"{\"type\":\"event\",\"metric\":\"m\",\"value\":1,\"user\":{\"id\":\"", "\"}}"},
                {"{\"type\":\"tick\",\"ignored\":\"", "\"}"},
                {"{\"type\":\"tick\",\"", "\":1}"}
            }) {
                byte[] text = concat(utf8(json[0] + before), broken, utf8(json[1]));

                var refused = assertThrows(BadInputException.class, () -> CommandJson.read(text));

                assertEquals("Not valid JSON: the text is not valid UTF-8.", refused.getMessage());
                assertEquals(Kind.UNREADABLE, refused.refusal().kind());
            }
        }
        byte[] user = concat(utf8("{\"id\":\"a"), broken, utf8("\"}"));
        byte[] list = concat(utf8("[{\"id\":\"a"), broken, utf8("\"}]"));
        assertThrows(BadInputException.class, () -> CommandJson.readUserBody(user, null, false));
        assertThrows(BadInputException.class, () -> CommandJson.readBatch(list, 10, UUID::randomUUID));
        assertThrows(BadInputException.class, () -> Json.readForeignArray(list));
        assertThrows(BadInputException.class, () -> Json.readForeignObject(user));
        assertThrows(BadInputException.class, () -> Json.readForeign(user, Map.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0080",
                "\u07FF",
                "\u0800",
                "\uD7FF",
                "\uE000",
                "\uFFFD",
                "\uFFFF",
                "\uD800\uDC00",
                "\uDBFF\uDFFF",
                "ä€😀"
            })
    void shouldReadEveryCharacter(String character) throws BadInputException {
        for (String before : List.of("", "1", "1234567", "12345678")) {
            String id = before + character;

            assertEquals(
                    id,
                    CommandJson.readUserBody(utf8("{\"id\":\"" + id + "\"}"), null, false)
                            .user()
                            .id()
                            .value());
        }
    }

    /** RFC 8259 requires UTF-8. */
    @Test
    void shouldRefuseOtherEncodings() {
        for (Charset encoding : List.of(UTF_16, UTF_16BE, UTF_16LE, UTF_32)) {
            assertThrows(
                    BadInputException.class,
                    () -> CommandJson.read("{\"type\":\"tick\"}".getBytes(encoding)),
                    encoding.name());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a\\u0000b, must not contain the character U+0000.",
        "., 'must not be . or .., which clients and proxies take out of paths.'",
        ".\\u002e, 'must not be . or .., which clients and proxies take out of paths.'"
    })
    void shouldRefuseIdOfUserWhoMayBeNewThatNoPathCanHave(String id, String problem) throws BadInputException {
        String user = "\"user\":{\"id\":\"" + id + "\"}";

        for (String json : List.of(
                "{\"type\":\"identify\"," + user + "}",
                "{\"type\":\"event\",\"metric\":\"m\",\"value\":1," + user + "}",
                "{\"type\":\"complete\",\"achievement\":\"a\"," + user + "}")) {
            assertEquals("user.id " + problem, refusalOf(json).message());
        }
        // A user of that id may be stored, and can be changed and erased.
        assertInstanceOf(
                IdentifyUser.class, CommandJson.read(utf8("{\"type\":\"identify\"," + user + ",\"mustExist\":true}")));
        assertInstanceOf(EraseUser.class, CommandJson.read(utf8("{\"type\":\"erase-user\"," + user + "}")));
    }

    private static byte[] concat(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static void assertTooMuch(String field, String json) {
        Refusal refusal = refusalOf(json);
        assertEquals(Kind.INVALID, refusal.kind());
        assertTrue(refusal.message().startsWith(field + " must have at most "), refusal.message());
    }

    private static Refusal refusalOf(String json) {
        return assertThrows(BadInputException.class, () -> CommandJson.read(utf8(json)))
                .refusal();
    }

    private static String event(String fields) {
        return "{\"type\":\"event\",\"metric\":\"m\",\"user\":{\"id\":\"u\"}," + fields + "}";
    }

    private static String preferences(String fields) {
        return ("{`type`:`preferences`,`user`:{`id`:`u`}," + fields + "}").replace('`', '"');
    }

    private static String userWith(String properties) {
        return event("\"value\":1").replace("\"id\":\"u\"", properties);
    }

    private static String attributes(int count) {
        return IntStream.range(0, count).mapToObj(i -> "\"a" + i + "\":\"x\"").collect(Collectors.joining(","));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }
}
