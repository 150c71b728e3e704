package dev.laurel.query.partition;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The part of a read that needs partitions, which may be on other nodes. It runs on this node or is sent to another one as JSON.
 * Nodes send each other nothing else. The simple names and the fields of these records are a wire format, because nodes of two
 * versions work together during a rolling upgrade. A query therefore never changes; a new one is added.
 *
 * @param <R> the result, a record that is written as JSON
 */
public interface PartitionQuery<R extends Record> {

    /** Merges the results of different partitions into one. Only a query that always has one partition does not override it. */
    default R merge(List<R> parts) {
        if (parts.size() > 1) {
            throw new IllegalStateException(name() + " is a query of one partition");
        }
        return parts.getFirst();
    }

    /** Whether it reads every user of a partition, or every group of a leaderboard, so that it may take longer than other queries. */
    default boolean readsAll() {
        return false;
    }

    /** The name on the wire. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** A list as a result. */
    record Values<T>(List<T> values) {

        static <T> Values<T> of(Stream<T> values) {
            return new Values<>(values.toList());
        }

        /** All values of several lists. */
        static <T> Stream<T> in(List<Values<T>> lists) {
            return lists.stream().flatMap(list -> list.values.stream());
        }

        /** The first values of several lists. */
        static <T> Values<T> first(List<Values<T>> lists, Comparator<? super T> order, int limit) {
            return of(in(lists).sorted(order).limit(limit));
        }
    }
}
