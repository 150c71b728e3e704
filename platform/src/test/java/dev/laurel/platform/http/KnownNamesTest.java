package dev.laurel.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.schemas.key.TenantId;
import io.javalin.http.Handler;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What answers say about unknown parameters and fields, over a socket. */
@Timeout(20)
class KnownNamesTest {

    private static final String EVENT = "POST /v1/metrics/laps/event";
    private static final String KEYS = "POST /admin/v1/application-api-keys";
    private static final String NO_ISSUES = "{\"created\":[1.5],\"issues\":[]}";

    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server = start(false);

    private static HttpServer start(boolean isStrict) {
        Handler bulk = context -> Answers.answer(context, 201, NO_ISSUES.getBytes(UTF_8));
        Handler ok = context -> Answers.answer(context, 200, context.bodyAsBytes());
        return TestServer.start(
                TestServer.at(new HttpSettings.Address("127.0.0.1", 0)).withStrictness(isStrict),
                (_, _) -> Grant.of(Principal.Admin.UNLIMITED, "prefix", new TenantId("acme")),
                List.of(routes -> routes.post("/v1/metrics/{key}/event", RequiredRole.SUPPORT, ok)
                        .post(
                                "/admin/v1/metrics/events",
                                RequiredRole.SUPPORT,
                                context -> Answers.answer(
                                        context,
                                        202,
                                        ("{\"accepted\":" + BodyLimits.read(context).length + "}").getBytes(UTF_8)))
                        .put("/api/users/{id}", RequiredRole.SUPPORT, ok)
                        .patch("/admin/v1/metrics", RequiredRole.SUPPORT, bulk)
                        .post("/admin/v1/application-api-keys", RequiredRole.SUPPORT, bulk)
                        .post("/admin/v1/streaks/freezes", RequiredRole.SUPPORT, bulk)
                        .patch("/admin/v1/streaks/settings", RequiredRole.SUPPORT, ok)
                        .get(
                                "/v1/streaks",
                                RequiredRole.VIEWER,
                                context -> Answers.answer(context, 200, "[]".getBytes(UTF_8)))
                        .get("/v1/users/{id}/points/{key}/event-summary", RequiredRole.VIEWER, ok)
                        .get("/v1/undocumented", RequiredRole.VIEWER, ok)));
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    /** @param route method and path */
    private HttpResponse<String> send(String route, String body) throws Exception {
        String[] parts = route.split(" ");
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + parts[1]))
                        .header("X-API-KEY", "key")
                        .method(parts[0], BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private String warning(String route, String body) throws Exception {
        return send(route, body).headers().firstValue("X-Laurel-Warning").orElse("");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'user':{'id':'u'},'value':1,'attribute':{}}|Unknown field attribute is ignored; did you mean"
                        + " attributes?",
                "{'user':{'id':'u','atributes':{}},'value':1}|Unknown field user.atributes is ignored; did you mean"
                        + " attributes?",
                "{'x':{'a':[{'}':']'}]},'value':1,'idempotencyKey':'k'}|Unknown field x is ignored. Unknown field"
                        + " idempotencyKey is ignored.",
                " { 'VALUE' : 1 }|Unknown field VALUE is ignored; did you mean value?",
                "{'\\u0076alue':1,'val\\nue':1}|Unknown field val\\u000aue is ignored; did you mean value?",
                "{'ключ 1':1}|Unknown field \\u043a\\u043b\\u044e\\u0447\\u00201 is ignored."
            })
    void shouldNameUnknownFieldsInAHeader(String body, String warning) throws Exception {
        HttpResponse<String> answer = send(EVENT, body.replace('\'', '"'));

        assertEquals(200, answer.statusCode());
        assertEquals(warning, answer.headers().firstValue("X-Laurel-Warning").orElse(""));
        assertTrue(answer.headers()
                .firstValue("Access-Control-Expose-Headers")
                .orElse("")
                .contains("X-Laurel-Warning"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'user':{'id':'u','attributes':{'any':1,'user':{}},'tz':null,'deviceTokens':['a']},'value':1,'attributes':{'x':'}'}}",
                "{}",
                "",
                "[{'x':1}]",
                "{'value':1",
                "{'value'",
                "{x}",
                "{'value':}",
                "{'user':{'id':'u' 'x':1}}",
                "'x'",
                "{'user':[{'x':1}],'value':{'x':1}}",
                "{'value' : 1 , 'user' : { } }",
                "{'\\u0076alue':1}",
                "{'user':{'name':'\\\\'}}"
            })
    void shouldSayNothingAboutKnownFieldsAndLeaveBrokenBodiesToTheRoute(String body) throws Exception {
        HttpResponse<String> answer = send(EVENT, body.replace('\'', '"'));

        assertEquals(200, answer.statusCode());
        assertEquals("", answer.headers().firstValue("X-Laurel-Warning").orElse(""));
        assertEquals(body.replace('\'', '"'), answer.body());
    }

    @Test
    void shouldIgnoreTheIdOfAUserInThePathWithoutAWord() throws Exception {
        assertEquals("", warning("PUT /api/users/u", "{\"id\":\"u\",\"name\":\"U\"}"));
        assertEquals(
                "Unknown field signupDate is ignored; did you mean signUpDate?",
                warning("PUT /api/users/u", "{\"signupDate\":\"2026-03-04\"}"));
    }

    @Test
    void shouldWarnInTheIssuesOfABulkAnswer() throws Exception {
        HttpResponse<String> answer =
                send(KEYS, "[{\"userId\":\"a\"},{\"userId\":\"b\",\"expiresAt\":\"2026-03-04T09:15:00Z\"}]");

        assertEquals(201, answer.statusCode());
        assertEquals(
                "{\"created\":[1.5],\"issues\":[{\"severity\":\"warning\",\"message\":\"Unknown field expiresAt is "
                        + "ignored; did you mean expires?\",\"index\":1}]}",
                answer.body());
        assertFalse(answer.headers().firstValue("X-Laurel-Warning").isPresent());
    }

    @Test
    void shouldIdentifyAnItemToChangeByItsId() throws Exception {
        assertEquals(
                "{\"created\":[1.5],\"issues\":[{\"severity\":\"warning\",\"message\":\"Unknown field unit is "
                        + "ignored; did you mean units?\",\"id\":\"7\"}]}",
                send("PATCH /admin/v1/metrics", "[{\"id\":\"7\",\"unit\":\"m\"}]")
                        .body());
    }

    @Test
    void shouldRepeatAWarningForOldClients() throws Exception {
        String message = "Unknown field user is ignored; did you mean userId?";

        assertEquals(
                "{\"created\":[1.5],\"issues\":[{\"severity\":\"warning\",\"message\":\"" + message
                        + "\",\"index\":0,\"level\":\"warning\",\"reason\":\"" + message + "\"}]}",
                send("POST /admin/v1/streaks/freezes", "{\"freezes\":[{\"user\":\"u\"}]}")
                        .body());
    }

    @Test
    void shouldWarnOfParametersInTheIssuesToo() throws Exception {
        assertEquals(
                "{\"created\":[1.5],\"issues\":[{\"severity\":\"warning\",\"message\":\"Unknown parameter dryRun is "
                        + "ignored.\"}]}",
                send(KEYS + "?dryRun=true", "[]").body());
    }

    @Test
    void shouldNameTheItemOfABatchInTheHeader() throws Exception {
        String body = "[{\"key\":\"laps\"},{\"key\":\"laps\",\"user\":{\"tz_\":1},\"timestamp\":1}]";
        HttpResponse<String> answer = send("POST /admin/v1/metrics/events", body);

        assertEquals("{\"accepted\":" + body.length() + "}", answer.body());
        assertEquals(
                "Unknown field [1].user.tz_ is ignored; did you mean tz? "
                        + "Unknown field [1].timestamp is ignored; did you mean time?",
                answer.headers().firstValue("X-Laurel-Warning").orElse(""));
    }

    @Test
    void shouldNameFieldsBelowSettings() throws Exception {
        assertEquals(
                "Unknown field freezes.maxcounts is ignored; did you mean maxCount? "
                        + "Unknown field metrics[0].treshold is ignored; did you mean threshold?",
                warning(
                        "PATCH /admin/v1/streaks/settings",
                        "{\"freezes\":{\"maxcounts\":1},\"metrics\":[{\"treshold\":1}]}"));
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/streaks?userIds=a&userIds%5B%5D=b&userIds%5B0%5D=c,''",
        "/v1/streaks?userId=a,Unknown parameter userId is ignored; did you mean userIds?",
        "/v1/streaks?userIds=a&x%0D%0Ay=1,Unknown parameter x\\u000d\\u000ay is ignored.",
        "/v1/users/u/points/xp/event-summary?aggregation=daily&start_date=1&end_date=2,''",
        "/v1/undocumented?x=1,''"
    })
    void shouldNameUnknownParameters(String path, String warning) throws Exception {
        assertEquals(warning, warning("GET " + path, ""));
    }

    @Test
    void shouldLimitTheWarning() throws Exception {
        var body = new StringBuilder("{\"value\":1");
        for (int i = 0; i < 1_000; i++) {
            body.append(",\"").append("x".repeat(100)).append(i).append("\":1");
        }
        String warning = warning(EVENT, body.append('}').toString());

        assertTrue(warning.length() < 1_100 && warning.endsWith(" more."), warning);
    }

    @Test
    void shouldRefuseUnknownNamesIfItIsStrict() throws Exception {
        server.close();
        server = start(true);

        assertEquals(
                "{\"error\":\"Unknown field valu is refused; did you mean value?\"}",
                send(EVENT, "{\"valu\":1}").body());
        assertEquals(422, send("GET /v1/streaks?limit=1", "").statusCode());
        assertEquals(422, send(KEYS, "[{\"expiresAt\":1}]").statusCode());
        assertEquals(200, send(EVENT, "{\"value\":1}").statusCode());
    }
}
