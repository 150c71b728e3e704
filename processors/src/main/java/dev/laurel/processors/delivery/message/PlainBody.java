package dev.laurel.processors.delivery.message;

import dev.laurel.schemas.template.TextTemplate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The body of an email that was written without markup, for those who read HTML. */
final class PlainBody {

    private static final Pattern PARAGRAPH = Pattern.compile("\n[ \t]*\n\\s*");

    /** What closes a sentence or a bracket behind an address is no part of it. */
    private static final Pattern LINK = Pattern.compile("https?://[^\\s<>\"']*[^\\s<>\"'.,;:!?)\\]}]");

    private PlainBody() {}

    /** Paragraphs and lines as they are, addresses of pages as links; everything else as it was written. */
    static String toHtml(String text) {
        var html = new StringBuilder();
        for (String paragraph : PARAGRAPH.split(text)) {
            html.append("<p style=\"margin:0 0 16px\">");
            linked(paragraph, html);
            html.append("</p>\n");
        }
        return html.toString();
    }

    private static void linked(String text, StringBuilder html) {
        Matcher link = LINK.matcher(text);
        int from = 0;
        while (link.find()) {
            html.append(lines(text.substring(from, link.start())));
            String url = TextTemplate.escaped(link.group());
            html.append("<a href=\"").append(url).append("\">").append(url).append("</a>");
            from = link.end();
        }
        html.append(lines(text.substring(from)));
    }

    private static String lines(String text) {
        return TextTemplate.escaped(text).replace("\n", "<br>\n");
    }
}
