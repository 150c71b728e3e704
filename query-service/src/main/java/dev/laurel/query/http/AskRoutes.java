package dev.laurel.query.http;

import dev.laurel.processors.stream.LogLayout;
import dev.laurel.query.locate.DeliveryPartitions;
import dev.laurel.query.locate.Staleness;
import dev.laurel.query.peer.Asked;
import dev.laurel.query.question.Here;
import dev.laurel.query.question.Nodes;
import dev.laurel.query.question.Question;
import dev.laurel.query.read.NotReadyException;
import dev.laurel.schemas.http.BodyLimits;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.PeerCalls;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.serde.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code POST /internal/ask}: what other processes ask this node, see {@link Asked}. For peers only. A question about
 * partitions is answered from here or not at all, so nothing is ever handed on twice.
 */
public final class AskRoutes implements Routes {

    private static final JsonMapper MAPPER = Json.mapperForTools();

    private final Answering answering;

    /** What a process has to say. */
    private interface Answering {

        /** @return null if it is not asked such things */
        Record answer(Asked asked);
    }

    private AskRoutes(Answering answering) {
        this.answering = answering;
    }

    /** @param nodes all of them, asked for what may be anywhere */
    public static AskRoutes ofNode(Here here, Nodes nodes) {
        return new AskRoutes(asked -> switch (asked.of()) {
            case Question.OfUsers<?> users -> asked.partitions() == null
                    ? nodes.ask(users)
                    : answer(here, users, asked);
            case Question.OfBoard<?> board -> asked.partitions() == null ? nodes.ask(board) : here.ask(board);
            case Question.OfDeliveries<?> _ -> null;
        });
    }

    /** @param here what this process delivers */
    public static AskRoutes ofDelivery(DeliveryPartitions here) {
        return new AskRoutes(asked -> switch (asked.of()) {
            case Question.OfUsers<?> _,Question.OfBoard<?> _ -> null;
            case Question.OfDeliveries<?> deliveries -> asked.partitions() == null
                    ? null
                    : deliveries.answer(here, asked.partitions());
        });
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.post(Asked.PATH, this::ask);
    }

    private void ask(Context context) throws IOException {
        PeerCalls.expectPeer(context);
        Asked asked = read(BodyLimits.read(context));
        if (asked.maxLag() == null) {
            HttpServer.answer(context, 200, Json.write(answer(asked)));
            return;
        }
        var staleness = new Staleness(asked.maxLag());
        Record answer = ScopedValue.where(Staleness.CURRENT, staleness).call(() -> answer(asked));
        if (staleness.isStale()) {
            context.header(PeerCalls.STALE, Long.toString(staleness.lag()));
        }
        HttpServer.answer(context, 200, Json.write(answer));
    }

    static Asked read(byte[] body) {
        try {
            JsonNode tree = MAPPER.readTree(body);
            String name = tree.path("question").asString("");
            Class<?> type = Question.BY_NAME.get(name);
            if (type == null) {
                throw new HttpRefusal(422, "question must be one of " + Question.BY_NAME.keySet() + ".");
            }
            JsonNode partitions = tree.path("partitions");
            JsonNode maxLag = tree.path("maxLag");
            JsonNode logPartitions = tree.path("logPartitions");
            return new Asked(name, (Question<?>) MAPPER.treeToValue(tree.path("of"), type),
                    partitions.isArray() ? Arrays.asList(MAPPER.treeToValue(partitions, Integer[].class)) : null,
                    maxLag.isIntegralNumber() ? maxLag.asLong() : null,
                    logPartitions.isIntegralNumber() ? logPartitions.asInt() : null);
        } catch (JacksonException e) {
            throw new HttpRefusal(422, "The body is not a question as this version knows it: "
                    + e.getOriginalMessage());
        }
    }

    private Record answer(Asked asked) {
        Record answer = answering.answer(asked);
        if (answer == null) {
            throw new HttpRefusal(422, "This process is not one that answers " + asked.question() + ".");
        }
        return answer;
    }

    private static Record answer(Here here, Question.OfUsers<?> question, Asked asked) {
        LogLayout layout = here.partitions().layout();
        if (asked.logPartitions() != null && asked.logPartitions() != layout.partitions()) {
            throw new NotReadyException("the partitions are those of a log of " + asked.logPartitions()
                    + ", here one of " + layout.partitions() + " is shown at this moment");
        }
        Record answer = question.answer(here, asked.partitions());
        here.partitions().expectStill(layout);
        return answer;
    }
}
