package dev.laurel.core.rules;

import dev.laurel.schemas.ruleset.Attribute.AttributeFilter;
import java.util.List;
import java.util.Map;

/** Matches attributes against filters (docs/semantics.md §4, §6). */
public final class AttributeFilters {

    private AttributeFilters() {}

    /** Whether every filter matches; true without filters. */
    public static boolean match(List<AttributeFilter> filters, Map<String, String> attributes) {
        // By index: most lists are empty, and this runs for every rule of every event.
        for (int i = 0; i < filters.size(); i++) {
            AttributeFilter filter = filters.get(i);
            if (!filter.value().equals(attributes.get(filter.attribute()))) {
                return false;
            }
        }
        return true;
    }
}
