package dev.laurel.core;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import java.time.Instant;
import java.util.Map;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Rulesets for tests, written as in {@code laurel.yaml}. */
public final class TestRulesets {

    public static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(
                    DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS,
                    DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private TestRulesets() {}

    /** The first version, published at the epoch. */
    public static Ruleset first(String yaml) {
        return next(Ruleset.empty(TenantId.NONE), yaml, Instant.EPOCH);
    }

    /** The version after {@code current} with the content of {@code yaml}; {@code current} if they are equal. */
    public static Ruleset next(Ruleset current, String yaml, Instant at) {
        return next(current, source(yaml), at);
    }

    /** The content of {@code yaml}, unchecked. */
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
