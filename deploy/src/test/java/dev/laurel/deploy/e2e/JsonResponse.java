package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.math.BigDecimal;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A response, which must be JSON. Pointers are JSON pointers. */
record JsonResponse(int status, HttpHeaders headers, String text, JsonNode json) {

    /** Keeps the digits of decimals: {@code 0.30} differs from {@code 0.3}. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    static JsonResponse of(HttpResponse<byte[]> response) {
        String text = new String(response.body(), StandardCharsets.UTF_8);
        String what = response.request().method() + " " + response.uri() + " → " + response.statusCode() + " " + text;
        assertEquals(List.of("application/json"), response.headers().allValues("Content-Type"), what);
        try {
            return new JsonResponse(response.statusCode(), response.headers(), text, parse(text));
        } catch (JacksonException e) {
            return fail("not JSON: " + what, e);
        }
    }

    static JsonNode parse(String json) {
        return MAPPER.readTree(json);
    }

    JsonResponse expect(int expected) {
        assertEquals(expected, status, text);
        return this;
    }

    /** Returns the message, for people. */
    String expectError(int expected) {
        expect(expected);
        JsonShape.assertObject(json, "error str");
        String message = json.get("error").stringValue();
        assertFalse(message.isBlank(), text);
        return message;
    }

    JsonNode at(String pointer) {
        JsonNode node = json.at(pointer);
        assertTrue(!node.isMissingNode(), () -> pointer + " is missing in " + text);
        return node;
    }

    String string(String pointer) {
        return at(pointer).stringValue();
    }

    BigDecimal number(String pointer) {
        return at(pointer).decimalValue();
    }

    String header(String name) {
        return headers.firstValue(name).orElse(null);
    }
}
