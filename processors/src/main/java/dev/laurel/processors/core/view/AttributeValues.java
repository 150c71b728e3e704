package dev.laurel.processors.core.view;

import dev.laurel.processors.core.rules.CalendarYear.Span;
import dev.laurel.processors.core.user.AttributeSums;
import dev.laurel.processors.core.user.CountedDays;
import dev.laurel.processors.core.user.UserHistory.Day;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.wire.WrappedBody.ByValueBody;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * How a metric went over a period, by the values that its events had of each attribute. Of an attribute with very many
 * values those with the greatest changes are shown, {@link AttributeSums#MAX_VALUES} of them.
 */
final class AttributeValues {

    private static final Comparator<Map.Entry<String, PeriodNumbers>> GREATEST_FIRST = Comparator.<Map.Entry<String, PeriodNumbers>, BigDecimal>comparing(
            entry -> entry.getValue().change()).reversed()
            .thenComparing(Map.Entry::getKey);

    private AttributeValues() {}

    /**
     * @param days from the first on with attributes
     * @param attributes of events
     * @return by key and value; attributes and values that no event of the period had are left out
     */
    static Map<String, Map<String, ByValueBody>> of(CountedDays days, Span span, List<Attribute> attributes) {
        var bodies = new LinkedHashMap<String, Map<String, ByValueBody>>();
        for (Attribute attribute : attributes) {
            Map<String, PeriodNumbers> numbers = numbersOf(days, span, attribute.number());
            if (!numbers.isEmpty()) {
                bodies.put(attribute.key(), shown(numbers));
            }
        }
        return bodies;
    }

    private static Map<String, PeriodNumbers> numbersOf(CountedDays days, Span span, int attribute) {
        var totals = new HashMap<String, BigDecimal>();
        var changes = new HashMap<String, BigDecimal>();
        for (Day day : days.days()) {
            if (day.day() > span.last()) {
                break;
            }
            SortedMap<String, BigDecimal> sums = day.bucket().attributes().values().get(attribute);
            if (sums != null) {
                sums.forEach((value, sum) -> totals.merge(value, sum, BigDecimal::add));
                if (span.contains(day.day())) {
                    sums.forEach((value, sum) -> changes.merge(value, sum, BigDecimal::add));
                }
            }
        }
        var numbers = new HashMap<String, PeriodNumbers>();
        changes.forEach((value, change) -> numbers.put(value, new PeriodNumbers(totals.get(value), change)));
        return numbers;
    }

    private static Map<String, ByValueBody> shown(Map<String, PeriodNumbers> numbers) {
        var bodies = new LinkedHashMap<String, ByValueBody>();
        numbers.entrySet().stream().sorted(GREATEST_FIRST).limit(AttributeSums.MAX_VALUES).forEach(entry -> {
            PeriodNumbers of = entry.getValue();
            bodies.put(entry.getKey(), new ByValueBody(of.total(), of.change(), of.percent()));
        });
        return bodies;
    }
}
