package dev.laurel.core.analytics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Attribute.AttributeType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentTest {

    private static final Attribute CITY = new Attribute(3, new UUID(0, 3), "city", "City", AttributeType.USER, true);

    @ParameterizedTest
    @CsvSource({
        "Oslo, Oslo",
        "(other), \\(other)",
        "\\(other), \\\\(other)",
        "\\\\(other), \\\\\\(other)",
        "a(other), a(other)",
        "\\, \\",
        "(Other), (Other)",
        "(none), (none)"
    })
    void shouldNameNoValueLikeThoseThatAreCountedTogether(String value, String name) {
        List<Segment> segments = Segment.of(false, IntKeyedMap.<String>empty().with(3, value));
        assertEquals(List.of(Segment.OUTSIDE, new Segment(3, name)), segments);
    }

    @ParameterizedTest
    @CsvSource({"city, Oslo, plan, pro", "a, '', b, 1:x", "city, '3:Turku', 'city:', ':'", "näme, 🏊, z, ' '"})
    void shouldKnowTheAttributesOfUsersWhoHaveExactlyThese(
            String key, String value, String otherKey, String otherValue) {
        var attributes = Map.of(key, value, otherKey, otherValue);

        Segment segment = Segment.ofAttributes(attributes);
        assertEquals(attributes, Segment.attributesOf(segment.value()));
        assertEquals(segment, Segment.ofAttributes(new TreeMap<>(attributes)));
    }

    private static List<Object> labels(Stream<String> values) {
        return SegmentGroup.by(CITY, values.toList()).stream()
                .map(group -> group.label().get("city"))
                .toList();
    }

    @Test
    void shouldShowAValueWithSuchANameOnItsOwn() {
        assertEquals(Arrays.asList("Oslo", "\\(other)", null), labels(Stream.of("Oslo", "\\(other)")));
    }

    /** Earlier versions counted users with this value among those with other values. */
    @Test
    void shouldShowOtherValuesOnce() {
        assertEquals(Arrays.asList("Oslo", "(other)", null), labels(Stream.of("(other)", "Oslo")));
        Stream<String> many =
                Stream.concat(Stream.of("(other)"), IntStream.range(0, 100).mapToObj(i -> "c" + i));
        assertEquals(1, labels(many).stream().filter("(other)"::equals).count());
    }
}
