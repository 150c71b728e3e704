package dev.laurel.query.partition;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The part of a read that needs partitions which may be on other nodes, as data: run on this node, or sent to another one as
 * JSON. These records are everything that nodes ask each other. Their simple names and their fields are a wire format: while a
 * deployment is rolled, nodes of two versions understand each other. A query is therefore never changed; a new one is added.
 *
 * @param <R> the result, a record that is written as JSON
 */
public sealed interface PartitionQuery<R extends Record> permits UserQuery, LeaderboardQuery, DeliveryQuery {

    /** The records of all queries by their names on the wire. */
    Map<String, Class<?>> BY_NAME = records(PartitionQuery.class)
            .collect(Collectors.toUnmodifiableMap(Class::getSimpleName, Function.identity()));

    private static Stream<Class<?>> records(Class<?> query) {
        return query.isRecord()
                ? Stream.of(query)
                : Arrays.stream(query.getPermittedSubclasses())
                        .flatMap(PartitionQuery::records);
    }

    Class<R> resultType();

    /** The name on the wire. */
    default String name() {
        return getClass().getSimpleName();
    }
}
