package dev.laurel.schemas.ruleset.edit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.MessageBody;
import dev.laurel.schemas.wire.Present;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class TemplateVariablesTest {

    private static final Instant NOW = Instant.parse("2026-03-04T12:00:00Z");

    private static final Ruleset NONE = Ruleset.empty(new TenantId("acme"));

    /** Fields of bodies that have no value in messages: of lists only, unknown to the ledger, left out. */
    private static final Set<String> EMPTY =
            Set.of("achievement.completions", "achievement.rarity", "streak.rank", "points.SYSTEM.awards");

    private final TemplateVariables variables =
            TemplateVariables.of(Set.of("best-pool", "city"), Set.of("xp"), Set.of("laps"));

    @Test
    void shouldBeTheFieldsOfMessagesThatCanHaveAValue() {
        var fields = new TreeSet<String>();
        collect(MessageBody.class, "", "", fields);
        fields.removeIf(field -> EMPTY.stream().anyMatch(field::startsWith));

        assertEquals(
                fields,
                new TreeSet<>(TemplateVariables.GROUPS.stream()
                        .flatMap(group -> group.variables().stream())
                        .toList()));
    }

    /** @param of the generic name of the map around it */
    private static void collect(Type type, String path, String of, Set<String> fields) {
        if (type instanceof ParameterizedType generic) {
            Class<?> raw = (Class<?>) generic.getRawType();
            Type last = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
            if (raw == Map.class) {
                collect(
                        last,
                        path + "."
                                + switch (of) {
                                    case "attributes" -> "ATTRIBUTE";
                                    case "metrics" -> "METRIC";
                                    default -> "SYSTEM";
                                },
                        "",
                        fields);
            } else if (raw == List.class) {
                collect(last, path + "[]", "", fields);
            } else {
                assertTrue(raw == Optional.class || raw == Present.class, path);
                collect(last, path, of, fields);
            }
        } else if (((Class<?>) type).isRecord()) {
            for (RecordComponent field : ((Class<?>) type).getRecordComponents()) {
                String separator = path.isEmpty() ? "" : ".";
                collect(
                        field.getGenericType(),
                        field.getName().equals("base") ? path : path + separator + field.getName(),
                        field.getName(),
                        fields);
            }
        } else {
            fields.add(path);
        }
    }

    @ParameterizedTest
    @CsvFileSource(resources = "TemplateVariablesTest.shouldKnowVariables.csv", delimiter = '|')
    void shouldKnowVariables(String type, String text) {
        assertNull(variables.problemWith(text, NotificationType.valueOf(type.toUpperCase(Locale.ROOT))));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "TemplateVariablesTest.shouldFindUnknownVariables.csv", delimiter = '|')
    void shouldFindUnknownVariables(String type, String text, String named, String nearest) {
        String problem = variables.problemWith(text, NotificationType.valueOf(type.toUpperCase(Locale.ROOT)));

        assertTrue(
                problem != null
                        && problem.startsWith("names an unknown variable '" + named + "'; nearest: "
                                + (nearest == null ? "" : nearest + ";")),
                problem);
        assertTrue(problem.contains("messages of type " + type + " have timestamp, type, user.(id, email, "), problem);
    }

    @Test
    void shouldFindThemInEveryText() {
        assertEquals(
                List.of(
                        "/notifications/templates/weekly/subject",
                        "/notifications/templates/weekly/body",
                        "/notifications/templates/weekly/variations/0/subject",
                        "/notifications/templates/weekly/variations/0/body"),
                invalid(RulesetEditor.apply(NONE, weekly("{{user.nope}}", "{{x}}", ""), NOW)));
    }

    @Test
    void shouldLeaveStoredTextsAlone() {
        Ruleset stored = stored();

        Ruleset renamed =
                changed(RulesetEditor.apply(stored, weekly("{{user.nope}}", "{{x}}", ", 'name': 'New'"), NOW));
        assertEquals(
                List.of("/notifications/templates/weekly/body"),
                invalid(RulesetEditor.apply(renamed, weekly("{{user.nope}}", "{{y}}", ""), NOW)).stream()
                        .limit(1)
                        .toList());
        Ruleset mended = changed(RulesetEditor.apply(renamed, weekly("{{user.id}}", "x", ""), NOW));
        changed(RulesetEditor.restore(mended, renamed, NOW));
    }

    @Test
    void shouldWarnOfStoredTexts() {
        var issues = new IssueList();

        TemplateVariables.warn(stored(), issues);

        assertEquals(4, issues.found().size(), issues.found().toString());
        assertEquals(issues.found(), RulesetEditor.issuesOf(RulesetSource.of(stored(), NOW)));
    }

    /** A ruleset of the time before names were checked. */
    private static Ruleset stored() {
        Ruleset plain = changed(RulesetEditor.apply(NONE, weekly("USER", "BODY", ""), NOW));
        return Json.read(
                new String(Json.write(plain), UTF_8)
                        .replace("USER", "{{user.nope}}")
                        .replace("BODY", "{{x}}")
                        .getBytes(UTF_8),
                Ruleset.class);
    }

    private static RulesetSource weekly(String subject, String body, String more) {
        String text = "'subject': '" + subject + "', 'body': '" + body + "'";
        return Json.read(
                ("{'notifications': {'templates': {'weekly': {'type': 'recap', 'channel': 'email', " + text
                                + ", 'variations': [{" + text + "}]" + more + "}}}}")
                        .replace('\'', '"')
                        .getBytes(UTF_8),
                RulesetSource.class);
    }

    private static Ruleset changed(RulesetEditor.Result result) {
        return ((RulesetEditor.Result.Changed) result).ruleset();
    }

    private static List<String> invalid(RulesetEditor.Result result) {
        var paths = new ArrayList<String>();
        ((RulesetEditor.Result.Invalid) result)
                .issues().stream().map(Issue::path).forEach(paths::add);
        return paths;
    }
}
