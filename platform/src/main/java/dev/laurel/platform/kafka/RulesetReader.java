package dev.laurel.platform.kafka;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.serde.Json;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Parses documents of rulesets. The versions of a tenant differ in few objects, so an object whose bytes were parsed before is not parsed
 * again, and versions share it. Thread-safe.
 */
public final class RulesetReader {

    /** By the size of objects as JSON; parsed ones take more. */
    private static final long MAX_BYTES = 8 * 1024 * 1024;

    /** What a cached object takes however short it is. */
    private static final int ENTRY_BYTES = 100;

    /** The lists of a ruleset by their names, with the types of their objects. */
    private static final Map<String, Class<?>> LISTS = lists();

    private final Cache<Source, Object> parsed = Caffeine.newBuilder().maximumWeight(MAX_BYTES)
            .weigher((Source source, Object _) -> ENTRY_BYTES + source.json.remaining()).executor(Runnable::run)
            .build();

    /** The bytes of an object, and the type as which they are read. */
    private record Source(Class<?> type, ByteBuffer json) {}

    private static Map<String, Class<?>> lists() {
        var lists = new HashMap<String, Class<?>>();
        for (RecordComponent component : Ruleset.class.getRecordComponents()) {
            if (component.getGenericType() instanceof ParameterizedType list && list.getRawType() == List.class) {
                lists.put(component.getName(), (Class<?>) list.getActualTypeArguments()[0]);
            }
        }
        return Map.copyOf(lists);
    }

    /** Reads what {@link Json} wrote; a failure is a fault. */
    public Ruleset read(byte[] document) {
        Ruleset ruleset = new Document(document).read();
        return ruleset == null ? Json.read(document, Ruleset.class) : ruleset;
    }

    private Object object(Class<?> type, byte[] document, int from, int end) {
        Object known = parsed.getIfPresent(new Source(type, ByteBuffer.wrap(document, from, end - from)));
        if (known != null) {
            return known;
        }
        byte[] json = Arrays.copyOfRange(document, from, end);
        Object read = Json.read(json, type);
        parsed.put(new Source(type, ByteBuffer.wrap(json)), read);
        return read;
    }

    /** A document that is taken apart into the objects of its lists, and the rest, in which the lists are empty. */
    private final class Document {

        private static final int NONE = -1;

        private final byte[] json;
        private final ByteArrayOutputStream rest = new ByteArrayOutputStream();
        private final List<Object> namesAndLists = new ArrayList<>();

        /** How much of the document is in the rest or in a list. */
        private int taken;

        Document(byte[] json) {
            this.json = json;
        }

        /** Returns null if the document is not of the form in which {@link Json} writes it. */
        @Nullable
        Ruleset read() {
            int at = 0;
            if (byteAt(at) != '{') {
                return null;
            }
            do {
                int name = at + 1;
                int colon = end(name);
                if (byteAt(name) != '"' || byteAt(colon) != ':') {
                    return null;
                }
                at = take(new String(json, name + 1, colon - name - 2, US_ASCII), colon + 1);
            } while (byteAt(at) == ',');
            if (at != json.length - 1) {
                return null;
            }
            rest.write(json, taken, json.length - taken);
            return Records.with(Json.read(rest.toByteArray(), Ruleset.class), namesAndLists.toArray());
        }

        /** Takes the objects of a value, if it is a list of them. Returns the index after the value, or {@link #NONE}. */
        private int take(String name, int from) {
            Class<?> type = LISTS.get(name);
            if (type == null || byteAt(from) != '[') {
                return end(from);
            }
            var objects = new ArrayList<Object>();
            int at = from;
            do {
                int object = at + 1;
                at = end(object);
                boolean isEmptyList = objects.isEmpty() && byteAt(object) == ']';
                if (at == NONE || byteAt(object) != '{' && !isEmptyList) {
                    return NONE;
                }
                if (!isEmptyList) {
                    objects.add(object(type, json, object, at));
                }
            } while (byteAt(at) == ',');
            rest.write(json, taken, from + 1 - taken);
            taken = at;
            namesAndLists.addAll(List.of(name, objects));
            return byteAt(at) == ']' ? at + 1 : NONE;
        }

        /** Returns the index after the value that begins here, or {@link #NONE}. */
        private int end(int from) {
            int depth = 0;
            for (int at = from; byteAt(at) != 0; at++) {
                switch (json[at]) {
                    case '"' -> at = closingQuote(at);
                    case '{', '[' -> depth++;
                    case '}', ']' -> depth--;
                    case ',' -> {
                        // The end of a number or a literal, unless it is in an object or a list.
                    }
                    default -> {
                        continue;
                    }
                }
                if (depth < 0 || depth == 0 && byteAt(at) == ',') {
                    return at;
                }
                if (depth == 0) {
                    return byteAt(at) == 0 ? NONE : at + 1;
                }
            }
            return NONE;
        }

        /** Returns the length of the document if there is none. */
        private int closingQuote(int opening) {
            int at = opening + 1;
            while (at < json.length && json[at] != '"') {
                at += json[at] == '\\' ? 2 : 1;
            }
            return Math.min(at, json.length);
        }

        /** Returns 0 outside of the document. */
        private byte byteAt(int at) {
            return at >= 0 && at < json.length ? json[at] : 0;
        }
    }
}
