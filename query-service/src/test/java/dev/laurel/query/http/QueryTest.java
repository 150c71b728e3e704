package dev.laurel.query.http;

import dev.laurel.platform.http.Access;
import dev.laurel.platform.http.BootstrapKey;
import dev.laurel.platform.http.HttpServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Query parameters over a real socket: they arrive decoded. */
class QueryTest {

    private static final String KEY = BootstrapKey.generate();

    private static HttpServer server;
    private static HttpClient client;

    @BeforeAll
    static void start() {
        server = HttpServer.start(new HttpServer.Address("127.0.0.1", 0), new BootstrapKey(KEY),
                List.of(routes -> {
                    routes.get("/range", Access.VIEWER,
                            context -> context.result(Query.summaryRange(context).toString()));
                    routes.get("/attributes", Access.VIEWER,
                            context -> context.result(Query.userAttributes(context).toString()));
                    routes.get("/flag", Access.VIEWER, context -> context.result("" + Query.flag(context, "on")));
                }));
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("X-API-KEY", KEY).build(), BodyHandlers.ofString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"aggregation=weekly&startDate=2025-01-01&endDate=2026-02-05",
            "aggregation=weekly&start_date=2025-01-01&end_date=2026-02-05"})
    void shouldAcceptBothSpellingsOfARangeOf400Days(String query) throws Exception {
        assertEquals("SummaryRange[aggregation=WEEKLY, first=2025-01-01, last=2026-02-05]",
                get("/range?" + query).body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "startDate=2026-01-01&endDate=2026-01-02", "aggregation=daily&endDate=2026-01-02",
            "aggregation=DAILY&startDate=2026-01-01&endDate=2026-01-02",
            "aggregation=daily&startDate=2026-01-03&endDate=2026-01-02",
            "aggregation=daily&startDate=2025-01-01&endDate=2026-02-06",
            "aggregation=daily&startDate=2026-02-30&endDate=2026-03-01",
            "aggregation=daily&startDate=20260201&endDate=2026-03-01",
            "aggregation=daily&startDate=2026-02-01T&endDate=2026-03-01"})
    void shouldRefuseEveryOtherRange(String query) throws Exception {
        var answer = get("/range?" + query);

        assertEquals(422, answer.statusCode());
        assertTrue(answer.body().contains("aggregation") || answer.body().contains("Date"), answer.body());
    }

    @Test
    void shouldSplitAttributesAtTheFirstColonOfEachPair() throws Exception {
        assertEquals("{city=Turku, link=http://a:1}",
                get("/attributes?userAttributes=city:Turku,link:http%3A//a:1").body());
        assertEquals("{city=}", get("/attributes?userAttributes=city:").body());
        assertEquals("{}", get("/attributes?userAttributes=").body());
        assertEquals("{}", get("/attributes").body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"city", ":Turku", "city:Turku,", "city:Turku,plan", "city:Turku,city:Espoo"})
    void shouldRefuseMalformedPairs(String text) throws Exception {
        assertEquals(422, get("/attributes?userAttributes=" + text).statusCode());
    }

    @Test
    void shouldAcceptTrueInAnyCase() throws Exception {
        assertEquals("true", get("/flag?on=True").body());
        assertEquals("false", get("/flag?on=yes").body());
        assertEquals("false", get("/flag").body());
    }
}
