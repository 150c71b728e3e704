package dev.laurel.processors.delivery.webhook;

/**
 * How much a task has in the air. Each task has its share of what the instance may have, so that one with a long queue cannot
 * keep another one from a webhook.
 */
record HookLimits(int all, int perEndpoint) {

    private static final int ALL = 1024;
    private static final int PER_ENDPOINT = 32;
    private static final int LEAST = 32;

    static HookLimits of(int partitions) {
        return new HookLimits(Math.max(LEAST, ALL / partitions), Math.max(1, PER_ENDPOINT / partitions));
    }

    /**
     * How many flights one webhook may have now: the fewer are left, the fewer each may take, so that many slow ones never
     * take the last from those that are not.
     */
    int ofOne(int inAir) {
        return Math.min(perEndpoint, Math.max(1, (all - inAir) / 4));
    }
}
