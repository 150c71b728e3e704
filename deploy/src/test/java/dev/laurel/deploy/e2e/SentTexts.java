package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.openapi.RawConnection;
import dev.laurel.deploy.openapi.ResponseCheck;
import dev.laurel.processors.intake.DirectIntake;
import dev.laurel.processors.runtime.LedgerConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.RecordMetadata;
import tools.jackson.databind.JsonNode;

/**
 * Users with random texts as ids, names, values of attributes and keys, and all ways by which they get into an instance: the
 * headers, paths and bodies of HTTP, batches, imports and Kafka. Notes what is not answered as it should be.
 */
final class SentTexts {

    static final int METRICS = 10;
    static final int SHOWN_OF_A_WAY = 4;
    private static final int GROUPS = 10;
    private static final int CONNECTIONS = 16;
    private static final int BATCH = 200;
    private static final ResponseCheck CHECK = new ResponseCheck();

    /** How the texts of a user get in. The users of each, and the second event with the same key comes by the next one. */
    enum Way {
        HEADER,
        BATCH,
        IMPORT,
        KAFKA,
        USERS;

        Way next() {
            return values()[(ordinal() + 1) % USERS.ordinal()];
        }
    }

    /** A user with texts. @param twin a key that is easily taken for {@code key} */
    record Swimmer(
            int number,
            Way way,
            String id,
            String name,
            String note,
            String city,
            String plan,
            String key,
            String twin) {

        boolean isAccepted() {
            return isId(id) && isText(name, 255) && isText(note, 4000) && (way == Way.USERS || isKey(key));
        }

        boolean hasEvents() {
            return way != Way.USERS && isAccepted();
        }

        int value() {
            return number + 1;
        }

        String metric() {
            return "m" + number % METRICS;
        }

        Map<String, String> attributes() {
            var attributes = new TreeMap<String, String>(Map.of("note", note));
            if (city != null) {
                attributes.put("city", city);
            }
            if (plan != null) {
                attributes.put("plan", plan);
            }
            return attributes;
        }
    }

    /** What did not come out as it went in, some of each way. */
    static final class Faults {

        private static final Pattern NOT_FOR_TERMINALS =
                Pattern.compile("[\\p{Cntrl}&&[^\n]]|[\u0080-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]");

        private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
        private final ConcurrentLinkedQueue<String> shown = new ConcurrentLinkedQueue<>();

        private final long seed;

        Faults(long seed) {
            this.seed = seed;
        }

        void add(String way, String text, String problem) {
            if (counts.computeIfAbsent(way, _ -> new AtomicInteger()).incrementAndGet() <= SHOWN_OF_A_WAY) {
                shown.add(way + ": " + RandomTexts.shown(text) + ": "
                        + (problem.length() > 600 ? problem.substring(0, 600) + "…" : problem)
                                .replaceAll("[^ -~\n]", "·"));
            }
        }

        void expectSame(String way, String text, String found) {
            if (!text.equals(found)) {
                add(way, text, "came out as " + (found == null ? "null" : RandomTexts.shown(found)));
            }
        }

        /** Nothing that a terminal obeys, and nothing that turns the direction of what follows. */
        void expectVisible(String way, String text) {
            NOT_FOR_TERMINALS
                    .matcher(text)
                    .results()
                    .limit(SHOWN_OF_A_WAY)
                    .forEach(bad -> add(
                            way,
                            bad.group(),
                            RandomTexts.shown(text.substring(
                                    Math.max(0, bad.start() - 30), Math.min(text.length(), bad.end() + 30)))));
        }

        void expectNone() {
            assertEquals(
                    "",
                    String.join("\n", shown.stream().sorted().toList()),
                    () -> counts + "; repeat with -Dlaurel.texts.seed=" + seed);
        }
    }

    /** What was not answered as it should be. */
    final Faults faults;

    private final RandomTexts random;
    final List<Swimmer> swimmers;
    private final LaurelInstance laurel;
    private final Path scratch;

    SentTexts(long seed, int count, LaurelInstance laurel, Path scratch) {
        this.faults = new Faults(seed);
        this.random = new RandomTexts(seed);
        this.swimmers = swimmers(random.distinct(count));
        this.laurel = laurel;
        this.scratch = scratch;
    }

    List<Swimmer> some(Predicate<Swimmer> which) {
        return swimmers.stream().filter(which).toList();
    }

    /** Each text has each role once. */
    private List<Swimmer> swimmers(List<String> texts) {
        int count = texts.size();
        var made = new ArrayList<Swimmer>();
        for (int number = 0; number < count; number++) {
            String key = texts.get((number + 3 * count / 4) % count);
            made.add(new Swimmer(
                    number,
                    Way.values()[random.number(Way.values().length)],
                    texts.get(number),
                    texts.get((number + count / 4) % count),
                    texts.get((number + count / 2) % count),
                    number % GROUPS == 2 ? valid(texts, number + count / 3) : null,
                    number % (count / 50) == 7 ? plan(texts, number) : null,
                    key,
                    random.like(key)));
        }
        return made;
    }

    /** Some have the names that reports give to groups of other users. */
    private static String plan(List<String> texts, int number) {
        List<String> groups = List.of("(other)", "\\(other)", "(none)", "\\(none)", "null");
        int group = number / (texts.size() / 50) % 10;
        return group < groups.size() ? groups.get(group) : valid(texts, number + texts.size() / 5);
    }

    /** A text that an attribute may have. */
    private static String valid(List<String> texts, int from) {
        return IntStream.range(from, from + texts.size())
                .mapToObj(i -> texts.get(i % texts.size()))
                .filter(text -> isText(text, 255) && text.indexOf('\0') < 0)
                .findFirst()
                .orElseThrow();
    }

    /** docs/application-api.md §2. */
    static boolean isId(String text) {
        return isText(text, 255) && text.indexOf('\0') < 0 && !text.equals(".") && !text.equals("..");
    }

    static boolean isKey(String text) {
        return isText(text, 255);
    }

    static boolean isText(String text, int max) {
        return text.length() <= max && RandomTexts.isWellFormed(text);
    }

    /** @param isAgain whether the events must not count, because they have the keys of earlier ones */
    void send(Way way, List<Swimmer> some, boolean isAgain) throws Exception {
        switch (way) {
            case HEADER -> sendOneByOne(some, isAgain);
            case BATCH -> sendBatches(some, isAgain);
            case IMPORT -> importFile(some, isAgain);
            case KAFKA -> produce(some, isAgain);
            case USERS -> inParallel(some, this::writeUser);
        }
    }

    private void sendOneByOne(List<Swimmer> some, boolean isAgain) throws Exception {
        inParallel(some, (connection, one) -> {
            List<String> headers = headersOf("Idempotency-Key", one.key);
            String header = headers.get(one.number % headers.size());
            ResponseCheck.Answer answer =
                    send(connection, "POST", "/v1/metrics/" + one.metric() + "/event", event(one, isAgain), header);
            if (!isAgain) {
                judge("a single event", one, answer, 201);
            } else if (answer.status() != 202
                    || !json(answer).path("idempotentReplayed").asBoolean(false)) {
                fault("a key in a header again", one.key, answer);
            }
            if (answer.status() < 300) {
                faults.expectSame(
                        "a key in a header",
                        one.key,
                        json(answer).path("idempotencyKey").asString(null));
            }
        });
    }

    private void sendBatches(List<Swimmer> some, boolean isAgain) throws Exception {
        List<Swimmer> good = some.stream().filter(Swimmer::isAccepted).toList();
        var parts = new ArrayList<List<Swimmer>>();
        for (int from = 0; from < good.size(); from += BATCH) {
            parts.add(good.subList(from, Math.min(from + BATCH, good.size())));
        }
        some.stream().filter(one -> !one.isAccepted()).map(List::of).forEach(parts::add);
        inParallel(parts, (connection, part) -> {
            boolean isGood = part.getFirst().isAccepted();
            String body = part.stream().map(one -> batched(one, isAgain)).collect(Collectors.joining(","));
            ResponseCheck.Answer answer = send(
                    connection,
                    "POST",
                    "/admin/v1/metrics/events",
                    "[" + (isGood ? "" : batchedBeside(part.getFirst()) + ",") + body + "]");
            if (isGood) {
                if (answer.status() != 202) {
                    fault("a batch", part.getFirst().id, answer);
                }
            } else {
                judge("a batch", part.getFirst(), answer, 202);
            }
        });
    }

    private String batched(Swimmer one, boolean isAgain) {
        return "{\"key\":\"" + one.metric() + "\",\"idempotencyKey\":" + RandomTexts.json(one.key) + ","
                + event(one, isAgain).substring(1);
    }

    /** An event that must not be stored, since another one of its batch is refused. */
    private static String batchedBeside(Swimmer one) {
        return "{\"key\":\"m0\",\"user\":{\"id\":\"beside-" + one.number + "\"},\"value\":1}";
    }

    private void importFile(List<Swimmer> some, boolean isAgain) throws Exception {
        Path file = scratch.resolve(isAgain ? "again.ndjson" : "first.ndjson");
        Path rejects = scratch.resolve("rejects.ndjson");
        String time = Instant.now().minusSeconds(60).toString();
        var spaces = List.of("", " ", "\t", "\r", " \r\t");
        Files.writeString(
                file,
                some.stream()
                        .map(one -> "{" + spaces.get(one.number % spaces.size()) + "\"time\":\"" + time
                                + "\"" + spaces.get(one.number % spaces.size()) + ","
                                + command(one, isAgain).substring(1)
                                + "\n")
                        .collect(Collectors.joining()));
        CommandRun run = isAgain
                ? CommandRun.of("import", file.toString(), "--url", laurel.url(), "--key", laurel.adminKey())
                : CommandRun.of(
                        "import",
                        file.toString(),
                        "--kafka",
                        laurel.bootstrapServers(),
                        "--rejects",
                        rejects.toString());
        Set<Integer> expected = IntStream.range(0, some.size())
                .filter(i -> !some.get(i).isAccepted())
                .mapToObj(i -> i + 1)
                .collect(Collectors.toSet());
        if (run.exitCode() != (expected.isEmpty() ? 0 : 1)
                || !run.out().startsWith("imported %,d commands".formatted(some.size() - expected.size()))) {
            faults.add("an import", file.toString(), run.toString());
        }
        faults.expectVisible("messages of an import", run.out() + run.err());
        if (!isAgain) {
            for (String line : Files.readAllLines(rejects)) {
                JsonNode rejected = JsonResponse.parse(line);
                Swimmer one = some.get(rejected.get("line").asInt() - 1);
                if (!expected.remove(rejected.get("line").asInt())
                        || rejected.get("reason").asString().isBlank()) {
                    faults.add("an import", one.id, line);
                }
            }
            expected.forEach(line -> faults.add("an import", some.get(line - 1).id, "is not refused"));
        }
    }

    private void produce(List<Swimmer> some, boolean isAgain) throws Exception {
        var places = new HashMap<String, Swimmer>();
        try (var producer = new DirectProducer(laurel.bootstrapServers())) {
            List<Future<RecordMetadata>> sent = some.stream()
                    .map(one -> producer.produceAside(
                            one.id.replace("%", "%25").replace("/", "%2F"), Instant.now(), command(one, isAgain)))
                    .toList();
            producer.flush();
            for (int i = 0; i < some.size(); i++) {
                RecordMetadata place = sent.get(i).get();
                places.put(place.partition() + "@" + place.offset(), some.get(i));
            }
        }
        new LogCheck(laurel.bootstrapServers(), DirectProducer.DIRECT).awaitProcessed(DirectIntake.GROUP);
        Set<Swimmer> refused =
                places.values().stream().filter(one -> !one.isAccepted()).collect(Collectors.toSet());
        String after = "";
        while (after != null) {
            JsonResponse page = laurel.client()
                    .get("/admin/v1/rejections?limit=100" + after)
                    .expect(200);
            for (JsonNode rejected : page.json()) {
                Swimmer one = places.get(rejected.at("/source/partition").asString() + "@"
                        + rejected.at("/source/offset").asString());
                if (one != null
                        && (!refused.remove(one)
                                || rejected.get("reason").asString("").isBlank())) {
                    faults.add("a record in Kafka", one.id, rejected.toString());
                }
            }
            String next = page.header("X-Laurel-Next");
            after = next == null ? null : "&after=" + next;
        }
        refused.forEach(one -> faults.add("a record in Kafka", one.id, "is not refused"));
    }

    private void writeUser(RawConnection connection, Swimmer one) throws IOException {
        boolean hasPath = one.number % 2 == 0;
        judge(
                hasPath ? "an id in a path" : "an id in a body",
                one,
                hasPath
                        ? send(connection, "PUT", "/v1/users/" + encoded(one.id), user(one, false))
                        : send(connection, "POST", "/v1/users", user(one, true)),
                hasPath ? 200 : 201);
    }

    /** Events with keys that must not be taken for the others. */
    void sendTwins() throws Exception {
        List<Swimmer> some = swimmers.stream()
                .filter(Swimmer::hasEvents)
                .filter(one -> isKey(one.twin))
                .toList();
        List<List<Swimmer>> batches = IntStream.range(0, (some.size() + BATCH - 1) / BATCH)
                .mapToObj(i -> some.subList(i * BATCH, Math.min(some.size(), (i + 1) * BATCH)))
                .toList();
        inParallel(batches, (connection, batch) -> {
            String body = batch.stream()
                    .map(one -> "{\"key\":\"" + one.metric() + "\",\"idempotencyKey\":" + RandomTexts.json(one.twin)
                            + ",\"user\":{\"id\":" + RandomTexts.json(one.id) + "},\"value\":0.5}")
                    .collect(Collectors.joining(",", "[", "]"));
            ResponseCheck.Answer answer = send(connection, "POST", "/admin/v1/metrics/events", body);
            if (answer.status() != 202) {
                fault("keys in a batch", batch.getFirst().twin, answer);
            }
        });
    }

    private String event(Swimmer one, boolean isAgain) {
        return "{\"user\":" + (isAgain ? "{\"id\":" + RandomTexts.json(one.id) + "}" : user(one, true)) + ",\"value\":"
                + (isAgain ? 1_000_000 : one.value()) + ",\"attributes\":{\"pool\":" + RandomTexts.json(one.note)
                + "}}";
    }

    private String command(Swimmer one, boolean isAgain) {
        return "{\"type\":\"event\",\"metric\":\"" + one.metric() + "\",\"idempotencyKey\":" + RandomTexts.json(one.key)
                + ","
                + event(one, isAgain).substring(1);
    }

    private String user(Swimmer one, boolean hasId) {
        return "{" + (hasId ? "\"id\":" + RandomTexts.json(one.id) + "," : "") + "\"name\":"
                + RandomTexts.json(one.name) + ",\"email\":\"u"
                + one.number + "@example.net\",\"attributes\":{"
                + one.attributes().entrySet().stream()
                        .map(entry -> "\"" + entry.getKey() + "\":" + RandomTexts.json(entry.getValue()))
                        .collect(Collectors.joining(","))
                + "}}";
    }

    /** The headers that mean this text (docs/application-api.md §1): percent-encoded, and as UTF-8 and Latin-1 where that can be sent. */
    static List<String> headersOf(String name, String text) {
        var headers = new ArrayList<>(List.of(name + ": UTF-8''" + encoded(text)));
        boolean isHeader = text.chars().allMatch(c -> c == '\t' || c >= ' ' && c != 0x7F)
                && !text.matches("(?s)[ \t].*|.*[ \t]")
                && !text.matches("(?is)utf-8''.*")
                && RandomTexts.isWellFormed(text);
        if (isHeader) {
            headers.add(name + ": " + new String(text.getBytes(UTF_8), ISO_8859_1));
        }
        if (isHeader && text.chars().allMatch(c -> c <= 0xFF) && !isUtf8(text.getBytes(ISO_8859_1))) {
            headers.add(name + ": " + text);
        }
        return headers;
    }

    private static boolean isUtf8(byte[] bytes) {
        return Arrays.equals(bytes, new String(bytes, UTF_8).getBytes(UTF_8));
    }

    /** Percent-encoded; half a pair as no UTF-8. */
    static String encoded(String text) {
        return RandomTexts.isWellFormed(text)
                ? LaurelClient.encoded(text)
                : text.codePoints()
                        .mapToObj(point -> point >= 0xD800 && point <= 0xDFFF
                                ? "%ED%" + Integer.toHexString(0x80 | point >> 6 & 0x3F) + "%"
                                        + Integer.toHexString(0x80 | point & 0x3F)
                                : LaurelClient.encoded(Character.toString(point)))
                        .collect(Collectors.joining());
    }

    void awaitProcessed() {
        new LogCheck(laurel.bootstrapServers()).awaitProcessed(LedgerConfig.APPLICATION_ID);
    }

    interface Story<T> {
        void tell(RawConnection connection, T one) throws Exception;
    }

    <T> void inParallel(List<T> all, Story<T> story) throws Exception {
        var address = URI.create(laurel.url());
        var next = new AtomicInteger();
        Concurrently.run(IntStream.range(0, CONNECTIONS)
                .<Callable<Void>>mapToObj(_ -> () -> {
                    try (var connection =
                            new RawConnection(new InetSocketAddress(address.getHost(), address.getPort()))) {
                        for (int number = next.getAndIncrement();
                                number < all.size();
                                number = next.getAndIncrement()) {
                            story.tell(connection, all.get(number));
                        }
                    }
                    return null;
                })
                .toList());
    }

    ResponseCheck.Answer send(RawConnection connection, String method, String target, String body, String... headers)
            throws IOException {
        var all = new ArrayList<>(List.of(headers));
        all.add("X-API-KEY: " + laurel.adminKey());
        ResponseCheck.Answer answer = connection.send(
                new RawConnection.Request(method, target, all, body == null ? null : body.getBytes(UTF_8)));
        List<String> problems = CHECK.problemsOf(answer);
        if (!problems.isEmpty()) {
            faults.add("an answer", target, problems + " " + answer);
        }
        return answer;
    }

    static JsonNode json(ResponseCheck.Answer answer) {
        return JsonResponse.parse(new String(answer.body(), UTF_8));
    }

    private void judge(String way, Swimmer one, ResponseCheck.Answer answer, int accepted) {
        boolean isRight = one.isAccepted()
                ? answer.status() == accepted
                : answer.status() >= 400
                        && answer.status() < 500
                        && !json(answer).path("error").asString("").isBlank();
        if (!isRight) {
            String text = Stream.of(one.id, one.name, one.key)
                    .filter(part -> !isId(part))
                    .findFirst()
                    .orElse(one.id);
            fault(way, text, answer);
        }
    }

    private void fault(String way, String text, ResponseCheck.Answer answer) {
        faults.add(way, text, answer.toString());
    }
}
