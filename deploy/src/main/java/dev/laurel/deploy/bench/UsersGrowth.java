package dev.laurel.deploy.bench;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * One instance that gets more and more users. At each number, everybody exists before anything is measured; then come
 * rounds with some users at once, and rounds in which each event is anybody's, which no cache can be ready for.
 */
final class UsersGrowth {
    static final String VISITS = "visits";
    static final String ANY_USER = "anyUser";

    /** Users are created in parts, so that the time can run out between them. */
    private static final int CREATED_AT_ONCE = 250_000;

    private final GrowthBench bench;
    private final AtomicLong nextEvent = new AtomicLong();
    private int created;

    UsersGrowth(GrowthBench bench) {
        this.bench = bench;
    }

    GrowthReport run() {
        for (int users : bench.plan.users()) {
            if (create(users)) {
                measure(users);
            } else {
                bench.leaveOut(users);
            }
        }
        return bench.report(bench.plan.usersAtOnce());
    }

    /** By one event each. @return false if there was no time for all of them */
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
        var visiting = new VisitingUsers(users, bench.plan.usersAtOnce(), bench.plan.eventsPerVisit());
        var anybody = new UniformUsers(users);
        bench.warmUp(_ -> visit(visiting));
        for (int round = 0; round < bench.plan.rounds() && (round == 0 || !bench.isTimeUp()); round++) {
            bench.round(users, VISITS, _ -> visit(visiting));
            bench.round(users, ANY_USER, _ -> {
                long event = nextEvent.getAndIncrement();
                return bench.subject.event(event, anybody.nameOf(event), System.currentTimeMillis());
            });
        }
    }

    private ProducerRecord<byte[], byte[]> visit(VisitingUsers visiting) {
        long event = nextEvent.getAndIncrement();
        return bench.subject.event(event, UniformUsers.name(visiting.userOf(event)), System.currentTimeMillis());
    }
}
