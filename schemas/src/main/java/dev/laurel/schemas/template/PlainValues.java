package dev.laurel.schemas.template;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.template.TextTemplate.Markup;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What templates see of values: the entries of maps and lists, never a method or a field of Java. One thread. */
final class PlainValues implements Mustache.Collector {

    /** A line feed and a tab are text; everything else of this kind comes from those who try what it does. */
    private static final Pattern CONTROLS = Pattern.compile("\\r(?=\n)|[\\p{Cntrl}&&[^\n\t]]");

    private final Bounds bounds;

    PlainValues(Bounds bounds) {
        this.bounds = bounds;
    }

    static CharSequence text(Object value) {
        return switch (value) {
            case Markup markup -> markup;
            case String text -> CONTROLS.matcher(text).replaceAll("");
            case BigDecimal number -> Json.plain(number);
            case Number number -> number.toString();
            case Boolean bool -> bool.toString();
            default -> "";
        };
    }

    @Override
    public Iterator<?> toIterator(Object value) {
        if (!(value instanceof List<?> list)) {
            return null;
        }
        Iterator<?> entries = list.iterator();
        return new Iterator<Object>() {
            @Override
            public boolean hasNext() {
                return entries.hasNext();
            }

            @Override
            public Object next() {
                bounds.step();
                Object entry = entries.next();
                return entry == null ? "" : entry;
            }
        };
    }

    @Override
    public Mustache.VariableFetcher createFetcher(Object of, String name) {
        return this::valueOf;
    }

    /** An empty text is none, so that a section of it is left out. */
    private Object valueOf(Object of, String name) {
        bounds.step();
        if (!(of instanceof Map<?, ?> map) || !map.containsKey(name)) {
            return Template.NO_FETCHER_FOUND;
        }
        Object value = map.get(name);
        return "".equals(value) ? null : value;
    }

    @Override
    public <K, V> Map<K, V> createFetcherCache() {
        return new HashMap<>();
    }
}
