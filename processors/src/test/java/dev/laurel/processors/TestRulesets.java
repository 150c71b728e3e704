package dev.laurel.processors;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetEditor;
import dev.laurel.schemas.ruleset.RulesetSource;
import java.time.Instant;
import java.util.Map;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Rulesets for tests, written as an operator writes them: as {@code laurel.yaml}. */
public final class TestRulesets {

    public static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS,
                    DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private TestRulesets() {}

    /** The first version, published at the epoch. */
    public static Ruleset first(String yaml) {
        return next(Ruleset.empty(TenantId.NONE), yaml, Instant.EPOCH);
    }

    /** The version after {@code current} that says what {@code yaml} says; {@code current} if it says so already. */
    public static Ruleset next(Ruleset current, String yaml, Instant at) {
        return next(current, source(yaml), at);
    }

    /** What {@code yaml} says, unchecked. */
    public static RulesetSource source(String yaml) {
        return RulesetSource.of(YAML.readValue(yaml, Map.class));
    }

    public static Ruleset next(Ruleset current, RulesetSource source, Instant at) {
        return switch (RulesetEditor.apply(current, source, at)) {
            case RulesetEditor.Result.Changed(Ruleset changed) -> changed;
            case RulesetEditor.Result.Unchanged(Ruleset same) -> same;
            case RulesetEditor.Result.Invalid(var issues) ->
                throw new IllegalArgumentException("the test's ruleset is not valid: " + issues);
        };
    }
}
