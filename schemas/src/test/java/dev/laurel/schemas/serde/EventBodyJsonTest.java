package dev.laurel.schemas.serde;

import dev.laurel.schemas.wire.EventBody;
import dev.laurel.schemas.wire.Present;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Compares the bytes that {@link EventBodyJson} writes with those of the JSON mapper, for answers with random fields. */
final class EventBodyJsonTest {

    private static final int BODIES = 2_000;
    private static final List<String> TEXTS = List.of("", "key", "Fünf \"Läufe\"", "\\ / \u2028 \u0001 \uD83C\uDFC5",
            "a\nb");

    private final Random random = new Random(20);

    @Test
    void shouldWriteTheSameBytesAsTheMapper() throws ReflectiveOperationException {
        for (int i = 0; i < BODIES; i++) {
            var body = (EventBody) anyRecord(EventBody.class);
            assertEquals(text(Json.write(body)), text(EventBodyJson.write(body)));
        }
    }

    private Object anyRecord(Class<?> type) throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        var values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = any(components[i].getAnnotatedType());
        }
        Constructor<?> constructor = type.getDeclaredConstructor(
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        return constructor.newInstance(values);
    }

    private @Nullable Object any(AnnotatedType annotated) throws ReflectiveOperationException {
        if (annotated.isAnnotationPresent(Nullable.class) && random.nextBoolean()) {
            return null;
        }
        Type type = annotated.getType();
        if (annotated instanceof AnnotatedParameterizedType parameterized) {
            return anyOf((Class<?>) ((ParameterizedType) type).getRawType(),
                    parameterized.getAnnotatedActualTypeArguments());
        }
        if (type == String.class) {
            return TEXTS.get(random.nextInt(TEXTS.size()));
        } else if (type == UUID.class) {
            return new UUID(random.nextLong(), random.nextLong());
        } else if (type == int.class || type == Integer.class) {
            return random.nextInt();
        } else if (type == long.class || type == Long.class) {
            return random.nextLong();
        } else if (type == boolean.class || type == Boolean.class) {
            return random.nextBoolean();
        } else if (type == BigDecimal.class) {
            return BigDecimal.valueOf(random.nextLong(), random.nextInt(-5, 20));
        } else if (type == LocalDate.class) {
            return LocalDate.ofEpochDay(random.nextInt(-30_000, 30_000));
        } else if (type == Instant.class) {
            return Instant.ofEpochMilli(random.nextLong(4_000_000_000_000L));
        } else if (type == Object.class) {
            return Map.of("rank", random.nextInt(100));
        }
        return anyRecord((Class<?>) type);
    }

    private Object anyOf(Class<?> type, AnnotatedType[] arguments) throws ReflectiveOperationException {
        if (type == Optional.class) {
            return random.nextBoolean() ? Optional.of(any(arguments[0])) : Optional.empty();
        } else if (type == Present.class) {
            return new Present<>(random.nextBoolean() ? any(arguments[0]) : null);
        } else if (type == List.class) {
            var items = new Object[random.nextInt(3)];
            for (int i = 0; i < items.length; i++) {
                items[i] = any(arguments[0]);
            }
            return List.of(items);
        }
        var entries = new LinkedHashMap<String, Object>();
        for (int number : IntStream.range(0, random.nextInt(3)).toArray()) {
            entries.put(TEXTS.get(number), any(arguments[1]));
        }
        return entries;
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }
}
