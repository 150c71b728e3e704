package dev.laurel.schemas.admin;

import dev.laurel.schemas.ruleset.Ruleset;

/**
 * What an {@link Edit} comes to.
 *
 * @param ruleset the next version, to be published; null if nothing changes
 * @param status of the answer
 * @param body of the answer, to be written as JSON
 */
public record EditResult(Ruleset ruleset, int status, Object body) {

    static EditResult answer(int status, Object body) {
        return new EditResult(null, status, body);
    }
}
