package dev.laurel.deploy.artifacts;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;

/**
 * The routing of {@code ingress/haproxy.cfg}, evaluated as HAProxy does. It understands only the directives of that
 * file and refuses others, so that a new kind of rule is not ignored.
 */
public final class IngressRules {

    private static final String REFUSAL = "http-request return status 404 default-errorfiles if ";
    private static final String OWN_HEADERS = "http-request del-header X-Laurel- -m beg";
    private static final String SAYS_TLS = "http-request set-header X-Forwarded-Proto https if { ssl_fc }";
    private static final Pattern BIND = Pattern.compile("bind :(\\d+)( .*)?");

    /** Alternatives, each a conjunction of conditions; a {@code !} negates a condition. */
    private record Rule(String backend, List<List<String>> alternatives) {}

    private final Map<String, List<BiPredicate<String, String>>> acls = new LinkedHashMap<>();
    private final List<Rule> rules = new ArrayList<>();
    private final Set<Integer> ports = new TreeSet<>();
    private final Set<String> backends = new TreeSet<>();
    private Rule refusal;
    private String otherwise;
    private boolean removesOwnHeaders;
    private boolean saysTls;

    private IngressRules() {}

    public static IngressRules read() {
        var read = new IngressRules();
        String section = "";
        for (String raw : DeployFiles.text("ingress/haproxy.cfg").lines().toList()) {
            String line = raw.strip();
            if (line.isEmpty() || line.startsWith("#") || line.startsWith(".")) {
                continue;
            }
            if (!Character.isWhitespace(raw.charAt(0))) {
                section = line;
                if (line.startsWith("backend ")) {
                    read.backends.add(line.substring("backend ".length()));
                }
                continue;
            }
            var bind = BIND.matcher(line);
            if (bind.matches()) {
                read.ports.add(Integer.valueOf(bind.group(1)));
            } else if (section.equals("frontend public")) {
                read.take(line);
            }
        }
        return read;
    }

    private void take(String line) {
        List<String> words = List.of(line.split(" "));
        if (line.startsWith("acl ")) {
            acls.computeIfAbsent(words.get(1), _ -> new ArrayList<>()).add(condition(words.subList(2, words.size())));
        } else if (line.startsWith(REFUSAL)) {
            refusal = new Rule(null, alternatives(line.substring(REFUSAL.length())));
        } else if (line.startsWith("use_backend ") && words.get(2).equals("if")) {
            rules.add(new Rule(words.get(1), alternatives(String.join(" ", words.subList(3, words.size())))));
        } else if (line.startsWith("default_backend ")) {
            otherwise = words.get(1);
        } else if (line.equals(OWN_HEADERS)) {
            removesOwnHeaders = true;
        } else if (line.equals(SAYS_TLS)) {
            saysTls = true;
        } else {
            throw new IllegalStateException("a rule that this test does not know: " + line);
        }
    }

    private static BiPredicate<String, String> condition(List<String> words) {
        return switch (words.getFirst()) {
            case "method" -> (method, _) -> words.subList(1, words.size()).contains(method);
            case "path_reg" -> {
                Pattern pattern = Pattern.compile(words.get(1));
                yield (_, path) -> pattern.matcher(path).find();
            }
            case "path,url_dec" -> {
                Pattern pattern = Pattern.compile(words.get(3));
                yield (_, path) -> pattern.matcher(URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8))
                        .find();
            }
            default -> throw new IllegalStateException("a condition that this test does not know: " + words);
        };
    }

    private static List<List<String>> alternatives(String condition) {
        return Arrays.stream(condition.split(" or "))
                .map(all -> List.of(all.split(" ")))
                .toList();
    }

    private boolean holds(Rule rule, String method, String path) {
        return rule.alternatives().stream()
                .anyMatch(all -> all.stream()
                        .allMatch(name -> name.startsWith("!")
                                ? !isTrue(name.substring(1), method, path)
                                : isTrue(name, method, path)));
    }

    private boolean isTrue(String acl, String method, String path) {
        if (!acls.containsKey(acl)) {
            throw new IllegalStateException("no acl " + acl);
        }
        return acls.get(acl).stream().anyMatch(condition -> condition.test(method, path));
    }

    /**
     * Returns the backend of a request.
     *
     * @param path encoded path without the query
     * @return empty: the ingress itself answers 404
     */
    public Optional<String> backend(String method, String path) {
        if (holds(refusal, method, path)) {
            return Optional.empty();
        }
        return Optional.of(rules.stream()
                .filter(rule -> holds(rule, method, path))
                .map(Rule::backend)
                .findFirst()
                .orElse(otherwise));
    }

    /** Returns whether the ingress removes internal headers from requests. */
    boolean removesOwnHeaders() {
        return removesOwnHeaders;
    }

    /** Returns whether the ingress tells the processes that a request came by TLS. */
    boolean saysTls() {
        return saysTls;
    }

    Set<Integer> ports() {
        return ports;
    }

    /** Returns the backends with servers. */
    Set<String> backends() {
        return backends;
    }

    /** Returns the backends that rules use. */
    Set<String> used() {
        var used = new TreeSet<String>();
        rules.forEach(rule -> used.add(rule.backend()));
        used.add(otherwise);
        return used;
    }
}
