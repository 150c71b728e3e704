package dev.laurel.schemas.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.EditResult;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BulkEditorTest {

    private static final Instant NOW = Instant.parse("2026-03-04T12:00:00Z");
    private static final UUID ID1 = UUID.fromString("00000000-0000-4000-8000-000000000001");
    private static final UUID ID2 = UUID.fromString("00000000-0000-4000-8000-000000000002");

    private Ruleset ruleset = Ruleset.empty(TenantId.NONE);

    @Test
    void shouldCreateValidItemsAndReportInvalidOnes() {
        EditResult result = create(
                ObjectKind.METRIC,
                Map.of("name", "Laps swum", "key", "laps-swum", "units", "laps"),
                Map.of("name", "Laps again", "key", "laps-swum"));

        assertEquals(201, result.status());
        assertEquals(
                "{\"created\":[{\"id\":\"" + ID1 + "\",\"name\":\"Laps swum\",\"key\":\"laps-swum\","
                        + "\"unitType\":\"number\",\"units\":\"laps\"}],\"issues\":[{\"severity\":\"error\","
                        + "\"message\":\"Key already in use by another metric\",\"index\":1}]}",
                text(result));
        assertEquals(1, ruleset.version());
    }

    @Test
    void shouldNotCreateVersionIfNothingIsCreated() {
        EditResult result = create(ObjectKind.METRIC, Map.of("name", "Money", "key", "money", "unitType", "currency"));

        assertEquals(200, result.status());
        assertNull(result.ruleset());
        assertEquals(
                "{\"created\":[],\"issues\":[{\"severity\":\"error\",\"message\":\"units must be an upper-case "
                        + "ISO 4217 code, such as EUR, for unitType currency\",\"index\":0}]}",
                text(result));
    }

    @Test
    void shouldChangeOnlyTheGivenFields() {
        create(ObjectKind.METRIC, Map.of("name", "Laps", "key", "laps", "units", "laps"));

        EditResult result = apply(new Edit.Update(
                ObjectKind.METRIC,
                null,
                List.of(
                        Map.of("id", ID1.toString(), "name", "Rounds"),
                        Map.of("id", ID2.toString(), "name", "?"),
                        Map.of("id", "nonsense"))));

        assertEquals(
                "{\"updated\":[{\"id\":\"" + ID1
                        + "\",\"name\":\"Rounds\",\"key\":\"laps\",\"unitType\":\"number\",\"units\":\"laps\"}],"
                        + "\"issues\":[{\"severity\":\"error\",\"message\":\"Metric"
                        + " not found by ID\",\"id\":\"" + ID2
                        + "\"},{\"severity\":\"error\",\"message\":\"id must be a valid UUID\","
                        + "\"id\":\"nonsense\"}]}",
                text(result));
    }

    @Test
    void shouldNotDeleteMetricInUse() {
        apply(new Edit.Replace(Json.read("""
            {"metrics":{"laps":{"id":"%s"}},"achievements":{"forty":{"trigger":"metric","metric":"laps","value":40}}}
            """.formatted(ID1).getBytes(UTF_8), RulesetSource.class), null));

        EditResult result = apply(new Edit.Delete(ObjectKind.METRIC, null, List.of(ID1.toString())));

        assertEquals(
                "{\"deleted\":[],\"issues\":[{\"severity\":\"error\",\"message\":\"Metric is still used by the "
                        + "achievement 'forty'\",\"id\":\"" + ID1 + "\"}]}",
                text(result));
    }

    @Test
    void shouldReuseKeyOfDeletedMetric() {
        create(ObjectKind.METRIC, Map.of("name", "Laps", "key", "laps"));
        int before = ruleset.metrics().getFirst().number();
        apply(new Edit.Delete(ObjectKind.METRIC, null, List.of(ID1.toString())));

        apply(new Edit.Create(
                ObjectKind.METRIC, null, List.of(new Edit.NewItem(ID2, Map.of("name", "Laps", "key", "laps")))));

        assertEquals(ID2, ruleset.metrics().getFirst().id());
        assertEquals(before + 1, ruleset.metrics().getFirst().number());
    }

    @Test
    void shouldIdentifyItemWithoutIdByItsIndex() {
        create(ObjectKind.METRIC, Map.of("name", "Laps", "key", "laps"));

        EditResult result = apply(new Edit.Update(
                ObjectKind.METRIC,
                null,
                List.of(
                        Map.of("id", ID1.toString(), "name", "More"),
                        Map.of("name", "x"),
                        Map.of("id", 7),
                        "no",
                        Map.of("id", ""))));

        String noUuid = "{\"severity\":\"error\",\"message\":\"id must be a valid UUID\",";
        assertTrue(
                text(result)
                        .endsWith("\"issues\":[" + noUuid + "\"index\":1}," + noUuid + "\"index\":2}," + noUuid
                                + "\"index\":3}," + noUuid + "\"id\":\"\"}]}"),
                text(result));
    }

    @SafeVarargs
    private EditResult create(ObjectKind kind, Map<String, Object>... items) {
        return apply(new Edit.Create(
                kind,
                null,
                IntStream.range(0, items.length)
                        .mapToObj(i -> new Edit.NewItem(i == 0 ? ID1 : ID2, items[i]))
                        .toList()));
    }

    private EditResult apply(Edit.OfRuleset edit) {
        EditResult result = Editor.apply(ruleset, InMemoryAccessStore.index(), edit, NOW, new byte[32]);
        if (result.ruleset() != null) {
            ruleset = result.ruleset();
        }
        return result;
    }

    private static String text(EditResult result) {
        return new String(Json.write(result.body()), UTF_8);
    }
}
