package dev.laurel.schemas.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.LogCommand;
import dev.laurel.schemas.command.Command.OwnedCommand;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.ruleset.Sources;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Examples;
import dev.laurel.schemas.serde.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Checks that the published JSON schemas accept and refuse the same documents as the readers. */
class JsonSchemaTest {

    private static final String BASE = "https://laurel.dev/v1/schemas/";
    private static final List<String> NAMES = List.of("command", "log-command", "import-line", "effect", "rejection");

    private static final String ID = "`3f0c8f1e-7c1b-4d5a-9a39-0d0f6b1c2a10`";
    private static final String PAUSE = "`pauseId`:" + ID + ",`start`:`2026-07-05`,`end`:`2026-07-18`";
    private static final String BOOST =
            "`boostId`:" + ID + ",`system`:`gems`,`name`:`n`,`start`:`2026-03-04`,`multiplier`:2";
    private static final String CHANGE = "`boostId`:" + ID + ",`system`:`gems`,`change`:{}";

    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemaIdResolvers(r -> r.mapPrefix(BASE, "classpath:dev/laurel/schemas/json/")));

    @TestFactory
    Stream<DynamicTest> shouldBeValidJsonSchemas() {
        Schema meta = registry.getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
        return Stream.concat(NAMES.stream(), Stream.of("laurel-ruleset"))
                .map(name -> DynamicTest.dynamicTest(
                        name, () -> assertEquals(List.of(), meta.validate(source(name), InputFormat.JSON))));
    }

    @TestFactory
    Stream<DynamicTest> shouldAcceptTheirOwnExamples() {
        var tests = new ArrayList<DynamicTest>();
        for (String name : NAMES) {
            JsonNode examples = Json.mapperForTools().readTree(source(name)).get("examples");
            assertFalse(examples.isEmpty(), name);
            for (JsonNode example : examples) {
                tests.add(DynamicTest.dynamicTest(name + " " + example, () -> assertValid(name, example.toString())));
            }
        }
        return tests.stream();
    }

    @TestFactory
    Stream<DynamicTest> shouldAcceptWrittenRecords() {
        var tests = new ArrayList<DynamicTest>();
        Examples.commands()
                .forEach((name, command) -> tests.add(DynamicTest.dynamicTest(name, () -> {
                    boolean isMarker = !(command instanceof UserCommand);
                    String json = text(CommandJson.write(command));
                    assertValid(isMarker ? "log-command" : "command", json);
                    assertFalse(isValid(isMarker ? "command" : "log-command", json));
                })));
        Examples.effects()
                .forEach((name, effect) -> tests.add(
                        DynamicTest.dynamicTest(name, () -> assertValid("effect", text(Json.write(effect))))));
        tests.add(DynamicTest.dynamicTest(
                "rejection", () -> assertValid("rejection", text(Json.write(Examples.rejection())))));
        return tests.stream();
    }

    @TestFactory
    Stream<DynamicTest> shouldAcceptCommandsThatTheReaderAccepts() {
        return Stream.concat(good(), goodOthers())
                .map(json -> DynamicTest.dynamicTest(json, () -> {
                    assertTrue(isRead(json), "the reader refuses it");
                    assertValid("command", json);
                }));
    }

    @TestFactory
    Stream<DynamicTest> shouldRefuseCommandsThatTheReaderRefuses() {
        return Stream.concat(bad(), badOthers())
                .map(json -> DynamicTest.dynamicTest(json, () -> {
                    assertFalse(isRead(json), "the reader accepts it");
                    assertFalse(isValid("command", json), "the schema accepts it");
                }));
    }

    private static Stream<String> good() {
        return Stream.concat(
                        Stream.of("0", "-1e12", "1000000000000", "0.5", "0e999", "12.0")
                                .map(v -> event("`value`:" + v)),
                        Stream.of(
                                        "`value`:1,`attributes`:null",
                                        "`value`:1,`attributes`:{`a`:`x`,`b`:1,`c`:true,`d`:null}",
                                        "`value`:1,`idempotencyKey`:null",
                                        "`value`:1,`idempotencyKey`:``",
                                        "`value`:1,`eventId`:null",
                                        "`value`:1,`eventId`:`3F0C8F1E-7c1b-4d5a-9a39-0d0f6b1c2a10`",
                                        "`value`:1,`unknown`:[{}]")
                                .map(JsonSchemaTest::event))
                .flatMap(json -> Stream.of(
                        json,
                        json.replace(
                                "{`id`:`u`}",
                                "{`id`:`u`,`email`:null,`name`:``,`tz`:null,`deviceTokens`:[`t`],"
                                        + "`subscribeToEmails`:null,`signUpDate`:null,`x`:1}")))
                .map(JsonSchemaTest::quoted);
    }

    /** Valid commands other than events. */
    private static Stream<String> goodOthers() {
        return Stream.of(
                        "{`type`:`complete`,`achievement`:`a`,`user`:{`id`:`u`,`name`:`n`,`tz`:null},`value`:[]}",
                        "{`type`:`grant-freeze`,`user`:{`id`:`u`,`name`:5},`start`:5}",
                        act("restore-streak", "`x`:1"),
                        act("erase-user", "`x`:1"),
                        act("drop-device-tokens", "`tokens`:[]"),
                        act("drop-device-tokens", "`tokens`:[`t`,`t`],`x`:1"),
                        act("record-reaction", "`reaction`:`opened`,`email`:" + ID),
                        act("run-finished", "`leaderboard`:1,`run`:-5,`rank`:1,`participants`:2,`x`:1"),
                        act("preferences", "`notifications`:null,`streak`:null"),
                        act("preferences", "`notifications`:{},`streak`:{}"),
                        act("preferences", "`notifications`:{`recap`:null,`reactivation`:[`push`,`push`,`email`]}"),
                        act("preferences", "`streak`:{`enabled`:null,`evaluationMode`:null,`metrics`:null,`x`:1}"),
                        act("preferences", "`streak`:{`evaluationMode`:`ALL`,`metrics`:[]}"),
                        act(
                                "preferences",
                                "`streak`:{`metrics`:[{`key`:``,`threshold`:1e-9},{`key`:`b`,`threshold`:1e12}]}"),
                        act("plan-pause", PAUSE),
                        act("delete-pause", "`pauseId`:" + ID),
                        act("test-message", "`template`:" + ID + ",`x`:1"),
                        act("grant-boost", BOOST),
                        act("grant-boost", BOOST + ",`end`:null,`rounding`:null"),
                        act("grant-boost", BOOST + ",`end`:`2026-03-04`,`rounding`:`nearest`"),
                        act("revoke-boost", "`boostId`:" + ID),
                        act("revoke-boost", "`boostId`:" + ID + ",`system`:null"),
                        act("change-boost", "`boostId`:" + ID + ",`system`:`gems`"),
                        act("change-boost", "`boostId`:" + ID + ",`system`:`gems`,`change`:null"),
                        act(
                                "change-boost",
                                CHANGE.replace(
                                        "{}", "{`end`:null,`name`:null,`start`:`2026-03-04`,`multiplier`:0.5,`x`:1}")))
                .map(JsonSchemaTest::quoted);
    }

    private static Stream<String> badOthers() {
        Stream<String> acts = Stream.of("grant-freeze", "restore-streak", "erase-user", "preferences")
                .flatMap(type -> Stream.of("{`type`:`" + type + "`}", "{`type`:`" + type + "`,`user`:{`id`:``}}"));
        Stream<String> preferences = Stream.of(
                        "`notifications`:[]",
                        "`notifications`:{`news`:null}",
                        "`notifications`:{`recap`:`email`}",
                        "`notifications`:{`recap`:[`sms`]}",
                        "`notifications`:{`recap`:[null]}",
                        "`streak`:[]",
                        "`streak`:{`enabled`:1}",
                        "`streak`:{`evaluationMode`:`and`}",
                        "`streak`:{`metrics`:[{`key`:`a`}]}",
                        "`streak`:{`metrics`:[{`key`:`a`,`threshold`:0}]}",
                        "`streak`:{`metrics`:[{`threshold`:1}]}",
                        "`streak`:{`metrics`:[{`key`:`a`,`threshold`:1e13}]}",
                        "`streak`:{`metrics`:[1]}")
                .map(fields -> act("preferences", fields));
        Stream<String> pauses = Stream.of(
                        "`x`:1",
                        PAUSE.replace("`start`", "`from`"),
                        PAUSE.replace("`end`", "`to`"),
                        PAUSE.replace("2026-07-18", "18 July"),
                        PAUSE.replace("`2026-07-18`", "null"),
                        PAUSE.replace(ID, "null"),
                        PAUSE.replace(ID, "`p`"))
                .map(fields -> act("plan-pause", fields));
        Stream<String> boosts = Stream.of(
                        "`x`:1",
                        BOOST.replace(ID, "null"),
                        BOOST.replace("`gems`", "null"),
                        BOOST.replace("`n`", "``"),
                        BOOST.replace("`2026-03-04`", "null"),
                        BOOST + ",`end`:``",
                        BOOST.replace(":2", ":0"),
                        BOOST.replace(":2", ":1"),
                        BOOST.replace(":2", ":100"),
                        BOOST.replace(":2", ":`2`"),
                        BOOST + ",`rounding`:`DOWN`")
                .map(fields -> act("grant-boost", fields));
        Stream<String> changes = Stream.of(
                        CHANGE.replace("{}", "[]"),
                        CHANGE.replace(ID, "null"),
                        CHANGE.replace("`gems`", "null"),
                        CHANGE.replace("{}", "{`name`:``}"),
                        CHANGE.replace("{}", "{`end`:``}"),
                        CHANGE.replace("{}", "{`multiplier`:1}"),
                        CHANGE.replace("{}", "{`rounding`:`DOWN`}"))
                .map(fields -> act("change-boost", fields));
        Stream<String> others = Stream.of(
                act("complete", "`x`:1"),
                "{`type`:`complete`,`achievement`:`a`}",
                act("complete", "`achievement`:null"),
                act("delete-pause", "`x`:1"),
                act("drop-device-tokens", "`x`:1"),
                act("drop-device-tokens", "`tokens`:null"),
                act("drop-device-tokens", "`tokens`:[5]"),
                act("drop-device-tokens", "`tokens`:[" + "`t`,".repeat(100) + "`t`]"),
                act("record-reaction", "`reaction`:`OPENED`,`email`:" + ID),
                act("record-reaction", "`reaction`:`clicked`"),
                act("record-reaction", "`email`:" + ID),
                act("run-finished", "`leaderboard`:1,`run`:0,`rank`:1"),
                act("run-finished", "`leaderboard`:`top`,`run`:0,`rank`:1,`participants`:2"),
                act("delete-pause", "`pauseId`:null"),
                act("test-message", "`x`:1"),
                act("test-message", "`template`:`t`"),
                act("revoke-boost", "`pauseId`:" + ID));
        return Stream.of(acts, preferences, pauses, boosts, changes, others)
                .flatMap(s -> s)
                .map(JsonSchemaTest::quoted);
    }

    private static Stream<String> bad() {
        Stream<String> values = Stream.of("`5`", "null", "true", "{}", "1e400", "1000000000000.1", "-1e13")
                .map(v -> event("`value`:" + v));
        Stream<String> users = Stream.of(
                        "null",
                        "`u`",
                        "[]",
                        "{}",
                        "{`id`:``}",
                        "{`id`:1}",
                        "{`id`:null}",
                        "{`id`:`" + "x".repeat(256) + "`}",
                        "{`id`:`u`,`email`:`nobody`}",
                        "{`id`:`u`,`name`:1}",
                        "{`id`:`u`,`tz`:2}",
                        "{`id`:`u`,`deviceTokens`:`t`}",
                        "{`id`:`u`,`deviceTokens`:[null]}",
                        "{`id`:`u`,`subscribeToEmails`:`true`}",
                        "{`id`:`u`,`signUpDate`:`4 March`}",
                        "{`id`:`u`,`attributes`:[]}",
                        "{`id`:`u`,`attributes`:{`a`:{}}}")
                .map(user -> event("`value`:1").replace("{`id`:`u`}", user));
        Stream<String> others = Stream.of(
                "{}",
                "[]",
                "null",
                "{`type`:`complete`}",
                "{`type`:`event`}",
                "{`type`:`identify`}",
                "{`type`:null,`user`:{`id`:`u`}}",
                "{`type`:`event`,`value`:1,`user`:{`id`:`u`}}",
                "{`type`:`event`,`metric`:null,`value`:1,`user`:{`id`:`u`}}",
                event("`x`:1"),
                event("`value`:1,`eventId`:`1-1-1-1-1`"),
                event("`value`:1,`idempotencyKey`:5"),
                event("`value`:1,`attributes`:[]"),
                event("`value`:1,`attributes`:{`a`:[1]}"),
                "{`type`:`identify`,`user`:{`id`:`u`},`mustExist`:`yes`}");
        return Stream.of(values, users, others).flatMap(s -> s).map(JsonSchemaTest::quoted);
    }

    /** Rules in the description of the schema only: JSON Schema cannot express them so that all validators agree. */
    @ParameterizedTest
    @ValueSource(strings = {"`tz`:`Europe/Atlantis`", "`name`:`\\ud83d`"})
    void shouldAcceptZonesAndNamesThatOnlyTheReaderRefuses(String property) {
        String json = quoted(event("`value`:1").replace("`id`:`u`", "`id`:`u`," + property));

        assertFalse(isRead(json));
        assertValid("command", json);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-02-30", "2026-03-03"})
    void shouldAcceptDatesThatOnlyTheReaderRefuses(String end) {
        String json = quoted(act("grant-boost", BOOST + ",`end`:`" + end + "`"));

        assertFalse(isRead(json));
        assertValid("command", json);
    }

    @Test
    void shouldAcceptOnlyImportableCommandsAsImportLines() {
        Examples.commands().forEach((name, command) -> {
            boolean isImportable = switch (command) {
                case RecordEvent _, IdentifyUser _, CompleteAchievement _, SetPreferences _ -> true;
                case UserCommand _, OwnedCommand _, LogCommand _ -> false;
            };
            String line = text(CommandJson.write(command)).replaceFirst("\\{", "{\"time\":\"2026-03-04T09:15:00Z\",");
            assertEquals(isImportable, isValid("import-line", line), name);
        });
    }

    @Test
    void shouldRequireATimeOnAnImportLine() {
        String line = quoted(event("`value`:1"));

        assertFalse(isValid("import-line", line));
        assertValid("import-line", line.replace("{\"type\"", "{\"time\":\"2026-03-04T09:15:00Z\",\"type\""));
        assertFalse(isValid("import-line", line.replace("{\"type\"", "{\"time\":\"yesterday\",\"type\"")));
        assertFalse(isValid("import-line", "{\"time\":\"2026-03-04T09:15:00Z\",\"type\":\"tick\"}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{`type`:`ruleset-published`}",
                "{`type`:`ruleset-published`,`version`:0}",
                "{`type`:`ruleset-published`,`version`:1.5}",
                "{`type`:`timers-held`}",
                "{`type`:`timers-released`,`hold`:``}",
                "{`type`:`delete-owned-pause`}",
                "{`type`:`delete-owned-pause`,`id`:`p`}",
                "{`type`:`revoke-owned-boost`,`tenant`:`acme`}",
                "{`type`:`change-owned-boost`,`id`:" + ID + "}",
                "{`type`:`change-owned-boost`,`id`:" + ID + ",`system`:`gems`,`change`:{`multiplier`:100}}"
            })
    void shouldRefuseMarkersThatTheReaderRefuses(String marker) {
        assertFalse(isRead(quoted(marker)));
        assertFalse(isValid("log-command", quoted(marker)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{`type`:`user.created`,`user`:`u`}",
                "{`type`:`user.gone`,`user`:`u`,`at`:`2026-03-04T09:15:00.000Z`}",
                "{`type`:`user.created`,`user`:`u`,`at`:`2026-03-04T09:15:00Z`}",
                "{`type`:`streak.lost`,`user`:`u`,`at`:`2026-03-04T09:15:00.000Z`}",
                "{`type`:`streak.freeze_earned`,`user`:`u`,`at`:`2026-03-04T09:15:00.000Z`,`freezes`:1}",
                "{`type`:`points.level_changed`,`user`:`u`,`at`:`2026-03-04T09:15:00.000Z`}",
                "{`type`:`streak.lost`,`user`:`u`,`at`:`2026-03-04T09:15:00.000Z`,`length`:1.5}",
                "{`type`:`user.created`,`at`:`2026-03-04T09:15:00.000Z`}",
                "{`type`:`user.created`,`user`:null,`at`:`2026-03-04T09:15:00.000Z`}",
                "{`type`:`points.boost_started`,`user`:null,`at`:`2026-03-04T09:15:00.000Z`}",
                "{`type`:`leaderboard.started`,`at`:`2026-03-04T09:15:00.000Z`}"
            })
    void shouldRefuseInvalidEffects(String effect) {
        assertFalse(isValid("effect", quoted(effect)));
    }

    @TestFactory
    Stream<DynamicTest> shouldAcceptRulesetsThatTheValidatorAccepts() {
        Stream<RulesetSource> random = LongStream.range(0, 200).mapToObj(seed -> Sources.random(seed, seed % 2 == 0));
        return Stream.concat(Stream.of(Sources.read(Sources.EVERYTHING)), random)
                .map(source -> written(source).toString())
                .map(json -> DynamicTest.dynamicTest(json, () -> assertValid("laurel-ruleset", json)));
    }

    /** Each row replaces one part of a valid ruleset by an error that a schema can detect. */
    @ParameterizedTest
    @CsvFileSource(
            resources = "JsonSchemaTest.shouldRefuseRulesetsThatTheValidatorRefuses.csv",
            delimiter = '|',
            quoteCharacter = '^')
    void shouldRefuseRulesetsThatTheValidatorRefuses(String before, String after) {
        String from = quoted(before);
        assertTrue(Sources.EVERYTHING.contains(from), from);
        String json = Sources.EVERYTHING.replace(from, quoted(after == null ? "" : after));

        assertFalse(isValid("laurel-ruleset", json), "the schema accepts it");
        assertFalse(isRuleset(json), "the validator accepts it");
    }

    private static boolean isRuleset(String json) {
        try {
            return Json.readForeign(json.getBytes(UTF_8), RulesetSource.class)
                    .issues()
                    .isEmpty();
        } catch (BadInputException _) {
            return false;
        }
    }

    private static JsonNode written(RulesetSource source) {
        return Json.read(Json.write(source), JsonNode.class);
    }

    private void assertValid(String name, String json) {
        assertEquals(List.of(), schema(name).validate(json, InputFormat.JSON));
    }

    private boolean isValid(String name, String json) {
        return schema(name).validate(json, InputFormat.JSON).isEmpty();
    }

    private Schema schema(String name) {
        return registry.getSchema(SchemaLocation.of(BASE + name + ".schema.json"));
    }

    private static String source(String name) {
        try (var in = CommandJson.class.getResourceAsStream("/dev/laurel/schemas/json/" + name + ".schema.json")) {
            return text(in.readAllBytes());
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static boolean isRead(String json) {
        try {
            CommandJson.read(json.getBytes(UTF_8));
            return true;
        } catch (BadInputException _) {
            return false;
        }
    }

    private static String event(String fields) {
        return "{`type`:`event`,`metric`:`m`,`user`:{`id`:`u`}," + fields + "}";
    }

    private static String act(String type, String fields) {
        return "{`type`:`" + type + "`,`user`:{`id`:`u`}," + fields + "}";
    }

    private static String quoted(String json) {
        return json.replace('`', '"');
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }
}
