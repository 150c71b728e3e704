package dev.laurel.query.peer;

import dev.laurel.query.question.Question;
import java.util.List;

/**
 * A question on the wire, the body of {@code POST /internal/ask}. The answer is the record that it asks for.
 *
 * @param question its name
 * @param of what is asked
 * @param partitions that the answer is to be of, all of them at the peer; null: the peer finds out who has them
 * @param maxLag how many records copies may be behind; null: there must be none
 * @param logPartitions how many partitions the log has by which {@code partitions} are numbered: a peer that shows another
 *        one cannot answer. Null where they are not of the log, or all
 */
public record Asked(String question, Question<?> of, List<Integer> partitions, Long maxLag, Integer logPartitions) {

    /** Where it is sent to. */
    public static final String PATH = "/internal/ask";

    static Asked of(Question<?> question, List<Integer> partitions, Long maxLag) {
        return of(question, partitions, maxLag, null);
    }

    static Asked of(Question<?> question, List<Integer> partitions, Long maxLag, Integer logPartitions) {
        return new Asked(question.name(), question, partitions, maxLag, logPartitions);
    }
}
