package dev.laurel.schemas.template;

import com.samskivert.mustache.Escapers;
import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.MustacheException;
import dev.laurel.schemas.ruleset.TemplateSyntax;
import java.util.Map;

/**
 * Fills texts in: logic-less templates as {@link TemplateSyntax} lets them be, over plain values (text, numbers, booleans,
 * lists, maps). What is missing is empty, and so are lists and maps where a text is asked for. A text that is longer than it
 * may be, or takes more work, does not come to an end. Pure; thread-safe.
 */
public final class TextTemplate {

    private static final Mustache.Escaper HTML = Escapers.simple(new String[][]{{"&", "&amp;"}, {"<", "&lt;"},
            {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});

    private TextTemplate() {}

    /** Values are escaped, so that none of them is markup or ends an attribute; only {@link Markup} goes in as it is. */
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

    /** Values go in as they are. */
    public static String plain(String template, Map<String, ?> values, int maxLength) throws UnrenderableException {
        return render(template, values, maxLength, Escapers.NONE);
    }

    /** A text as HTML shows it. */
    public static String escaped(String text) {
        return HTML.escape(text);
    }

    private static String render(String template, Map<String, ?> values, int maxLength, Mustache.Escaper escaper)
            throws UnrenderableException {
        String problem = TemplateSyntax.problemWith(template);
        if (problem != null) {
            throw new UnrenderableException("The template " + problem + ".");
        }
        // Compiled each time: what it may take is counted by what it is compiled with.
        var bounds = new Bounds(maxLength);
        try {
            Mustache.compiler().defaultValue("").withEscaper(escaper).withFormatter(PlainValues::text)
                    .withCollector(new PlainValues(bounds)).compile(template).execute(values, bounds);
        } catch (Bounds.Reached | MustacheException e) {
            if (bounds.reached() == null) {
                throw new IllegalStateException("a template of good syntax is not understood", e);
            }
            throw new UnrenderableException(bounds.reached());
        }
        return bounds.written();
    }

    /** HTML that goes into other HTML as it is: of our own making, or rendered by {@link TextTemplate#html}. */
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

    /** No text comes of a template. The message says why, to the operator. Has no stack trace: it is an answer, not a fault. */
    public static final class UnrenderableException extends Exception {

        private static final long serialVersionUID = 1L;

        UnrenderableException(String message) {
            super(message, null, false, false);
        }
    }
}
