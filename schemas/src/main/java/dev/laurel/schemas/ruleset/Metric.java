package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A kind of user interaction that is counted.
 *
 * @param number see {@link Ruleset}
 * @param unitType {@code number} or {@code currency}
 * @param units label or ISO 4217 code; empty if unset
 */
public record Metric(int number, UUID id, String key, String name, String unitType, String units, Instant created) {

    /**
     * A kind of user interaction. The value of an event, which may be negative or fractional, is added to the user's total
     * (docs/admin-api.md A3).
     */
    public static final Kind<Metric> KIND = Kind.of(
                    "metric",
                    Metric.class,
                    SharedFields.name(),
                    // Whether values are plain numbers or amounts of money.
                    Field.word("unitType", "number", "currency").defaultsTo("number"),
                    // The unit: a label of at most 50 characters, such as km; for unitType currency an ISO 4217 code,
                    // such as EUR.
                    // API: A label, such as km; for a currency its ISO 4217 code, such as EUR, which is then required.
                    Field.text("units", 50).defaultsTo(""))
            .identified(Keys.GIVEN)
            .check(Metric::units)
            .schema(Map.of(
                    "if",
                    Map.of(
                            "properties",
                            Map.of("unitType", Map.of("const", "currency")),
                            "required",
                            List.of("unitType")),
                    "then",
                    Map.of(
                            "required",
                            List.of("units"),
                            "properties",
                            Map.of("units", Map.of("pattern", "^[A-Z]{3}$")))))
            .requiredAtCreation("name")
            .shown("id", "name", "key", "unitType", "units");

    private static void units(IssueList issues, String path, FieldMap metric) {
        String units = metric.text("units");
        issues.expect(
                !"currency".equals(metric.text("unitType")) || units != null && units.matches("[A-Z]{3}"),
                path + "/units",
                "must be an upper-case ISO 4217 code, such as EUR, for unitType currency");
    }
}
