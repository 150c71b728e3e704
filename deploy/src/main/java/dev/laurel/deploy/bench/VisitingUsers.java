package dev.laurel.deploy.bench;

/**
 * Users who come for a while and go: so many are there at once, each reports some events among those of the others, then
 * others come. Everybody comes once before anyone comes again. The same event number is the same user in every run.
 *
 * @param count all users; at least those who are there at once
 * @param eventsPerVisit events of one user before the next comes
 */
record VisitingUsers(int count, int atOnce, int eventsPerVisit) {

    /** A prime (Knuth's for multiplicative hashing): who comes next is no neighbour, of no use to any cache. */
    private static final long STRIDE = 2_654_435_761L;

    VisitingUsers {
        if (atOnce < 1 || count < atOnce || eventsPerVisit < 1) {
            throw new IllegalArgumentException("There are " + count + " users, " + atOnce + " at once, "
                    + eventsPerVisit + " events per visit");
        }
    }

    /** From 0 to {@code count - 1}. */
    int userOf(long event) {
        long eventsPerCrowd = (long) atOnce * eventsPerVisit;
        long visit = event / eventsPerCrowd * atOnce + event % atOnce;
        return (int) (visit % count * STRIDE % count);
    }
}
