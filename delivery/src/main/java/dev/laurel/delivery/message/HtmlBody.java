package dev.laurel.delivery.message;

import java.util.Set;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeVisitor;

/** Creates the plain-text part of an email whose body is HTML. */
final class HtmlBody {

    /** A template may begin with a section. */
    private static final Pattern STARTS_LIKE_HTML = Pattern.compile(
            "(?:\\s|\\{\\{ *[#^/][^}]*\\}\\})*+<(?:!doctype\\b|!--|[a-z][a-z0-9]*[\\s/>])", Pattern.CASE_INSENSITIVE);

    private static final Pattern DOCUMENT = Pattern.compile("<(?:html|body)[\\s>]", Pattern.CASE_INSENSITIVE);
    private static final Pattern SPACE = Pattern.compile("[ \\t\\n\\x0B\\f\\r\u00a0]++");
    /** Matches only from the first of several spaces, so that the search does not start at each of them. */
    private static final Pattern LINE_ENDS = Pattern.compile("(?<! ) *+\n[ \n]*+");

    private static final Pattern LINK = Pattern.compile("(?:https?|mailto):.*", Pattern.CASE_INSENSITIVE);
    private static final Set<String> APART =
            Set.of("p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "blockquote", "pre", "hr");
    /** Elements without a line break behind them: cells of a row share a line, and each entry of a list begins a line. */
    private static final Set<String> NO_LINE_AFTER = Set.of("td", "th", "li");

    private static final String INVISIBLE = "script, style, title, template, noscript";

    private HtmlBody() {}

    /** @param template before values are filled in */
    static boolean isHtml(String template) {
        return STARTS_LIKE_HTML.matcher(template).lookingAt();
    }

    /** Whether a body is a whole page, which needs no frame. */
    static boolean isDocument(String html) {
        return DOCUMENT.matcher(html).find();
    }

    /** The text of a body, with the URLs of links. */
    static String toPlain(String html) {
        Element body = Jsoup.parse(html).body();
        body.select(INVISIBLE).remove();
        var words = new Words();
        body.traverse(words);
        return LINE_ENDS
                .matcher(words.text)
                .replaceAll(ends -> ends.group().indexOf('\n') < ends.group().lastIndexOf('\n') ? "\n\n" : "\n")
                .strip();
    }

    private static final class Words implements NodeVisitor {

        private final StringBuilder text = new StringBuilder();

        @Override
        public void head(Node node, int depth) {
            if (node instanceof TextNode words) {
                String run = collapsed(words.getWholeText());
                boolean isSpaced = text.isEmpty() || Character.isWhitespace(text.charAt(text.length() - 1));
                text.append(isSpaced ? run.stripLeading() : run);
            } else if (node instanceof Element element) {
                open(element);
            }
        }

        private static String collapsed(String run) {
            return SPACE.matcher(run).replaceAll(" ");
        }

        private void open(Element element) {
            switch (element.normalName()) {
                case "br" -> text.append('\n');
                case "img" -> text.append(collapsed(element.attr("alt")));
                case "li" -> text.append("\n- ");
                case "td", "th" -> text.append(' ');
                default -> around(element);
            }
        }

        @Override
        public void tail(Node node, int depth) {
            if (node instanceof Element element) {
                String link =
                        element.normalName().equals("a") ? element.attr("href").strip() : "";
                if (LINK.matcher(link).matches() && !element.text().equals(link)) {
                    text.append(" (").append(link).append(')');
                }
                around(element);
            }
        }

        private void around(Element element) {
            if (APART.contains(element.normalName())) {
                text.append("\n\n");
            } else if (element.isBlock() && !NO_LINE_AFTER.contains(element.normalName())) {
                text.append('\n');
            }
        }
    }
}
