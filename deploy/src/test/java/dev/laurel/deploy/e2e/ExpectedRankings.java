package dev.laurel.deploy.e2e;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import tools.jackson.databind.JsonNode;

/** Expected leaderboards, computed from the events in the log alone: the total and city of each user. */
final class ExpectedRankings {

    /** @param changedMs the newest time of an event that changed the total; @param city null if none is known */
    record Swimmer(String user, BigDecimal total, long changedMs, String city) {}

    private static final Comparator<Swimmer> ORDER = Comparator.comparing(Swimmer::total)
            .reversed()
            .thenComparingLong(Swimmer::changedMs)
            .thenComparing(Swimmer::user);

    private final Map<String, Swimmer> swimmers = new HashMap<>();
    private final Set<String> keys = new HashSet<>();
    private int events;

    static ExpectedRankings of(String bootstrapServers) {
        var truth = new ExpectedRankings();
        for (ConsumerRecord<byte[], byte[]> record :
                new TopicReader(bootstrapServers).readAll(DirectProducer.COMMANDS)) {
            JsonNode command = JsonResponse.parse(new String(record.value(), StandardCharsets.UTF_8));
            if (command.get("type").stringValue().equals("event")) {
                truth.add(command, record.timestamp());
            }
        }
        return truth;
    }

    private void add(JsonNode event, long atMs) {
        String user = event.at("/user/id").stringValue();
        JsonNode key = event.get("idempotencyKey");
        if (key != null && !keys.add(user + " " + key.stringValue())) {
            return; // repeated, because the first response was lost
        }
        events++;
        Swimmer before = swimmers.getOrDefault(user, new Swimmer(user, BigDecimal.ZERO, Long.MIN_VALUE, null));
        BigDecimal value = event.get("value").decimalValue();
        JsonNode city = event.at("/user/attributes/city");
        swimmers.put(
                user,
                new Swimmer(
                        user,
                        before.total().add(value),
                        value.signum() == 0 ? before.changedMs() : Math.max(before.changedMs(), atMs),
                        city.isMissingNode() ? before.city() : city.isNull() ? null : city.stringValue()));
    }

    int events() {
        return events;
    }

    BigDecimal total(String user) {
        return swimmers.get(user).total();
    }

    /** @param city null: all users. @return the best, each as in {@link #line} */
    List<String> ranked(String city, int limit) {
        List<Swimmer> best = swimmers.values().stream()
                .filter(swimmer -> swimmer.total().signum() > 0 && (city == null || city.equals(swimmer.city())))
                .sorted(ORDER)
                .limit(limit)
                .toList();
        return IntStream.range(0, best.size())
                .mapToObj(i -> line(i + 1, best.get(i).user(), best.get(i).total()))
                .toList();
    }

    static String line(int rank, String user, BigDecimal value) {
        return rank + " " + user + " " + value.stripTrailingZeros().toPlainString();
    }
}
