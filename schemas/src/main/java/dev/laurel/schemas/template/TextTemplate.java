package dev.laurel.schemas.template;

import com.samskivert.mustache.Escapers;
import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.MustacheException;
import dev.laurel.schemas.ruleset.TemplateSyntax;
import java.util.Map;

/**
 * Renders templates of the syntax {@link TemplateSyntax} with plain values: text, numbers, booleans, lists and maps. Missing
 * variables are empty, as are lists and maps in place of text. The length of the text and the work are limited. Pure;
 * thread-safe.
 */
public final class TextTemplate {

    private static final Mustache.Escaper HTML = Escapers.simple(new String[][]{{"&", "&amp;"}, {"<", "&lt;"},
            {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});

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
            Mustache.compiler().defaultValue("").withEscaper(escaper).withFormatter(PlainValueCollector::text)
                    .withCollector(new PlainValueCollector(writer)).compile(template).execute(values, writer);
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

        private static final long serialVersionUID = 1L;

        UnrenderableException(String message) {
            super(message, null, false, false);
        }
    }
}
