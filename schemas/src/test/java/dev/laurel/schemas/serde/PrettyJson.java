package dev.laurel.schemas.serde;

import java.util.ArrayList;
import java.util.List;

/** JSON for reviews: each object and list is on one line where it fits, and indented where not. */
final class PrettyJson {

    private static final int WIDTH = 120;

    private PrettyJson() {}

    /** @param indented with each value on a line of its own */
    static String of(String indented) {
        List<String> lines =
                new ArrayList<>(indented.replace("\r\n", "\n").lines().toList());
        for (int end = 1; end < lines.size(); end++) {
            String last = lines.get(end).strip();
            if (last.startsWith("}") || last.startsWith("]")) {
                int start = openingOf(lines, end);
                String joined = joined(lines.subList(start, end + 1));
                if (joined.length() <= WIDTH) {
                    lines.subList(start, end + 1).clear();
                    lines.add(start, joined);
                    end = start;
                }
            }
        }
        return String.join("\n", lines) + "\n";
    }

    /** Returns the line on which what ends on a line has begun, which is the nearest that is indented less or as much. */
    private static int openingOf(List<String> lines, int end) {
        int start = end - 1;
        while (indentOf(lines.get(start)) > indentOf(lines.get(end))) {
            start--;
        }
        return start;
    }

    private static int indentOf(String line) {
        return line.length() - line.stripLeading().length();
    }

    private static String joined(List<String> lines) {
        var joined = new StringBuilder(lines.getFirst());
        lines.subList(1, lines.size()).forEach(line -> joined.append(' ').append(line.strip()));
        return joined.toString();
    }
}
