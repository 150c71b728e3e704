package dev.laurel.processors.core.statistics;

import java.util.Map;

/** The memory for groups of users with equal attributes, of all tenants of a partition, roughly in characters. One thread. */
public final class GroupMemory {

    /** Enough for some ten thousand groups with three attributes each. */
    private static final long SIZE = 8_000_000;

    private static final long GROUP_SIZE = 300;
    private static final long ATTRIBUTE_SIZE = 160;

    private long left;

    public GroupMemory() {
        this(SIZE);
    }

    GroupMemory(long size) {
        this.left = size;
    }

    boolean reserve(long size) {
        if (size > left) {
            return false;
        }
        left -= size;
        return true;
    }

    void release(long size) {
        left += size;
    }

    static long sizeOf(Map<String, String> attributes) {
        long size = GROUP_SIZE;
        for (var attribute : attributes.entrySet()) {
            size += ATTRIBUTE_SIZE + attribute.getKey().length() + attribute.getValue().length();
        }
        return size;
    }
}
