package dev.laurel.deploy.e2e;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Random texts of 1 to 300 UTF-16 units, the same for the same seed. Most have something that one of the forms gives a meaning
 * to in which texts travel: separators, escapes, markup, formulas, control characters, half surrogate pairs; or are easily
 * taken for another one.
 */
final class RandomTexts {

    private static final List<String> PIECES = List.of(
            ",",
            ":",
            ";",
            "|",
            "\t",
            "\n",
            "\r",
            "\r\n",
            "\"",
            "'",
            "`",
            "%",
            "%2C",
            "%2F",
            "%00",
            "%zz",
            "%25",
            "\\",
            "\\,",
            "\\\\",
            "\\n",
            "\\u0041",
            "\\u001b",
            "/",
            "//",
            ".",
            "..",
            "./",
            "=",
            "+",
            "-",
            "@",
            "#",
            "?",
            "&",
            "*",
            "~",
            "^",
            " ",
            "  ",
            "=?utf-8?q?x?=",
            "=?utf-8?b?eA==?=",
            "=?",
            "?=",
            "\u001b[2J",
            "\u001b]0;x\u0007",
            "\u009b31m",
            "\u0001",
            "\b",
            "\u000b",
            "\f",
            "\u001f",
            "\u007f",
            "\u0085",
            "\u202e",
            "\u2066",
            "\u2069",
            "\u200f",
            "\u061c",
            "\u2028",
            "\u2029",
            "\u00a0",
            "\u3000",
            "\u200b",
            "\u200d",
            "\u00ad",
            "\ufeff",
            "\ufffd",
            "\ufffe",
            "\uffff",
            "e\u0301",
            "\u00e9",
            "\u0301",
            "\u1e69",
            "s\u0323\u0307",
            "\u212b",
            "\u0130",
            "\u0131",
            "\u1e9e",
            "\u01c5",
            "\ufb01",
            "\uff61x",
            "\ue000",
            "\ud83d\ude00",
            "\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67",
            "\ud83c\uddeb\ud83c\uddee",
            "\ud800\udc00",
            "\udbff\udfff",
            "\udb40\udc41",
            "Z\u00fcrich",
            "cl\u00e9",
            "\u6771\u4eac",
            "\u05e9\u05dc\u05d5\u05dd",
            "(other)",
            "(none)",
            "null",
            "true",
            "0",
            "-1",
            "1e9",
            "NaN",
            "UTF-8''x",
            "utf-8'en'%20",
            "UTF-8''%C3%A9",
            "<script>attacked=1</script>",
            "</script>",
            "<img src=x onerror=attacked=1>",
            "<!--",
            "]]>",
            "<br>",
            "&amp;",
            "&lt;",
            "&#39;",
            "{{user.name}}",
            "{{{user.id}}}",
            "{{#user}}",
            "{{=<% %>=}}",
            "${x}",
            "'; DROP TABLE users; --",
            "\"\"",
            "''",
            "$$",
            "E'\\n'",
            "city:",
            "note:x,city:y",
            "key=value",
            "a,b",
            "Bcc: x@y.test",
            "javascript:x",
            "http://x.test/",
            "user",
            "=cmd|' /C calc'!A0",
            "=HYPERLINK(\"http://x.test\",\"win\")",
            "--data-dir",
            "%s%n",
            "{0}",
            "[",
            "]",
            "[]",
            "- a",
            "? a",
            "a: b",
            "# c",
            "!!str",
            "&a",
            "*a",
            "|-",
            "'a",
            "0x1f",
            "1_000",
            "yes",
            "2026-03-04",
            "09:30");

    private static final Pattern REPEATED = Pattern.compile("(.{1,12}?)\\1{7,}");
    private static final String ENDS = " \t\u00a0\u3000\u2028\u0085\ufeff\u200b\u001f";

    private final SplittableRandom random;
    private final List<String> before = new ArrayList<>();

    RandomTexts(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** Different texts. */
    List<String> distinct(int count) {
        var texts = new LinkedHashSet<String>();
        while (texts.size() < count) {
            texts.add(next());
        }
        return List.copyOf(texts);
    }

    String next() {
        String text = switch (random.nextInt(20)) {
            case 0 -> piece();
            case 1 -> codePoint();
            case 2, 3 -> word() + piece();
            case 4, 5 -> piece() + word();
            case 6, 7 -> word() + piece() + word();
            case 8, 9 -> several(8);
            case 10 -> any(40);
            case 11 -> ofLength(List.of(254, 255, 255, 256).get(random.nextInt(4)));
            case 12 -> end() + word() + end();
            case 13, 14, 15 -> before.isEmpty() ? word() : like(before.get(random.nextInt(before.size())));
            case 16 -> random.nextInt(3) == 0 ? broken() : several(3);
            default -> word();
        };
        before.add(text);
        return text;
    }

    /** A text that differs from this one, and that a careless comparison takes for it. */
    String like(String text) {
        List<String> others = List.of(
                Normalizer.normalize(text, Form.NFC),
                Normalizer.normalize(text, Form.NFD),
                Normalizer.normalize(text, Form.NFKC),
                text.toUpperCase(Locale.ROOT),
                text.toLowerCase(Locale.ROOT),
                text + " ",
                " " + text,
                text + "\u200b",
                text.replaceAll("[^ -~]", "?"),
                text.replaceAll("[^ -~]", "\ufffd"),
                text.strip(),
                text.replace("\\", ""),
                text.replace("%", "%25"));
        int first = random.nextInt(others.size());
        for (int i = 0; i < others.size(); i++) {
            String other = others.get((first + i) % others.size());
            if (!other.equals(text) && !other.isEmpty() && other.length() <= 255) {
                return other;
            }
        }
        return text + "'";
    }

    int number(int bound) {
        return random.nextInt(bound);
    }

    /** A JSON string of the text; which characters are escaped differs from text to text. */
    static String json(String text) {
        int kind = text.hashCode() & 3;
        var json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isHalf = Character.isSurrogate(c) && !isWellFormed(text);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || isHalf || kind == 0 || kind == 1 && c > '~') {
                json.append("\\u%04x".formatted((int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }

    static boolean isWellFormed(String text) {
        return text.codePoints().noneMatch(point -> point >= 0xD800 && point <= 0xDFFF);
    }

    /** The text in visible ASCII, for messages; what it repeats, once. */
    static String shown(String text) {
        var shown = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            shown.append(
                    c < ' ' || c > '~' || c == '"' || c == '\\' ? "\\u%04x".formatted((int) c) : String.valueOf(c));
        }
        return REPEATED.matcher(shown.append("\" of ").append(text.length()))
                .replaceAll(part -> Matcher.quoteReplacement("(" + part.group(1) + ")…"));
    }

    private String piece() {
        return PIECES.get(random.nextInt(PIECES.size()));
    }

    private String word() {
        return "%s%d"
                .formatted(
                        List.of("a", "B", "ida", "Otso", "\u00e4", "\u0416").get(random.nextInt(6)),
                        random.nextInt(1_000_000));
    }

    private String end() {
        int at = random.nextInt(ENDS.length() + 1);
        return at == ENDS.length() ? "" : ENDS.substring(at, at + 1);
    }

    private String several(int max) {
        var text = new StringBuilder(piece());
        for (int i = random.nextInt(max); i > 0; i--) {
            text.append(random.nextInt(3) == 0 ? word() : piece());
        }
        return text.toString();
    }

    private String any(int max) {
        var text = new StringBuilder(codePoint());
        for (int i = random.nextInt(max); i > 0; i--) {
            text.append(codePoint());
        }
        return text.toString();
    }

    /** Any character of Unicode, unassigned ones and noncharacters included, except U+0000. */
    private String codePoint() {
        int point = switch (random.nextInt(5)) {
            case 0 -> 1 + random.nextInt(0xFF);
            case 1 -> 1 + random.nextInt(0x7FF);
            case 2 -> 1 + random.nextInt(0xFFFF);
            default -> 1 + random.nextInt(Character.MAX_CODE_POINT);
        };
        return Character.getType(point) == Character.SURROGATE ? "\ufffd" : Character.toString(point);
    }

    /** A pair of surrogates may be across the limit of 255. */
    private String ofLength(int length) {
        String unit = List.of("x", "\u00e4", "\u6771", "\ud83d\ude00", ",", "%").get(random.nextInt(6));
        String text = word() + unit.repeat(length) + (random.nextBoolean() ? word() : "");
        int from = isWellFormed(text.substring(0, length)) ? 0 : 1;
        return text.substring(from, from + length);
    }

    /** With something that no id, name or key may have. */
    private String broken() {
        String bad =
                List.of("\0", "\ud83d", "\ude00", "\ude00\ud83d", "\ud83dx").get(random.nextInt(5));
        return random.nextBoolean() ? word() + bad : bad + word();
    }
}
