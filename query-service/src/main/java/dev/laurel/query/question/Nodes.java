package dev.laurel.query.question;

import dev.laurel.query.question.Question.OfBoard;
import dev.laurel.query.question.Question.OfUsers;

/** Answers questions, wherever the partitions are that they are about. Blocks as long as a read does; thread-safe. */
public interface Nodes {

    /** @throws dev.laurel.query.read.NotReadyException if what was asked cannot be read anywhere now */
    <A extends Record> A ask(OfUsers<A> question);

    /** @throws dev.laurel.query.read.NotReadyException if what was asked cannot be read anywhere now */
    <A extends Record> A ask(OfBoard<A> question);
}
