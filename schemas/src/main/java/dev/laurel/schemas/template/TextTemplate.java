package dev.laurel.schemas.template;

import com.samskivert.mustache.Escapers;
import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.MustacheException;
import com.samskivert.mustache.Template;
import dev.laurel.schemas.ruleset.Template.TemplateSyntax;
import dev.laurel.schemas.serde.Json;
import java.io.Writer;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Renders templates of the syntax {@link TemplateSyntax} with plain values: text, numbers, booleans, lists and maps. Missing
 * variables are empty, as are lists and maps in place of text. The length of the text and the work are limited. Pure;
 * thread-safe.
 */
public final class TextTemplate {

    private static final Mustache.Escaper HTML = Escapers.simple(
            new String[][] {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});

    private TextTemplate() {}

    /** Escapes values, so that none of them adds markup or ends an attribute; only {@link Markup} is inserted unchanged. */
    public static String html(String template, Map<String, ?> values, int maxLength) throws UnrenderableException {
        return render(template, values, maxLength, new Mustache.Escaper() {
            @Override
            public String escape(String raw) {
                return HTML.escape(raw);
            }

            @Override
            public CharSequence escape(CharSequence raw) {
                return raw instanceof Markup ? raw : HTML.escape(raw.toString());
            }
        });
    }

    /** Inserts values unchanged. */
    public static String plain(String template, Map<String, ?> values, int maxLength) throws UnrenderableException {
        return render(template, values, maxLength, Escapers.NONE);
    }

    /** Escapes text for HTML. */
    public static String escaped(String text) {
        return HTML.escape(text);
    }

    private static String render(String template, Map<String, ?> values, int maxLength, Mustache.Escaper escaper)
            throws UnrenderableException {
        String problem = TemplateSyntax.problemWith(template);
        if (problem != null) {
            throw new UnrenderableException("The template " + problem + ".");
        }
        // Compiled each time, because the limits are counted by objects with which the template is compiled.
        var writer = new LimitedWriter(maxLength);
        try {
            Mustache.compiler()
                    .defaultValue("")
                    .withEscaper(escaper)
                    .withFormatter(PlainValueCollector::text)
                    .withCollector(new PlainValueCollector(writer))
                    .compile(template)
                    .execute(values, writer);
        } catch (LimitedWriter.LimitException | MustacheException e) {
            String exceeded = writer.exceeded();
            if (exceeded == null) {
                throw new IllegalStateException("the engine refuses a template of valid syntax", e);
            }
            throw new UnrenderableException(exceeded);
        }
        return writer.written();
    }

    /** HTML to insert unchanged, such as the result of {@link TextTemplate#html}. */
    public record Markup(String html) implements CharSequence {

        @Override
        public int length() {
            return html.length();
        }

        @Override
        public char charAt(int index) {
            return html.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return html.subSequence(start, end);
        }

        @Override
        public String toString() {
            return html;
        }
    }

    /** A template cannot be rendered. The message is for operators. Has no stack trace, because this is not a fault. */
    public static final class UnrenderableException extends Exception {

        UnrenderableException(String message) {
            super(message, null, false, false);
        }
    }

    /** Collects the text of a template in memory, and limits its length and the work of rendering. For one thread. */
    private static final class LimitedWriter extends Writer {

        /** Limits look-ups and iterations to some milliseconds of work. */
        private static final int MAX_STEPS = 100_000;

        /** Ends the rendering engine. */
        static final class LimitException extends RuntimeException {

            private LimitException(String message) {
                super(message, null, false, false);
            }
        }

        private final StringBuilder written = new StringBuilder();
        private final int maxLength;
        private int steps;
        private @Nullable String exceeded;

        LimitedWriter(int maxLength) {
            this.maxLength = maxLength;
        }

        /** Must be called before each look-up. */
        void step() {
            if (++steps > MAX_STEPS) {
                throw end("The template takes too much work: sections of lists in one another.");
            }
        }

        @Override
        public void write(char[] buffer, int offset, int length) {
            if (length > maxLength - written.length()) {
                throw end("The text is longer than " + maxLength + " characters.");
            }
            written.append(buffer, offset, length);
        }

        private LimitException end(String why) {
            exceeded = why;
            return new LimitException(why);
        }

        /** The limit that ended the rendering; null if none did. */
        @Nullable
        String exceeded() {
            return exceeded;
        }

        String written() {
            return written.toString();
        }

        @Override
        public void flush() {
            // The text is in memory.
        }

        @Override
        public void close() {
            // The text is in memory.
        }
    }

    /** Gives templates access to entries of maps and lists, but never to methods or fields of Java objects. For one thread. */
    private static final class PlainValueCollector implements Mustache.Collector {

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
}
