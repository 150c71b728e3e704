package dev.laurel.delivery.email;

import dev.laurel.delivery.message.MessageRenderer;
import dev.laurel.platform.access.EmailToken;
import dev.laurel.schemas.template.TextTemplate;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Range;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;

/**
 * Changes the HTML part of an email so that opens and clicks can be counted (docs/admin-api.md B4). Everything else stays as it was
 * written, because mail programs are particular about the HTML that they show. Pure; thread-safe.
 */
final class TrackedHtml {

    /** Links beyond these lead directly to their targets. */
    private static final int MAX_LINKS = 200;

    /** Targets that can be sent in a header as they are. */
    private static final Pattern WEB = Pattern.compile(
            "(https?://[^/?#@\\x00-\\x20\\x7f-\\uffff]+)(?:[/?#][\\x21-\\x7e]*)?", Pattern.CASE_INSENSITIVE);

    private static final String NO_PART_OF_SERVER = "(?![A-Za-z0-9.:@%_-])";

    private TrackedHtml() {}

    /**
     * Replaces the targets of links to the web.
     *
     * @param urlOf the URL that a target is replaced by; null: the link stays
     */
    static String withLinks(String html, Function<String, @Nullable String> urlOf) {
        Document page = Jsoup.parse(html, Parser.htmlParser().setTrackPosition(true));
        var changed = new StringBuilder();
        int from = 0;
        int links = 0;
        for (Element link : page.select("a[href]")) {
            String target = link.attr("href").strip();
            Range value = link.attributes().sourceRange("href").valueRange();
            boolean isTracked = links < MAX_LINKS
                    && WEB.matcher(target).matches()
                    && value.isTracked()
                    && value.startPos() >= from
                    && target.length() <= EmailToken.MAX_TARGET_LENGTH;
            String url = isTracked ? urlOf.apply(target) : null;
            if (url != null) {
                changed.append(html, from, value.startPos()).append(url);
                from = value.endPos();
                links++;
            }
        }
        return changed.append(html, from, html.length()).toString();
    }

    /**
     * Whether a text that the operator has written names the server of a URL. Links to other servers come from values, such as the name of
     * a user, and must not become links under the address of this instance.
     */
    static boolean namesServerOf(String text, String target) {
        Matcher web = WEB.matcher(target);
        return web.matches()
                && Pattern.compile(Pattern.quote(web.group(1)) + NO_PART_OF_SERVER, Pattern.CASE_INSENSITIVE)
                        .matcher(text)
                        .find();
    }

    /** Adds an invisible image at the end. */
    static String withImage(String html, String url) {
        int end = MessageRenderer.lastEndOfBody(html);
        return html.substring(0, end) + "<img src=\"" + TextTemplate.escaped(url)
                + "\" width=\"1\" height=\"1\" alt=\"\" style=\"display:block\">" + html.substring(end);
    }
}
