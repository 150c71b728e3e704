package dev.laurel.query.question;

import dev.laurel.query.question.Question.OfDeliveries;

/** Answers questions about deliveries, wherever the partitions are that they are about. Blocks; thread-safe. */
public interface Deliveries {

    /** @throws dev.laurel.query.read.NotReadyException if what was asked cannot be read anywhere now */
    <A extends Record> A ask(OfDeliveries<A> question);
}
