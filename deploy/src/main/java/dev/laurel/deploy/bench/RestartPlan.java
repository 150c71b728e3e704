package dev.laurel.deploy.bench;

/**
 * An instance that is stopped and killed with so many users.
 *
 * @param rounds of each, the last figures count as they come: medians
 */
record RestartPlan(int partitions, int users, int rounds) {
    private static final int PARTITIONS = 4;
    private static final int USERS = 1_000_000;
    private static final int USERS_QUICK = 20_000;
    private static final int USERS_MIN = 100;
    private static final int USERS_MAX = 100_000_000;

    RestartPlan {
        if (users < USERS_MIN || users > USERS_MAX) {
            throw new IllegalArgumentException(
                    "a restart is measured with " + USERS_MIN + " to " + USERS_MAX + " users, not " + users);
        }
    }

    /** @param users {@code null}: as many as a figure needs, or a look */
    static RestartPlan of(Integer users, boolean isQuick) {
        int given = users != null ? users : isQuick ? USERS_QUICK : USERS;
        return new RestartPlan(PARTITIONS, given, isQuick ? 1 : 3);
    }
}
