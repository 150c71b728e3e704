package dev.laurel.schemas.kind;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.ruleset.edit.RulesetSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The descriptions of configured objects and of their fields, from the source: the comment of a constant describes its kind, and the
 * comment in front of a field the field. Lines from {@code // API:} on describe it in the OpenAPI document. A field without a comment has
 * that of the method or constant which makes it. Immutable.
 */
final class Descriptions {

    private static final Path SOURCES = Path.of("src/main/java/dev/laurel/schemas/ruleset");
    private static final Pattern BEGIN = Pattern.compile("Kind\\.of\\(\\s*\"([^\"]+)\"");
    private static final Pattern COMMENT = Pattern.compile("\\s*((?://.*\\R\\s*)+)");
    private static final Pattern MADE = Pattern.compile(
            "((?:^ *//.*\\R)+) *(?:(?:private|public) )?static (?:final )?Field (\\w+)", Pattern.MULTILINE);
    private static final Pattern CONSTANT = Pattern.compile(
            "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:(?:private|public) )?static final Kind<[^=]*=\\s*$", Pattern.DOTALL);

    static final Descriptions ALL = new Descriptions();

    /** @param file null, as {@code api}: none */
    private record Description(
            @Nullable String file, @Nullable String api) {}

    private final Map<String, Description> made = new HashMap<>();
    private final Map<String, List<String>> fieldsByKind = new HashMap<>();
    private final Map<String, String> kinds = new HashMap<>();
    private final Map<Field, Description> fields = new IdentityHashMap<>();

    private Descriptions() {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                read(Files.readString(file, UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        describe(RulesetSource.KIND);
    }

    private void read(String source) {
        MADE.matcher(source).results().forEach(found -> made.put(found.group(2), description(found.group(1))));
        BEGIN.matcher(source).results().forEach(begin -> {
            String kind = begin.group(1);
            fieldsByKind.put(kind, arguments(source, begin.start(1) - 1));
            Matcher constant = CONSTANT.matcher(source.substring(0, begin.start()));
            if (constant.find() && !constant.group(1).strip().startsWith("docs/")) {
                String first = constant.group(1)
                        .split("<p>")[0]
                        .replaceAll("\\s*\\R\\s*\\* ?", " ")
                        .strip();
                kinds.put(kind, first.replaceFirst(" \\(docs/[^)]*\\)", ""));
            }
        });
    }

    /** The arguments of a call after the first two. @param begin of the first one */
    private static List<String> arguments(String source, int begin) {
        var arguments = new ArrayList<String>();
        int depth = 0;
        int from = begin;
        for (int i = begin; depth >= 0; i++) {
            char c = source.charAt(i);
            if (c == '"') {
                for (i++; source.charAt(i) != '"'; i++) {
                    i += source.charAt(i) == '\\' ? 1 : 0;
                }
            } else if (source.startsWith("//", i)) {
                i = source.indexOf('\n', i);
            } else {
                depth += "([{".indexOf(c) >= 0 ? 1 : ")]}".indexOf(c) >= 0 ? -1 : 0;
                if (depth < 0 || depth == 0 && c == ',') {
                    arguments.add(source.substring(from, i));
                    from = i + 1;
                }
            }
        }
        return arguments.subList(2, arguments.size());
    }

    private static Description description(String comment) {
        String text = comment.replaceAll("\\s*//", "").strip();
        String[] parts = (" " + text).split(" API: ");
        return new Description(
                parts[0].isBlank() ? null : parts[0].strip(), parts.length == 1 ? null : parts[1].strip());
    }

    private void describe(Kind<?> kind) {
        List<String> sources = fieldsByKind.get(kind.name());
        for (int i = 0; i < sources.size(); i++) {
            Field field = kind.fields().get(i);
            Matcher comment = COMMENT.matcher(sources.get(i));
            String maker =
                    sources.get(i).strip().replaceFirst("^SharedFields\\.", "").split("\\W")[0];
            fields.put(
                    field,
                    comment.lookingAt()
                            ? description(comment.group(1))
                            : made.getOrDefault(maker, new Description(null, null)));
            describe(field.type());
        }
    }

    private void describe(Type type) {
        switch (type) {
            case Type.Part(Kind<?> part) -> describe(part);
            case Type.Entries(Kind<?> part, int _) -> describe(part);
            case Type.ListOf list -> describe(list.item());
            case Type.MapOf map -> describe(map.value());
            default -> {
                // has no fields
            }
        }
    }

    /** In the JSON Schema of the file. */
    @Nullable
    String of(Kind<?> kind) {
        return kinds.get(kind.name());
    }

    /** In the JSON Schema of the file. */
    @Nullable
    String of(Field field) {
        return fields.get(field).file();
    }

    /** In the OpenAPI document, of the field as a request sets it; null if it has none there. */
    @Nullable
    String inApi(Field field) {
        return fields.get(field).api();
    }
}
