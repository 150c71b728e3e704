package dev.laurel.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Utils;

/**
 * Measures users with increasingly long pasts in one instance, with a constant number of active users. Rounds
 * alternate between pasts, and between present events and late ones, which are spread over the time of the longest
 * past.
 */
final class PastGrowth {
    static final String NOW = "now";
    static final String LATE = "late";

    private final GrowthBench bench;
    private final int partitions;
    private final AtomicLong nextEvent = new AtomicLong();

    /** Time at which all pasts end. */
    private final long endMs = System.currentTimeMillis();

    /** @param partitions partitions of the subject's topic, over which even few users are spread evenly */
    PastGrowth(GrowthBench bench, int partitions) {
        this.bench = bench;
        this.partitions = partitions;
    }

    private final class Population {
        private final int past;
        private final List<String> users;
        private final UniformUsers.Visiting visiting;
        private long visited;

        Population(int past) {
            this.past = past;
            users = spread("past-" + past + "-", bench.plan.usersWithPast(past));
            visiting = new UniformUsers.Visiting(users.size(), bench.plan.pastUsersAtOnce(),
                    bench.plan.eventsPerVisit());
        }

        long pastEvents() {
            return Math.multiplyExact((long) users.size(), past);
        }

        private long spacingMs() {
            return bench.plan.pastSpacing().toMillis();
        }

        /** Returns the oldest event of every user first, as in a log. */
        ProducerRecord<byte[], byte[]> pastEvent(int number) {
            long atMs = endMs - (past - number / users.size()) * spacingMs();
            return bench.subject.event(nextEvent.getAndIncrement(), users.get(number % users.size()), atMs);
        }

        ProducerRecord<byte[], byte[]> event() {
            return event(nextEvent.getAndIncrement(), System.currentTimeMillis());
        }

        ProducerRecord<byte[], byte[]> lateEvent() {
            // Equally late for users with a short past, so that only the length of the past differs.
            long event = nextEvent.getAndIncrement();
            long longest = bench.plan.pasts().getLast();
            return event(event, endMs - 1 - BenchTraffic.below(longest * spacingMs(), event, past));
        }

        private ProducerRecord<byte[], byte[]> event(long event, long atMs) {
            return bench.subject.event(event, users.get(visiting.userOf(visited++)), atMs);
        }
    }

    GrowthBench.Report run() {
        var populations = new ArrayList<Population>();
        for (int past : bench.plan.pasts()) {
            var population = new Population(past);
            if (bench.isTimeFor(population.pastEvents())) {
                bench.prepare(population.users.size() + " users with " + past + " past events",
                        Math.toIntExact(population.pastEvents()), population::pastEvent);
                populations.add(population);
            } else {
                bench.leaveOut(past);
            }
        }
        populations.forEach(population -> bench
                .warmUp(number -> number % 2 == 0 ? population.event() : population.lateEvent()));
        for (int round = 0; round < bench.plan.rounds() && (round == 0 || !bench.isTimeUp()); round++) {
            for (Population population : round % 2 == 0 ? populations : populations.reversed()) {
                bench.round(population.past, NOW, _ -> population.event());
                bench.round(population.past, LATE, _ -> population.lateEvent());
            }
        }
        return bench.report(bench.plan.pastUsersAtOnce());
    }

    /** Returns user ids that are assigned to the partitions in turn. */
    private List<String> spread(String prefix, int count) {
        var ids = new ArrayList<String>(count);
        var waiting = new ArrayList<List<String>>();
        for (int partition = 0; partition < partitions; partition++) {
            waiting.add(new ArrayList<>());
        }
        for (int number = 0; ids.size() < count; number++) {
            String id = prefix + number;
            byte[] key = bench.subject.event(0, id, endMs).key();
            waiting.get(Utils.toPositive(Utils.murmur2(key)) % partitions).add(id);
            if (waiting.stream().noneMatch(List::isEmpty)) {
                waiting.forEach(ready -> ids.add(ready.removeFirst()));
            }
        }
        return List.copyOf(ids.subList(0, count));
    }
}
