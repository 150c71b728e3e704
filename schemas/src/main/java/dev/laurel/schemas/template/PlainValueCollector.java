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
import org.jspecify.annotations.Nullable;

/** Gives templates access to entries of maps and lists, but never to methods or fields of Java objects. For one thread. */
final class PlainValueCollector implements Mustache.Collector {

    /** Control characters except line feed and tab, which are text. */
    private static final Pattern CONTROLS = Pattern.compile("\\r(?=\n)|[\\p{Cntrl}&&[^\n\t]]");

    private final LimitedWriter writer;

    PlainValueCollector(LimitedWriter writer) {
        this.writer = writer;
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
    public @Nullable Iterator<?> toIterator(Object value) {
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
                writer.step();
                Object entry = entries.next();
                return entry == null ? "" : entry;
            }
        };
    }

    @Override
    public Mustache.VariableFetcher createFetcher(Object of, String name) {
        return this::valueOf;
    }

    /** Treats empty text as missing, so that its section is omitted. */
    private @Nullable Object valueOf(Object of, String name) {
        writer.step();
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
