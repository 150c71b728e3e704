package dev.laurel.query.partition;

import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The part of a read that needs partitions, which may be on other nodes. It runs on this node or is sent to another one as JSON.
 * Nodes send each other nothing else. The simple names and the fields of these records are a wire format, because nodes of two
 * versions work together during a rolling upgrade. A query therefore never changes; a new one is added.
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
                : Arrays.stream(query.getPermittedSubclasses()).flatMap(PartitionQuery::records);
    }

    /** The type argument of the interface that the record implements. */
    @SuppressWarnings("unchecked") // every query is a record that implements PartitionQuery<R> or an extension of it directly
    default Class<R> resultType() {
        return (Class<R>) ((ParameterizedType) getClass().getGenericInterfaces()[0]).getActualTypeArguments()[0];
    }

    /** The name on the wire. */
    default String name() {
        return getClass().getSimpleName();
    }
}
