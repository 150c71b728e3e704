package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * A week of three users in three zones, in steps of six hours of the test clock: every message and every webhook
 * event is compared with a reviewed file.
 *
 * <p>Aki, Auckland: active on three days, then never again. Ida, Helsinki: active every day, sometimes just in time.
 * Lou, Los Angeles: turns reminders off and moves to Helsinki.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class DeliveryWeekIT {

    private static final String GOLDEN = "e2e/a-week-in-the-life.txt";
    private static final boolean APPROVE = Boolean.getBoolean("laurel.approve");

    /** A Monday. */
    private static final Instant START = Instant.parse("2027-03-08T00:00:00Z");

    private static final Duration STEP = Duration.ofHours(6);
    /** Lines of context of a shown difference. */
    private static final int AROUND = 6;

    private LaurelInstance instance;
    private LaurelClient client;
    private WebhookReceiver inbox;
    private GreenMail mail;
    private final Set<String> mailRead = new HashSet<>();
    private int told;
    private final Map<String, Long> opened = new TreeMap<>();
    private final Map<String, Long> clicked = new TreeMap<>();
    private final List<String> diary = new ArrayList<>();

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @BeforeEach
    void start() throws Exception {
        inbox = new WebhookReceiver();
        mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mail.start();
        instance = LaurelInstance.startWithTestClock();
        client = instance.client();
    }

    @AfterEach
    void stop() {
        instance.close();
        mail.stop();
        inbox.close();
    }

    @Test
    void shouldSendExactlyTheReviewedMessagesAndEvents() throws Exception {
        goTo(START.minus(Duration.ofHours(12)));
        client.put("/admin/v1/ruleset", ruleset()).expect(200);
        client.patch(
                        "/admin/v1/notifications/channels",
                        "{\"email\":{\"smtpUrl\":\"smtp://127.0.0.1:"
                                + mail.getSmtp().getPort() + "\"}}")
                .expect(200);
        importTenYearsOf("veteran");
        for (Instant now = START; now.isBefore(START.plus(Duration.ofDays(9))); now = now.plus(STEP)) {
            goTo(now);
            write(now);
            live(Duration.between(START, now).toHours());
        }
        compare(String.join("\n", diary) + "\n");
        readTheNewestMails();
        expectReports();
        sayEverythingAgain();
        expectReports();
    }

    /** Imported history causes no message: no line of the file names the veteran. */
    private void importTenYearsOf(String user) {
        try (var producer = new DirectProducer(instance.bootstrapServers())) {
            for (int month = 120; month > 2; month--) {
                Instant at = START.minus(Duration.ofDays(30L * month));
                producer.sendAside(user, at, """
                    {"type":"event","metric":"laps","value":1,"user":{"id":"%s","email":"%s@example.net"}}\
                    """.formatted(user, user));
            }
            producer.flush();
        }
    }

    /**
     * Writes the log once more: events older than a day cause no message, and known ones no second message, except
     * for those merged by time, which are not checked here.
     */
    private void sayEverythingAgain() throws Exception {
        List<ConsumerRecord<byte[], byte[]>> outbox =
                new TopicReader(instance.bootstrapServers()).readAll("laurel.outbox");
        assertTrue(outbox.size() > 100, () -> "only " + outbox.size() + " records in the outbox");
        // Caused by the moves of the clock.
        Predicate<JsonNode> isQuestion = told -> told.path("type").asString().equals("question");
        Predicate<JsonNode> isMerged = told -> told.path("type").asString().equals("board-news")
                || told.path("event").asString().equals("POINTS_CHANGED");
        say(outbox, told -> !isMerged.test(told) && !isQuestion.test(told));
        expectSilence();
        goTo(START.plus(Duration.ofDays(9)).plus(Duration.ofHours(25)));
        write(START);
        say(outbox, told -> !isQuestion.test(told));
        expectSilence();
    }

    private void say(List<ConsumerRecord<byte[], byte[]>> outbox, Predicate<JsonNode> which) {
        try (var producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", instance.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (ConsumerRecord<byte[], byte[]> told : outbox) {
                if (which.test(JsonResponse.parse(new String(told.value(), StandardCharsets.UTF_8)))) {
                    producer.send(new ProducerRecord<>(told.topic(), told.partition(), told.key(), told.value()));
                }
            }
        }
    }

    private void expectSilence() {
        awaitDelivery();
        assertEquals(0, inbox.waiting(), "webhooks were told again");
        assertEquals(mailRead.size(), mail.getReceivedMessages().length, "messages were sent again");
    }

    /** Acts for the three users, by hours since the start, after that hour's mail was read. */
    private void live(long hour) {
        switch ((int) hour) {
            // Monday, 1 pm in Auckland; the day before in Los Angeles.
            case 0 -> {
                swim("aki", "Pacific/Auckland", 4);
                swim("lou", "America/Los_Angeles", 3);
            }
            case 6 -> swim("ida", "Europe/Helsinki", 5);
            case 24 -> {
                swim("aki", "Pacific/Auckland", 4);
                client.patch("/v1/users/lou/preferences", "{\"notifications\":{\"streak_reminder\":[]}}")
                        .expect(200);
            }
            case 30 -> swim("ida", "Europe/Helsinki", 5);
            case 48 -> {
                swim("aki", "Pacific/Auckland", 4);
                swim("lou", "America/Los_Angeles", 1);
            }
            // 8 pm in Helsinki: the reminder has just gone out.
            case 66 -> swim("ida", "Europe/Helsinki", 12);
            case 90 -> swim("ida", "Europe/Helsinki", 1);
            // Lou lands in Helsinki.
            case 108 -> swim("lou", "Europe/Helsinki", 2);
            case 114 -> swim("ida", "Europe/Helsinki", 1);
            case 132 -> swim("ida", "Europe/Helsinki", 1);
            case 150 ->
                client.patch("/v1/users/ida", "{\"subscribeToEmails\":false}").expect(200);
            default -> {
                // no activity for six hours
            }
        }
    }

    /** Also checks that the change takes effect at once. */
    private void swim(String user, String zone, int laps) {
        client.event("laps")
                .of(user)
                .with("tz", "\"" + zone + "\"")
                .with("email", "\"" + user + "@example.net\"")
                .value(Integer.toString(laps))
                .send()
                .expect(201);
        awaitDelivery();
    }

    /** Waits until everything due is delivered; the clock does not move. */
    private void awaitDelivery() {
        client.post("/admin/v1/test-clock", "{\"advance\":\"PT0S\"}").expect(200);
    }

    private void goTo(Instant now) {
        client.post("/admin/v1/test-clock", "{\"now\":\"" + now + "\"}").expect(200);
    }

    /** Writes the deliveries since the last step, sorted, because users are independent. */
    private void write(Instant now) throws Exception {
        var lines = new ArrayList<String>();
        while (inbox.waiting() > 0) {
            lines.add(line(inbox.next().json()));
            told++;
        }
        for (MimeMessage message : mail.getReceivedMessages()) {
            // Sorted by user, not by time. A repeated id is a message that was sent twice.
            if (mailRead.add(message.getMessageID())) {
                lines.add(line(message));
            }
        }
        assertEquals(mailRead.size(), mail.getReceivedMessages().length, "messages were sent twice");
        if (!lines.isEmpty()) {
            diary.add("by " + now);
            lines.sort(null);
            lines.forEach(line -> diary.add("  " + line));
        }
    }

    /** Loads the image and follows a link of every email to Ida, and does both twice for the newest email to Aki. */
    private void readTheNewestMails() throws Exception {
        MimeMessage[] all = mail.getReceivedMessages();
        for (MimeMessage message : all) {
            if (message.getRecipients(Message.RecipientType.TO)[0].toString().startsWith("ida@")) {
                follow(message, "img src");
                follow(message, "a href");
            }
        }
        MimeMessage newest = null;
        for (MimeMessage message : all) {
            boolean isAki = message.getRecipients(Message.RecipientType.TO)[0]
                    .toString()
                    .startsWith("aki@");
            newest = isAki && (newest == null || message.getSentDate().after(newest.getSentDate())) ? message : newest;
        }
        for (int i = 0; i < 2; i++) {
            assertEquals(
                    "image/gif",
                    follow(newest, "img src")
                            .headers()
                            .firstValue("Content-Type")
                            .orElseThrow());
            HttpResponse<byte[]> redirect = follow(newest, "a href");
            assertEquals(302, redirect.statusCode());
            assertEquals(
                    "https://club.example/",
                    redirect.headers().firstValue("Location").orElseThrow());
        }
        opened.put(templateOf(newest), 1L);
        clicked.put(templateOf(newest), 1L);
    }

    private HttpResponse<byte[]> follow(MimeMessage message, String attribute) throws Exception {
        var html =
                (String) ((MimeMultipart) message.getContent()).getBodyPart(1).getContent();
        Matcher url = Pattern.compile(attribute + "=\"http://laurel.invalid(/m/[^\"]*)\"")
                .matcher(html);
        assertTrue(url.find(), html);
        try (var browser = HttpClient.newHttpClient()) {
            return browser.send(
                    HttpRequest.newBuilder(URI.create(instance.url() + url.group(1)))
                            .build(),
                    BodyHandlers.ofByteArray());
        }
    }

    /** Compares the reports of analytics with what has arrived. */
    private void expectReports() {
        var sent = new TreeMap<String, Long>();
        for (MimeMessage message : mail.getReceivedMessages()) {
            sent.merge(templateOf(message), 1L, Long::sum);
        }
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            JsonNode messages = report("messages");
            assertEquals(sent, sums(messages, "template", "sent"));
            assertEquals(sent, sums(messages, "template", "due"));
            assertEquals(0, sums(messages, "template", "failed").size());
            assertEquals(opened, sums(messages, "template", "opened"));
            assertEquals(clicked, sums(messages, "template", "clicked"));
            JsonNode webhooks = report("webhooks");
            for (String column : List.of("attempts", "delivered")) {
                assertEquals(Map.of("all", (long) told), sums(webhooks, "webhook", column));
            }
            assertEquals(0, sums(webhooks, "webhook", "failed").size());
        });
    }

    private JsonNode report(String name) {
        LocalDate first = LocalDate.ofInstant(START, ZoneOffset.UTC).minusDays(1);
        return client.get("/admin/v1/analytics/" + name + "?from=" + first + "&to=" + first.plusDays(13))
                .expect(200)
                .json();
    }

    /** The sums of a column that are not 0, by object. */
    private static Map<String, Long> sums(JsonNode report, String kind, String column) {
        var sums = new TreeMap<String, Long>();
        for (JsonNode series : report.get("series")) {
            long sum = series.get(column)
                    .valueStream()
                    .mapToLong(JsonNode::longValue)
                    .sum();
            if (sum != 0) {
                sums.put(series.get(kind).stringValue(), sum);
            }
        }
        return sums;
    }

    private static String templateOf(MimeMessage message) {
        try {
            String subject = message.getSubject();
            return subject.startsWith("Keep your streak")
                    ? "remind"
                    : subject.startsWith("Your week")
                            ? "recap"
                            : subject.startsWith("We miss you") ? "back" : "achieved";
        } catch (MessagingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String line(MimeMessage message) throws Exception {
        return "mail     " + message.getRecipients(Message.RecipientType.TO)[0] + ": " + message.getSubject();
    }

    private static String line(JsonNode body) {
        String type = body.path("type").asString();
        var line = new StringBuilder("webhook  ").append(type);
        if (body.has("user")) {
            line.append(" ").append(body.at("/user/id").asString());
        }
        for (String path : List.of(
                "/timestamp",
                "/achievement/name",
                "/streak/length",
                "/length",
                "/consumed",
                "/earned",
                "/freezes",
                "/points/added",
                "/points/total",
                "/previousLevel/key",
                "/newLevel/key",
                "/boost/name",
                "/boost/status",
                "/leaderboard/key",
                "/leaderboard/runStart",
                "/leaderboard/runEnd",
                "/leaderboard/previousRank",
                "/leaderboard/rank",
                "/leaderboard/value",
                "/recap/periodStart",
                "/recap/periodEnd",
                "/reactivation/messageNumber",
                "/reactivation/daysSinceLastActive")) {
            JsonNode value = body.at(path);
            if (!value.isMissingNode()) {
                line.append(" ")
                        .append(path.substring(path.lastIndexOf('/') + 1))
                        .append("=")
                        .append(value.isString() ? value.asString() : value.toString());
            }
        }
        JsonNode rankings = body.at("/leaderboard/rankings");
        if (rankings.isArray()) {
            line.append(" rankings=[");
            rankings.forEach(place -> line.append(place.path("rank").asInt())
                    .append(".")
                    .append(place.path("userId").asString())
                    .append(":")
                    .append(place.path("value"))
                    .append(" "));
            line.append("]");
        }
        return line.toString();
    }

    private void compare(String written) throws IOException {
        if (APPROVE) {
            Files.writeString(Path.of("src/test/resources", GOLDEN), written);
        }
        try (var golden = getClass().getClassLoader().getResourceAsStream(GOLDEN)) {
            String read = golden == null ? "" : new String(golden.readAllBytes(), StandardCharsets.UTF_8);
            expectLines(
                    (APPROVE ? written : read).lines().toList(), written.lines().toList());
        }
    }

    /** Shows the first difference with its surroundings, because the whole week is too long for a message. */
    private static void expectLines(List<String> expected, List<String> written) {
        int same = 0;
        while (same < expected.size()
                && same < written.size()
                && expected.get(same).equals(written.get(same))) {
            same++;
        }
        int from = Math.max(0, same - AROUND);
        int line = same + 1;
        assertEquals(
                around(expected, from),
                around(written, from),
                () -> "From line " + line + " of " + GOLDEN
                        + " on it is another week. If that is meant, run this test with -Dlaurel.approve=true and"
                        + " commit it");
    }

    private static String around(List<String> lines, int from) {
        int to = Math.min(lines.size(), from + 3 * AROUND);
        return String.join("\n", lines.subList(Math.min(from, to), to));
    }

    private String ruleset() {
        return """
            {"metrics":{"laps":{"name":"Laps"}},"settings":{"trackOpens":true,"trackClicks":true},
             "streak":{"frequency":"daily","freezesEnabled":true,"initialFreezes":1,"maxFreezes":2},
             "achievements":{
               "ten-laps":{"name":"Ten laps","trigger":"metric","metric":"laps","value":10},
               "three-days":{"name":"Three days","trigger":"streak","streakLength":3}},
             "points":{"gems":{"triggers":{"lap":{"type":"metric","metric":"laps","threshold":1,"points":1}},
               "levels":{"minnow":{"name":"Minnow","points":5},"otter":{"name":"Otter","points":20}},
               "boosts":{"midweek":{"name":"Midweek","start":"2027-03-10","end":"2027-03-11","multiplier":2}}}},
             "leaderboards":{"lane":{"name":"Lane","status":"active","rankBy":"metric","metric":"laps",
               "start":"2027-03-01","runUnit":"day","runInterval":7}},
             "webhooks":{"all":{"url":"%s","events":[%s]}},
             "notifications":{"channels":{"email":{"from":"club@example.net","fromName":"The club"}},
               "templates":{
                 "achieved":{"type":"achievement_completed","channel":"email","status":"active",
                   "subject":"{{achievement.name}}","body":"Well done, {{user.id}} https://club.example/"},
                 "recap":{"type":"recap","channel":"email","status":"active",
                   "subject":"Your week {{recap.periodStart}} to {{recap.periodEnd}}","body":"Hello https://club.example/"},
                 "back":{"type":"reactivation","channel":"email","status":"active",
                   "subject":"We miss you ({{reactivation.messageNumber}})","body":"Hello https://club.example/"},
                 "remind":{"type":"streak_reminder","channel":"email","status":"active",
                   "subject":"Keep your streak of {{streak.length}}","body":"Hello https://club.example/"}}}}\
            """.formatted(inbox.url(), ALL_EVENTS);
    }

    private static final String ALL_EVENTS = "\""
            + String.join(
                    "\",\"",
                    List.of(
                            "achievement.completed",
                            "streak.started",
                            "streak.extended",
                            "streak.lost",
                            "streak.freeze_consumed",
                            "streak.freeze_earned",
                            "points.changed",
                            "points.level_changed",
                            "points.boost_started",
                            "points.boost_finished",
                            "leaderboard.started",
                            "leaderboard.changed",
                            "leaderboard.rank_changed",
                            "leaderboard.finished",
                            "emails.achievement_due",
                            "emails.recap_due",
                            "emails.reactivation_due",
                            "emails.streak_reminder_due"))
            + "\"";
}
