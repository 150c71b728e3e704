package dev.laurel.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.gateway.RequestResult.Parts;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventReplyJsonTest {

    private static String assemble(String body, Parts parts) {
        return new String(EventReplyJson.assemble(body.getBytes(UTF_8), parts), UTF_8);
    }

    /** @param entries key, JSON, key, JSON, … */
    private static Parts parts(List<String> missing, String... entries) {
        var there = new LinkedHashMap<String, byte[]>();
        for (int i = 0; i < entries.length; i += 2) {
            there.put(entries[i], entries[i + 1].getBytes(UTF_8));
        }
        return new Parts(there, missing);
    }

    @Test
    void shouldAppendEntriesInTheirOrder() {
        assertEquals(
                "{\"total\":4,\"leaderboards\":{\"week\":{\"rank\":2},\"all-time\":{\"rank\":null}}}",
                assemble("{\"total\":4}", parts(List.of(), "week", "{\"rank\":2}", "all-time", "{\"rank\":null}")));
    }

    @Test
    void shouldOmitEmptyEntries() {
        assertEquals(
                "{\"total\":4,\"leaderboards\":{\"b\":{}}}",
                assemble("{\"total\":4}", parts(List.of(), "a", "", "b", "{}", "c", "")));
        assertEquals("{\"total\":4,\"leaderboards\":{}}", assemble("{\"total\":4}", parts(List.of(), "a", "")));
    }

    @Test
    void shouldListLeaderboardsThatAreMissing() {
        assertEquals(
                "{\"total\":4,\"leaderboards\":{\"b\":{}},\"pending\":[\"a\",\"c\"]}",
                assemble("{\"total\":4}", parts(List.of("a", "c"), "b", "{}")));
        assertEquals(
                "{\"total\":4,\"leaderboards\":{},\"pending\":[\"a\"]}",
                assemble("{\"total\":4}", parts(List.of("a"))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {}                   | {"leaderboards":{"k":1}}
        { }                  | { "leaderboards":{"k":1}}
        ` {"a":1} `          | ` {"a":1,"leaderboards":{"k":1}} `
        {"a":{}}             | {"a":{},"leaderboards":{"k":1}}
        {"a":[{"b":{}}] }    | {"a":[{"b":{}}] ,"leaderboards":{"k":1}}
        {"a":"}{"}           | {"a":"}{","leaderboards":{"k":1}}
        {"a":"{"}            | {"a":"{","leaderboards":{"k":1}}
        {"ä":"€\\"}"}        | {"ä":"€\\"}","leaderboards":{"k":1}}
        """)
    void shouldFindTheEndOfObjectsWithAnyWhiteSpace(String body, String whole) {
        assertEquals(whole, assemble(body, parts(List.of(), "k", "1")));
    }

    @Test
    void shouldKeepLineBreaksAfterTheObject() {
        assertEquals("{\"a\":1\n,\"leaderboards\":{}}\r\n\t", assemble("{\"a\":1\n}\r\n\t", parts(List.of(), "k", "")));
    }

    @Test
    void shouldWriteKeysAsJson() {
        assertEquals(
                "{\"leaderboards\":{\"a\\\"b\":1},\"pending\":[\"c\\\\d\"]}",
                assemble("{}", parts(List.of("c\\d"), "a\"b", "1")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "[]", "[{}]", "null", "\"}\"", "}", "{", "1"})
    void shouldRefuseRepliesThatAreNotObjects(String body) {
        assertThrows(IllegalArgumentException.class, () -> assemble(body, parts(List.of(), "k", "1")));
    }
}
