package dev.laurel.query.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.sending.MessageDelivery;
import dev.laurel.core.sending.MessageDelivery.Ended;
import dev.laurel.core.sending.MessageDelivery.Ending;
import dev.laurel.delivery.store.WebhookDelivery.Endpoint;
import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.http.TestApi;
import dev.laurel.query.analytics.AnalyticsReads;
import dev.laurel.query.read.InMemoryLeaderboards;
import dev.laurel.query.read.InMemoryUsers;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.Webhook;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class AnalyticsRoutesTest {

    private static final String KEY = "k";
    private static final String RULES = """
        {"metrics":{"laps":{},"dives":{}},"attributes":{"user":{"plan":{"analytics":true},"city":{}}},
         "achievements":{"ten":{"trigger":"metric","metric":"laps","value":10}},
         "points":{"gems":{"levels":{"seal":{"points":10}},"triggers":{"lap":{"type":"metric","metric":"laps","threshold":1,"points":1}}}},
         "streak":{"frequency":"daily"},
         "leaderboards":{
           "top":{"status":"active","rankBy":"metric","metric":"laps"},
           "cities":{"status":"active","rankBy":"metric","metric":"laps","start":"2025-12-31","end":"2026-03-10",
                     "runUnit":"day","runInterval":30,"breakdownAttributes":["city"]},
           "later":{"status":"inactive","rankBy":"metric","metric":"laps"}},
         "webhooks":{"crm":{"url":"https://crm.example","events":["streak.lost"]},
                     "old":{"url":"https://old.example","events":["streak.lost"]}},
         "notifications":{"templates":{
           "done":{"type":"achievement_completed","channel":"email","subject":"s","body":"b"},
           "ping":{"type":"achievement_completed","channel":"push","title":"s","body":"b"}},
           "settings":{"achievementWindow":{"from":"00:00","to":"23:59"}}}}\
        """;

    private final InMemoryUsers users = new InMemoryUsers();
    private final InMemoryLeaderboards boards = new InMemoryLeaderboards();

    @AutoClose
    private TestApi api;

    @BeforeEach
    void start() throws Exception {
        users.rules("2026-01-01T00:00:00Z", RULES)
                .identify("ann", ",\"attributes\":{\"plan\":\"pro\"}", "2026-03-01T08:00:00Z")
                .event("ann", "laps", 12, "2026-03-01T09:00:00Z")
                .event("ann", "dives", 1, "2026-03-02T09:00:00Z")
                .event("bo", "laps", 3, "2026-03-02T08:00:00Z")
                .now("2026-03-02T12:00:00Z");
        api = new TestApi(
                (key, _) -> key.equals(KEY) ? Grant.of(Principal.Admin.UNLIMITED, "p", TenantId.NONE) : null,
                new AnalyticsRoutes(
                        new AnalyticsReads(users.localNode(boards.partitions()), users.localNode(boards.partitions()))),
                new NodeRoutes(() -> true));
    }

    private HttpResponse<String> get(String path, String accept) throws Exception {
        return api.get("/admin/v1/analytics/" + path, KEY, "Accept", accept);
    }

    @Test
    void shouldAnswerInColumns() throws Exception {
        assertEquals(
                """
                {"report":"active-users","from":"2026-03-01","to":"2026-03-02","granularity":"day","segmentBy":"plan",\
                "periods":["2026-03-01","2026-03-02"],"series":[\
                {"segment":{"plan":"pro"},"dau":[1,1],"wau":[1,1],"mau":[1,1],"stickiness":[1,1],"newUsers":[1,0],\
                "totalUsers":[1,1]},\
                {"segment":{"plan":null},"dau":[0,1],"wau":[0,1],"mau":[0,1],"stickiness":[null,1],"newUsers":[0,1],\
                "totalUsers":[0,1]}],"asOf":"2026-03-02T12:00:00.000Z"}\
                """, get("active-users?from=2026-03-01&segmentBy=plan", "*/*").body());
    }

    @Test
    void shouldAnswerCsvWithARowPerPeriodAndSeries() throws Exception {
        HttpResponse<String> answer = get("events?from=2026-03-01&metric=laps", "text/csv");

        assertEquals(
                "text/csv; charset=utf-8",
                answer.headers().firstValue("Content-Type").orElseThrow());
        assertEquals("""
            period,metric,events,value,activeUsers
            2026-03-01,laps,1,12,1
            2026-03-02,laps,1,3,1
            """.replace("\n", "\r\n"), answer.body());
    }

    @Test
    void shouldDivideListsAndMapsIntoColumnsOfCsv() throws Exception {
        String retention =
                get("retention?from=2026-03-01&to=2026-03-01", "text/csv").body();
        String points = get("points?from=2026-03-01", "text/csv").body();

        assertTrue(retention.startsWith("period,size,exact0,exact1,exact2,"), retention);
        assertTrue(retention.contains("\r\n2026-03-01,1,1,1,,"), retention);
        assertTrue(
                points.startsWith("period,system,awarded,taken,byTrigger.lap,earnedByNewUsers,usersByLevel.(none),"
                        + "usersByLevel.seal,most\r\n"
                        + "2026-03-01,gems,12,0,12,12,1,1,12\r\n2026-03-02,gems,3,0,3,3,1,1,12"),
                points);
    }

    @Test
    void shouldReportWebhooksWithTheTimesOfTheirAnswers() throws Exception {
        Webhook crm = users.newest(TenantId.NONE).webhooks().getFirst();
        var endpoint = new Endpoint(TenantId.NONE, crm.id());
        var at = Instant.parse("2026-03-01T12:00:00Z");
        for (long ms = 1; ms <= 10; ms++) {
            users.delivery().attempted(endpoint, at, ms);
        }
        users.delivery().attempted(endpoint, at.plus(Duration.ofDays(1)), null);
        users.delivery().delivered(endpoint, at);
        users.delivery().failed(endpoint, at.plus(Duration.ofDays(1)));
        users.commitDelivery();

        String days = get("webhooks?from=2026-03-01&webhook=crm", "*/*").body();
        String weeks =
                get("webhooks?from=2026-03-01&granularity=week", "text/csv").body();

        assertTrue(
                days.contains("\"series\":[{\"webhook\":\"crm\",\"attempts\":[10,1],\"delivered\":[1,0],"
                        + "\"failed\":[0,1],\"answerMsP50\":[5,null],\"answerMsP99\":[10,null]}]"),
                days);
        assertEquals("""
            period,webhook,attempts,delivered,failed,answerMsP50,answerMsP99
            2026-03-01,crm,11,1,1,5,10
            2026-03-01,old,0,0,0,,
            """.replace("\n", "\r\n"), weeks);
    }

    @Test
    void shouldReportMessagesByTemplate() throws Exception {
        users.identify("cleo", ",\"email\":\"c@example.net\",\"deviceTokens\":[\"t\"]", "2026-03-02T08:00:00Z")
                .event("cleo", "laps", 10, "2026-03-02T09:00:00Z")
                .event("cleo", "laps", 1, "2026-03-02T10:00:00Z");
        var version = users.newest(TenantId.NONE);
        var waiting = new MessageDelivery(
                new UUID(0, 1),
                UserKey.of("cleo"),
                Instant.parse("2026-03-02T09:00:00Z"),
                version.version(),
                NotificationType.ACHIEVEMENT_COMPLETED,
                new MessageCopy(
                        NotificationChannel.EMAIL,
                        version.notifications().templates().getFirst().id(),
                        0),
                "{}",
                0,
                new MessageDelivery.Waiting(1, 0),
                List.of());
        users.delivery().messageEnded(waiting, new Ended(Ending.SENT, null, 0), false);
        users.delivery().messageEnded(waiting, new Ended(Ending.REFUSED, "no such user", 0), true);

        String messages = get("messages?from=2026-03-01", "text/csv").body();

        assertEquals("""
            period,template,channel,due,sent,failed,bounced,opened,clicked,returned
            2026-03-01,done,email,0,0,0,0,0,0,0
            2026-03-02,done,email,1,1,1,1,0,0,1
            2026-03-01,ping,push,0,0,0,0,0,0,0
            2026-03-02,ping,push,1,0,0,0,0,0,1
            """.replace("\n", "\r\n"), messages);
    }

    @Test
    void shouldAnswer503WhileDeliveryHasNeverRun() throws Exception {
        users.forgetDelivery();

        HttpResponse<String> answer = get("webhooks", "*/*");

        assertEquals(503, answer.statusCode());
        assertTrue(answer.body().contains("no delivery process has run yet"), answer.body());
        assertEquals(200, get("events", "*/*").statusCode());
    }

    @Test
    void shouldSayThatThereIsTooLittleDataToCompare() throws Exception {
        String impact = get("impact?days=1", "*/*").body();

        assertTrue(impact.contains("\"treatmentUsers\":1,\"treatmentRetained\":1,\"controlUsers\":0"), impact);
        assertTrue(
                impact.contains("\"lift\":null,\"interval\":null,\"significant\":null,"
                        + "\"note\":\"Too little data: at least 100 users in each group are needed.\""),
                impact);
    }

    @Test
    void shouldListTheUsersWhoDoMost() throws Exception {
        users.identify("ann", ",\"name\":\"Ann, of course\"", "2026-03-02T11:00:00Z");

        assertEquals("""
            {"report":"top-users","range":"all","periods":[],"series":[\
            {"id":["ann","bo"],"name":["Ann, of course",null],"value":[2,1]}],"asOf":"2026-03-02T12:00:00.000Z"}\
            """, get("top-users", "*/*").body());
        assertEquals("""
            {"report":"top-users","range":"30d","periods":[],"series":[\
            {"metric":"laps","id":["ann"],"name":["Ann, of course"],"value":[12]}],\
            "asOf":"2026-03-02T12:00:00.000Z"}\
            """, get("top-users?metric=laps&range=30d&limit=1", "*/*").body());
    }

    @Test
    void shouldListUsersAsCsvWithARowForEach() throws Exception {
        assertEquals(
                "metric,id,name,value\r\nlaps,ann,,12\r\nlaps,bo,,3\r\n",
                get("top-users?metric=laps", "text/csv").body());
        users.now("2026-05-01T12:00:00Z");
        assertEquals("id,name,value\r\n", get("top-users?range=30d", "text/csv").body());
    }

    /** The second run of the leaderboard with groups began on 30 January. */
    private void rankSomeUsers() {
        List<Leaderboard> known = users.newest(TenantId.NONE).leaderboards();
        boards.rank(known.getFirst().number(), Runs.PERPETUAL, List.of(), "ann 100", "bo 95.5", "cleo 10", "dee 0.5")
                .rank(known.get(1).number(), day("2026-01-30"), List.of("Turku"), "ann 9")
                .rank(known.get(1).number(), day("2026-01-30"), List.of("Oulu"), "bo 9", "cleo 8");
    }

    private static int day(String date) {
        return (int) LocalDate.parse(date).toEpochDay();
    }

    @Test
    void shouldReportTheRunsOfLeaderboardsOverAllGroups() throws Exception {
        rankSomeUsers();

        String report = get("leaderboards?from=2026-01-01&to=2026-02-28&granularity=month", "*/*")
                .body();

        assertEquals("""
            {"report":"leaderboards","from":"2026-01-01","to":"2026-02-28","granularity":"month",\
            "periods":["2026-01-01","2026-02-01"],"series":[\
            {"leaderboard":"top","run":"2026-01-01","participants":4,"changedRank":4,"rankChanges":[4,0],\
            "lowest":0.5,"highest":100,"histogram":{"1":1,"2":1,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"10":0,\
            "11":0,"12":0,"13":0,"14":0,"15":0,"16":0,"17":0,"18":0,"19":0,"20":2}},\
            {"leaderboard":"cities","run":"2026-01-30","participants":3,"changedRank":3,"rankChanges":[3,0],\
            "lowest":8,"highest":9,"histogram":{"1":1,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"10":0,\
            "11":0,"12":0,"13":0,"14":0,"15":0,"16":0,"17":0,"18":0,"19":0,"20":2}},\
            {"leaderboard":"cities","run":"2025-12-31","participants":0,"changedRank":0,"rankChanges":[0,0],\
            "lowest":null,"highest":null,"histogram":{"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"10":0,\
            "11":0,"12":0,"13":0,"14":0,"15":0,"16":0,"17":0,"18":0,"19":0,"20":0}}\
            ],"asOf":"2026-03-02T12:00:00.000Z"}\
            """, report);
    }

    @Test
    void shouldReportTheDaysOfARunUnlessOthersAreGiven() throws Exception {
        rankSomeUsers();

        String of = get("leaderboards?leaderboard=cities&run=2026-02-03&granularity=month", "text/csv")
                .body();
        String ofAll = get("leaderboards?run=2026-03-02", "*/*").body();
        String given = get("leaderboards?leaderboard=top&run=2026-02-03&to=2026-02-03", "*/*")
                .body();

        assertEquals("""
            period,leaderboard,run,participants,changedRank,rankChanges,lowest,highest,histogram.1,histogram.2,\
            histogram.3,histogram.4,histogram.5,histogram.6,histogram.7,histogram.8,histogram.9,histogram.10,\
            histogram.11,histogram.12,histogram.13,histogram.14,histogram.15,histogram.16,histogram.17,\
            histogram.18,histogram.19,histogram.20
            2026-01-30,cities,2026-01-30,3,3,0,8,9,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2
            2026-02-01,cities,2026-01-30,3,3,0,8,9,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2
            """.replace("\n", "\r\n"), of);
        assertTrue(ofAll.contains("\"from\":\"2026-01-01\",\"to\":\"2026-03-02\""), ofAll);
        assertTrue(ofAll.contains("\"leaderboard\":\"top\",\"run\":\"2026-01-01\",\"participants\":4"), ofAll);
        assertTrue(ofAll.contains("\"leaderboard\":\"cities\",\"run\":\"2026-03-01\",\"participants\":0"), ofAll);
        assertTrue(given.contains("\"from\":\"2026-01-05\",\"to\":\"2026-02-03\""), given);
    }

    @Test
    void shouldAnswer503WhileALeaderboardIsNotServed() throws Exception {
        boards.fallBehind();

        HttpResponse<String> answer = get("leaderboards", "*/*");

        assertEquals(503, answer.statusCode());
        assertEquals("1", answer.headers().firstValue("Retry-After").orElseThrow());
    }

    @Test
    void shouldCountUsersByTheHighestAchievementOfAMetric() throws Exception {
        String achievements = get("achievements?from=2026-03-02", "*/*").body();

        assertTrue(
                achievements.contains("{\"metric\":\"laps\",\"usersByHighest\":{\"(none)\":1,\"ten\":1}}"),
                achievements);
        assertTrue(get("achievements?metric=dives", "*/*").body().contains("\"series\":[]"));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "AnalyticsRoutesTest.shouldRefuseWhatItDoesNotKnow.csv", delimiter = '|')
    void shouldRefuseWhatItDoesNotKnow(String path, int status, String error) throws Exception {
        HttpResponse<String> answer = get(path, "*/*");

        assertEquals(status, answer.statusCode(), answer.body());
        assertTrue(answer.body().contains("{\"error\":\"" + error), answer.body());
    }

    @Test
    void shouldAnswer503WhileTheCountersAreNotKnown() throws Exception {
        users.forgetCounts();

        HttpResponse<String> answer = get("events", "*/*");

        assertEquals(503, answer.statusCode());
        assertEquals("1", answer.headers().firstValue("Retry-After").orElseThrow());
    }
}
