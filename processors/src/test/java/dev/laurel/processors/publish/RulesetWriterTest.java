package dev.laurel.processors.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.processors.TestRulesets;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetEditor;
import dev.laurel.schemas.ruleset.RulesetSource;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RulesetWriterTest {

    private static final Ruleset EMPTY = Ruleset.empty(TenantId.NONE);

    @Test
    void shouldRefuseARulesetThatIsTooLargeForARecord() {
        String body = "{\"metrics\": {" + many("{}") + "}, \"attributes\": {\"user\": {" + many("{}")
                + "}, \"event\": {" + many("{}") + "}}, \"achievements\": {" + many("{\"trigger\": \"api\"}") + "}}";
        assertTrue(body.length() < 1024 * 1024, "a body that a gateway takes");

        var refused = assertInstanceOf(RulesetEditor.Result.Invalid.class, RulesetWriter.fitting(edited(body)));

        String message = refused.issues().getFirst().message();
        assertTrue(message.contains("at most " + RulesetWriter.MAX_DOCUMENT_BYTES), message);
    }

    @Test
    void shouldLetOthersPass() {
        RulesetEditor.Result changed = edited("{\"metrics\": {\"laps\": {}}}");
        RulesetEditor.Result unchanged = new RulesetEditor.Result.Unchanged(EMPTY);

        assertEquals(changed, RulesetWriter.fitting(changed));
        assertEquals(unchanged, RulesetWriter.fitting(unchanged));
    }

    private static RulesetEditor.Result edited(String body) {
        RulesetSource source = TestRulesets.YAML.readValue(body, RulesetSource.class);
        return RulesetEditor.apply(EMPTY, source, Instant.EPOCH);
    }

    private static String many(String object) {
        return IntStream.range(0, 10_000).mapToObj(i -> "\"k" + i + "\": " + object).collect(Collectors.joining(", "));
    }
}
