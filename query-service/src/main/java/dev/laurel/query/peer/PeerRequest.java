package dev.laurel.query.peer;

import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.PeerCalls;
import dev.laurel.query.locate.Staleness;
import dev.laurel.query.partition.DeliveryQuery;
import dev.laurel.query.partition.LeaderboardQuery;
import dev.laurel.query.partition.PartitionQuery;
import dev.laurel.query.partition.UserIndexQuery;
import dev.laurel.query.partition.UserQuery;
import dev.laurel.query.partition.UserResourceQuery;
import dev.laurel.query.peer.PeerClient.PeerAwayException;
import dev.laurel.schemas.serde.Json;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A query for another process: the body of {@code POST /internal/ask}. The response body is the result record of the query.
 *
 * @param question the name of the query
 * @param of the query
 * @param partitions to run it on, which the peer must have; null: the peer forwards the query to their owners
 * @param maxLag the number of records that a copy may be behind; null: copies must not be read
 * @param logPartitions the number of partitions of the log that {@code partitions} refers to; a peer that serves another log
 *        cannot answer. Null if the query is not about the log, or about all of its partitions
 */
public record PeerRequest(
        String question,
        PartitionQuery<?> of,
        @Nullable List<Integer> partitions,
        @Nullable Long maxLag,
        @Nullable Integer logPartitions) {

    /** The path of the requests. */
    public static final String PATH = "/internal/ask";

    private static final JsonMapper MAPPER = Json.mapperForTools();
    private static final int OK = 200;

    /** The records of all queries by their names on the wire. */
    public static final Map<String, Class<?>> QUERIES = Stream.of(
                    UserQuery.class,
                    UserIndexQuery.class,
                    UserResourceQuery.class,
                    LeaderboardQuery.class,
                    DeliveryQuery.class)
            .flatMap(kind -> Arrays.stream(kind.getDeclaredClasses()))
            .filter(PartitionQuery.class::isAssignableFrom)
            .filter(Class::isRecord)
            .collect(Collectors.toUnmodifiableMap(Class::getSimpleName, Function.identity()));

    /** A request as it arrives. */
    private record Arrived(
            @Nullable String question,
            @Nullable JsonNode of,
            @Nullable List<Integer> partitions,
            @Nullable Long maxLag,
            @Nullable Integer logPartitions) {}

    PeerRequest(
            PartitionQuery<?> query,
            @Nullable List<Integer> partitions,
            @Nullable Long maxLag,
            @Nullable Integer logPartitions) {
        this(query.name(), query, partitions, maxLag, logPartitions);
    }

    /** Reads the body of a request. @throws HttpRefusal 422 if this version does not know it */
    public static PeerRequest read(byte[] body) {
        try {
            Arrived arrived = MAPPER.readValue(body, Arrived.class);
            String question = String.valueOf(arrived.question);
            Class<?> type = QUERIES.get(question);
            if (type == null || arrived.of == null) {
                throw new HttpRefusal(422, "question must be one of " + QUERIES.keySet() + ".");
            }
            return new PeerRequest(
                    question,
                    (PartitionQuery<?>) MAPPER.treeToValue(arrived.of, type),
                    arrived.partitions,
                    arrived.maxLag,
                    arrived.logPartitions);
        } catch (JacksonException e) {
            throw new HttpRefusal(
                    422, "The body is not a question as this version knows it: " + e.getOriginalMessage());
        }
    }

    /** Reads the result of a query. */
    public static <R extends Record> R readResult(PartitionQuery<R> query, byte[] json) {
        return MAPPER.readValue(
                json, MAPPER.constructType(query.getClass()).findTypeParameters(PartitionQuery.class)[0]);
    }

    /** Asks a peer. @param staleness records that the result is stale; null if the result must be up to date */
    static <R extends Record> R ask(
            PeerClient client,
            String peer,
            PartitionQuery<R> query,
            @Nullable List<Integer> partitions,
            @Nullable Integer logPartitions,
            @Nullable Staleness staleness,
            Duration timeout)
            throws PeerAwayException {
        var request = new PeerRequest(query, partitions, staleness == null ? null : staleness.maxLag(), logPartitions);
        HttpResponse<byte[]> response =
                client.call(peer, new PeerClient.Call(PATH, Map.of(), Json.write(request)), timeout);
        if (response.statusCode() != OK) {
            // A peer of another version does not know the query. It counts as away until it is upgraded.
            throw new PeerAwayException(peer + " answers " + response.statusCode() + " to " + request.question);
        }
        if (staleness != null) {
            response.headers().firstValueAsLong(PeerCalls.STALE).ifPresent(staleness::note);
        }
        return readResult(query, response.body());
    }
}
