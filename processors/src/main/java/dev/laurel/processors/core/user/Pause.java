package dev.laurel.processors.core.user;

import java.util.UUID;

/**
 * Days on which a user's streak is protected. Days are epoch days, both inclusive.
 *
 * @param coversTo the last day it really protects: {@code end}, or less once it was deleted
 */
public record Pause(UUID id, int start, int end, int coversTo) {

    boolean covers(int firstDay, int lastDay) {
        return start <= lastDay && coversTo >= firstDay;
    }

    public boolean isDeleted() {
        return coversTo < end;
    }
}
