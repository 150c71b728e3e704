package dev.laurel.processors.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.processors.TestRulesets;
import dev.laurel.schemas.access.AccessBook;
import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.admin.EditResult;
import dev.laurel.schemas.admin.Editor;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource;
import dev.laurel.schemas.wire.ErrorBody;
import dev.laurel.schemas.wire.RulesetAppliedBody;
import java.time.Instant;
import java.util.List;
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

        EditResult refused = RulesetWriter.fitting(edited(body));

        assertNull(refused.ruleset());
        assertEquals(422, refused.status());
        String message = ((ErrorBody) refused.body()).error();
        assertTrue(message.contains("at most " + RulesetWriter.MAX_DOCUMENT_BYTES), message);
    }

    @Test
    void shouldLetOthersPass() {
        EditResult changed = edited("{\"metrics\": {\"laps\": {}}}");
        var unchanged = new EditResult(null, 200, new RulesetAppliedBody(0, false, List.of()));

        assertNotNull(changed.ruleset());
        assertEquals(changed, RulesetWriter.fitting(changed));
        assertEquals(unchanged, RulesetWriter.fitting(unchanged));
    }

    private static EditResult edited(String body) {
        RulesetSource source = TestRulesets.YAML.readValue(body, RulesetSource.class);
        return Editor.apply(EMPTY, new AccessBook(), new Edit.Replace(source, null), Instant.EPOCH, new byte[32]);
    }

    private static String many(String object) {
        return IntStream.range(0, 10_000).mapToObj(i -> "\"k" + i + "\": " + object).collect(Collectors.joining(", "));
    }
}
