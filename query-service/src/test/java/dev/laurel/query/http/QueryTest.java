package dev.laurel.query.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.TestApi;
import dev.laurel.schemas.serde.Json;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Query parameters over a real socket: they arrive decoded. */
class QueryTest {

    private static final String KEY = BootstrapKey.generate();

    @AutoClose
    private static TestApi api;

    @BeforeAll
    static void start() {
        api = new TestApi(new BootstrapKey(KEY), routes -> {
            routes.get(
                    "/range",
                    RequiredRole.VIEWER,
                    context -> context.result(Query.summaryRange(context).toString()));
            routes.get(
                    "/attributes",
                    RequiredRole.VIEWER,
                    context -> context.result(Query.userAttributes(context).toString()));
            routes.get(
                    "/list",
                    RequiredRole.VIEWER,
                    context -> context.result(Json.write(RequestParameters.list(context, "k"))));
            routes.get(
                    "/time",
                    RequiredRole.VIEWER,
                    context -> context.result(String.valueOf(Query.time(context, "from", true))));
            routes.get(
                    "/date",
                    RequiredRole.VIEWER,
                    context -> context.result(String.valueOf(Query.optionalDate(context, "run"))));
            routes.get(
                    "/number",
                    RequiredRole.VIEWER,
                    context -> context.result("" + Query.integer(context, "limit", 1, -5, 100)));
            routes.get("/flag", RequiredRole.VIEWER, context -> context.result("" + Query.flag(context, "on")));
        });
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return api.get(path, KEY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aggregation=weekly&startDate=2025-01-01&endDate=2026-02-05",
                "aggregation=weekly&start_date=2025-01-01&end_date=2026-02-05"
            })
    void shouldAcceptBothSpellingsOfARangeOf400Days(String query) throws Exception {
        assertEquals(
                "SummaryRange[aggregation=WEEKLY, first=2025-01-01, last=2026-02-05]",
                get("/range?" + query).body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "startDate=2026-01-01&endDate=2026-01-02",
                "aggregation=daily&endDate=2026-01-02",
                "aggregation=DAILY&startDate=2026-01-01&endDate=2026-01-02",
                "aggregation=daily&startDate=2026-01-03&endDate=2026-01-02",
                "aggregation=daily&startDate=2025-01-01&endDate=2026-02-06",
                "aggregation=daily&startDate=2026-02-30&endDate=2026-03-01",
                "aggregation=daily&startDate=20260201&endDate=2026-03-01",
                "aggregation=daily&startDate=2026-02-01T&endDate=2026-03-01"
            })
    void shouldRefuseEveryOtherRange(String query) throws Exception {
        var answer = get("/range?" + query);

        assertEquals(422, answer.statusCode());
        assertTrue(answer.body().contains("aggregation") || answer.body().contains("Date"), answer.body());
    }

    @Test
    void shouldSplitAttributesAtTheFirstColonOfEachPair() throws Exception {
        assertEquals(
                "{city=Turku, link=http://a:1}",
                get("/attributes?userAttributes=city:Turku,link:http%3A//a:1").body());
        assertEquals("{city=}", get("/attributes?userAttributes=city:").body());
        assertEquals("{}", get("/attributes?userAttributes=").body());
        assertEquals("{}", get("/attributes").body());
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "QueryTest.shouldTakeACommaBeforeAKeyAsSeparatorAndOthersAsPartOfTheValue.csv",
            quoteCharacter = '"',
            delimiter = '|')
    void shouldTakeACommaBeforeAKeyAsSeparatorAndOthersAsPartOfTheValue(String text, String attributes)
            throws Exception {
        assertEquals(attributes, get("/attributes?userAttributes=" + text).body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "userAttributes=city",
                "userAttributes=:Turku",
                "userAttributes=,city:Turku",
                "userAttributes=city:Turku,city:Espoo",
                "userAttributes=city:Turku&userAttributes=plan:pro",
                "userAttributes[]=city:Turku",
                "userAttributes[0]=city:Turku&userAttributes[1]=plan:pro"
            })
    void shouldRefuseMalformedPairs(String query) throws Exception {
        var answer = get("/attributes?" + query.replace("[", "%5B").replace("]", "%5D"));

        assertEquals(422, answer.statusCode());
        assertTrue(answer.body().contains("userAttributes"), answer.body());
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = '|',
            value = {
                "k=a,b|[\"a\",\"b\"]",
                "k=a%2Cb|[\"a,b\"]",
                "k=a%2Cb,c|[\"a,b\",\"c\"]",
                "k=a,b&k=c|[\"a,b\",\"c\"]",
                "k=a&k=b%2Cc|[\"a\",\"b,c\"]",
                "k%5B%5D=a,b|[\"a,b\"]",
                "k%5B%5D=a&k%5B%5D=b|[\"a\",\"b\"]",
                "k%5B1%5D=a&k%5B0%5D=b|[\"a\",\"b\"]",
                "k=|[]",
                "k|[]",
                "k%5B%5D=|[]",
                "k=a,|[\"a\",\"\"]",
                "kk=a&k%5Bx%5D=b|[]",
                "%6B=a+b|[\"a b\"]",
                "x=1|[]",
                "k=a&k=|[\"a\",\"\"]"
            })
    void shouldReadListsInEveryForm(String query, String values) throws Exception {
        assertEquals(values, get("/list?" + query).body());
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-04T09:15:00%2B02:00,2026-03-04T07:15:00Z",
        "2026-03-04,2026-03-05T00:00:00Z",
        "0001-01-01T00:00:00Z,0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999Z,9999-12-31T23:59:59.999Z",
        "9999-12-31,+10000-01-01T00:00:00Z"
    })
    void shouldReadTimesAndDates(String text, String time) throws Exception {
        assertEquals(time, get("/time?from=" + text).body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%2B999999999-12-31T23:59:59Z",
                "-999999999-01-01T00:00:00Z",
                "%2B10000-01-01T00:00:00Z",
                "0000-12-31T23:59:59Z",
                "9999-12-31T23:59:59-01:00",
                "2026-03-04T09:15:00",
                "now",
                "%D9%A2026-03-04",
                "2026-02-30",
                ""
            })
    void shouldRefuseOtherTimes(String text) throws Exception {
        var answer = get("/time?from=" + text);

        assertEquals(422, answer.statusCode(), answer.body());
        assertTrue(answer.body().contains("from "), answer.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"%D9%A5", "%2B5", "+5", "5.0", "0x5", "101", "-6", "99999999999999999999", "", "5%D9%A5"})
    void shouldRefuseEverythingButWholeNumbersInAsciiDigits(String text) throws Exception {
        var answer = get("/number?limit=" + text);

        assertEquals(422, answer.statusCode(), answer.body());
        assertTrue(answer.body().contains("limit must be a whole number from -5 to 100."), answer.body());
    }

    @Test
    void shouldReadWholeNumbers() throws Exception {
        assertEquals("-5", get("/number?limit=-5").body());
        assertEquals("100", get("/number?limit=00100").body());
        assertEquals("1", get("/number").body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"%2B2026-03-04", "2026-3-4", "+999999999-12-31", "%D9%A2%D9%A0%D9%A2%D9%A6-03-04", "2026-02-30"})
    void shouldRefuseOtherDates(String text) throws Exception {
        assertEquals(422, get("/date?run=" + text).statusCode());
    }

    @Test
    void shouldAcceptTrueInAnyCase() throws Exception {
        assertEquals("true", get("/flag?on=True").body());
        assertEquals("false", get("/flag?on=yes").body());
        assertEquals("false", get("/flag").body());
    }
}
