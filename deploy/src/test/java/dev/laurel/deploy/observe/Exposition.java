package dev.laurel.deploy.observe;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metrics of a process at {@code /metrics}, parsed from the text format of Prometheus.
 *
 * @param samples samples by line name, including suffixes such as {@code _bucket}
 * @param families families in order of their names
 */
public record Exposition(Map<String, List<Sample>> samples, Map<String, Family> families) {

    public record Sample(Map<String, String> labels, double value) {}

    /** @param labels labels of its lines, except for {@code le} */
    public record Family(String type, String help, TreeSet<String> labels) {}

    private static final Pattern LINE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\",?");
    private static final Pattern SUFFIX = Pattern.compile("_(bucket|count|sum)$");

    public static Exposition parse(String text) {
        var samples = new TreeMap<String, List<Sample>>();
        var families = new TreeMap<String, Family>();
        var help = new LinkedHashMap<String, String>();
        for (String line : text.lines().toList()) {
            if (line.startsWith("# ")) {
                String[] words = line.split(" ", 4);
                switch (words[1]) {
                    case "HELP" -> help.put(words[2], words.length > 3 ? words[3] : "");
                    case "TYPE" ->
                        families.put(words[2], new Family(words[3], help.getOrDefault(words[2], ""), new TreeSet<>()));
                    default -> throw new IllegalArgumentException(line);
                }
                continue;
            }
            Matcher sample = LINE.matcher(line);
            if (!sample.matches()) {
                throw new IllegalArgumentException("no line of metrics: " + line);
            }
            var labels = new TreeMap<String, String>();
            Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
            while (label.find()) {
                labels.put(label.group(1), label.group(2));
            }
            samples.computeIfAbsent(sample.group(1), _ -> new ArrayList<>())
                    .add(new Sample(labels, Double.parseDouble(sample.group(3).replace("Inf", "Infinity"))));
            Family family = families.containsKey(sample.group(1))
                    ? families.get(sample.group(1))
                    : families.get(SUFFIX.matcher(sample.group(1)).replaceFirst(""));
            if (family == null) {
                throw new IllegalArgumentException("a line of no family: " + line);
            }
            labels.keySet().stream().filter(name -> !name.equals("le")).forEach(family.labels()::add);
        }
        return new Exposition(samples, families);
    }

    /** Returns the sum of the lines of that name with at least these labels. */
    public double sum(String name, Map<String, String> labels) {
        return samples.getOrDefault(name, List.of()).stream()
                .filter(sample -> sample.labels().entrySet().containsAll(labels.entrySet()))
                .mapToDouble(Sample::value)
                .sum();
    }
}
