package dev.laurel.bench;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Measures one instance with increasing numbers of users. For each number, all users are created first; then rounds
 * with a few active users alternate with rounds of random users, for which caches do not help.
 */
final class UsersGrowth {
    static final String VISITS = "visits";
    static final String ANY_USER = "anyUser";

    /** Users are created in parts, so that the time limit can take effect in between. */
    private static final int CREATED_AT_ONCE = 250_000;

    private final GrowthBench bench;
    private final AtomicLong nextEvent = new AtomicLong();
    private int created;

    UsersGrowth(GrowthBench bench) {
        this.bench = bench;
    }

    GrowthBench.Report run() {
        for (int users : bench.plan.users()) {
            if (create(users)) {
                measure(users);
            } else {
                bench.leaveOut(users);
            }
        }
        return bench.report(bench.plan.usersAtOnce());
    }

    /**
     * Creates users by one event each.
     *
     * @return false if the time did not suffice
     */
    private boolean create(int users) {
        while (created < users) {
            if (!bench.isTimeFor(users - created)) {
                return false;
            }
            int first = created;
            int more = Math.min(CREATED_AT_ONCE, users - created);
            bench.prepare("users " + (first + 1) + " to " + (first + more), more,
                    number -> bench.subject.event(nextEvent.getAndIncrement(), UniformUsers.name(first + number),
                            System.currentTimeMillis()));
            created += more;
        }
        return !bench.isTimeUp();
    }

    private void measure(int users) {
        var visiting = new UniformUsers.Visiting(users, bench.plan.usersAtOnce(), bench.plan.eventsPerVisit());
        var allUsers = new UniformUsers(users);
        bench.warmUp(_ -> visit(visiting));
        for (int round = 0; round < bench.plan.rounds() && (round == 0 || !bench.isTimeUp()); round++) {
            bench.round(users, VISITS, _ -> visit(visiting));
            bench.round(users, ANY_USER, _ -> {
                long event = nextEvent.getAndIncrement();
                return bench.subject.event(event, allUsers.nameOf(event), System.currentTimeMillis());
            });
        }
    }

    private ProducerRecord<byte[], byte[]> visit(UniformUsers.Visiting visiting) {
        long event = nextEvent.getAndIncrement();
        return bench.subject.event(event, UniformUsers.name(visiting.userOf(event)), System.currentTimeMillis());
    }
}
