package dev.laurel.schemas.serde;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares the bytes that {@link EffectJson} writes with those of the JSON mapper. */
final class EffectJsonTest {

    @TestFactory
    Stream<DynamicTest> shouldWriteTheSameBytesAsTheMapper() {
        return Examples.effects().entrySet().stream().map(example -> DynamicTest.dynamicTest(example.getKey(),
                () -> assertEquals(text(Json.write(example.getValue())), text(EffectJson.write(example.getValue())))));
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }
}
