package dev.laurel.bench;

import java.util.SplittableRandom;

/**
 * Assigns events to users uniformly and repeatably: an event number belongs to the same user in every run and for
 * every subject.
 */
record UniformUsers(int count) {

    public UniformUsers {
        if (count < 1) {
            throw new IllegalArgumentException("A benchmark needs at least one user");
        }
    }

    /** Returns a number from 0 to {@code count - 1}; consecutive events belong to unrelated users. */
    public long userOf(long event) {
        return Long.remainderUnsigned(new SplittableRandom(event).nextLong(), count);
    }

    /** Returns the id of the user of an event. */
    String nameOf(long event) {
        return name(userOf(event));
    }

    /** Returns the id of a user by number. */
    static String name(long user) {
        return "user-" + user;
    }

    /**
     * Assigns events to users who are active for a while: {@code atOnce} users are active, each reports some events
     * among those of the others, then other users become active. All users are active once before any is active
     * again. An event number belongs to the same user in every run.
     *
     * @param count number of users, at least {@code atOnce}
     * @param eventsPerVisit events of a user before the next one becomes active
     */
    record Visiting(int count, int atOnce, int eventsPerVisit) {

        /**
         * A prime (Knuth's for multiplicative hashing), so that consecutive users are unrelated and caches do not
         * help.
         */
        private static final long STRIDE = 2_654_435_761L;

        Visiting {
            if (atOnce < 1 || count < atOnce || eventsPerVisit < 1) {
                throw new IllegalArgumentException("There are " + count + " users, " + atOnce + " at once, "
                        + eventsPerVisit + " events per visit");
            }
        }

        /** Returns a number from 0 to {@code count - 1}. */
        int userOf(long event) {
            long eventsPerCrowd = (long) atOnce * eventsPerVisit;
            long visit = event / eventsPerCrowd * atOnce + event % atOnce;
            return (int) (visit % count * STRIDE % count);
        }
    }
}
